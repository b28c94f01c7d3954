package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// stubtest compares stubs with what is imported, an object a block:
//
//	error: ledg.add is inconsistent, stub does not have parameter "b"
//	Stub: in file /src/stubs/ledg/__init__.pyi:1
//	Runtime: in file /src/ledg/__init__.py:3
//
// With --concise it prints the first lines alone, without "error: ".
var _ = Room.Add("stubtest | mypy.stubtest", func(p *tool.Parser) {
	p.Is("stubtest", result.Typecheck, 1, "stubtest of mypy 0.900 and later: default, --concise")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: stubtestLine}.Parse})
	p.Reads(read.PythonTrouble("stubtest"))
})

func stubtestLine(s *read.Sink, l tool.Line) bool {
	last := s.Last()
	if where, ok := strings.CutPrefix(l.Text, "Stub: in file "); ok && last != nil {
		last.At = read.PlaceOf(where)
		return s.More(l)
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && d.Word == "error" { // mypy's, of a stub that it cannot read
		d.Message, d.Rule = read.Brackets.Cut(d.Message)
		return s.Find(l, result.Finding{Rule: d.Rule, Message: d.Message, At: &d.At})
	}
	text, headed := strings.CutPrefix(l.Text, "error: ")
	if headed && strings.HasPrefix(text, "not checking stubs") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
		return s.Break()
	}
	if unused, ok := strings.CutPrefix(l.Text, "note: unused allowlist entry "); ok {
		s.Find(l, result.Finding{Rule: "unused-allowlist-entry", Message: "unused allowlist entry " + unused, ID: unused})
		return s.Break()
	}
	if n, ok := strings.CutPrefix(l.Text, "Found "); ok && strings.Contains(n, " (checked ") {
		s.Claim(lex.LeadingNumber(n))
		return s.Close(l)
	}
	if strings.HasPrefix(l.Text, "Success: no issues found in ") {
		return s.Close(l)
	}
	object, message, ok := strings.Cut(text, " ")
	if ok && isDotted(object) && (headed || stubtestSays(message)) {
		return s.Find(l, result.Finding{ID: object, Message: message})
	}
	if last == nil || l.Text == "" {
		s.Break()
		return false
	}
	return s.More(l)
}

// stubtestSays: what stubtest says of an object in its concise form.
func stubtestSays(message string) bool {
	return lex.HasAnyPrefix(message, "is not ", "is inconsistent", "is a ", "variable differs", "failed to ", "cannot be ", "stub ", "runtime ")
}
