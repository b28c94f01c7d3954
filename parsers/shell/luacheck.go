package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("luacheck", func(p *tool.Parser) {
	p.Is("luacheck", result.Lint, 1, "luacheck 0.23 to 1.2: default, plain, visual_studio, TAP, JUnit")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{3: result.MeansUsage, 4: result.MeansUsage}
	p.Reads(tool.Format{Name: "default", Starts: []string{"Total: … warnings / ", "Total: … warning / "}, Parse: read.Text{Line: luacheckLine}.Parse})
	p.Reads(tool.Format{Name: "plain", Parse: read.Text{Line: luacheckLine}.Parse})
	p.Reads(tool.Format{Name: "tap", Parse: read.Text{Line: luacheckTAP}.Parse})
})

// luacheckTAP reads "not ok 2 src/b.lua:1:7: unused variable 'x'", which is a warning, not a failed test.
func luacheckTAP(s *read.Sink, l tool.Line) bool {
	rest, warned := strings.CutPrefix(l.Text, "not ok ")
	if !warned {
		return lex.HasAnyPrefix(l.Text, "1..", "ok ")
	}
	_, l.Text, _ = strings.Cut(rest, " ")
	return luacheckLine(s, l)
}

// luacheckLine reads "    src/b.lua:1:7: (W211) unused variable x" and the similar formats. The code is printed only
// with --codes.
func luacheckLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	at, message, ok := place.Cut(t)
	switch {
	case ok && at.Column > 0 && message != "" && !strings.HasPrefix(t, "not ok "):
		message = strings.TrimPrefix(message, ": ")
		f := result.Finding{Severity: result.SevWarning, Message: message, At: &at}
		if word, rest := read.CutSeverity(message); word != "" && strings.Contains(t, ") : ") { // the format visual_studio
			f.Severity, message = read.SeverityOf(word), rest
			f.Message, f.Rule = read.Colon.Cut(rest)
		} else if code, rest, has := strings.Cut(message, ") "); has && strings.HasPrefix(code, "(") {
			f.Rule, f.Message = code[1:], rest
		}
		if strings.HasPrefix(f.Rule, "E") || f.Rule == "" && (strings.HasPrefix(f.Message, "expected ") || strings.Contains(f.Message, "syntax error")) {
			f.Severity = result.SevError
		}
		return s.Find(l, f)
	case strings.HasPrefix(t, "Total: "):
		for kind, n := range read.Counts(t[len("Total: "):]) {
			if kind = strings.TrimSuffix(kind, "s"); len(s.Findings) == 0 && n > 0 && (kind == "warning" || kind == "error") {
				s.Count(kind, n) // -qq prints only the total
			}
		}
		return s.Close(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " 1 error") || strings.HasSuffix(t, "OK") || strings.HasSuffix(t, "warnings") || strings.HasSuffix(t, "warning") || strings.HasSuffix(t, "errors")):
		return s.Sign(l)
	case strings.HasPrefix(t, "Checking ") && (strings.HasSuffix(t, " I/O error") || strings.HasSuffix(t, "Fatal error")), strings.HasPrefix(t, "Critical error: "), strings.HasPrefix(t, "Error: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.Join(strings.Fields(t), " ")})
		return s.Break()
	case luacheckUnread(t) != "":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: "Checking " + luacheckUnread(t) + " I/O error"})
		return s.Break()
	case s.Last() != nil && s.Last().Kind == result.GenericFinding && l.Text != t:
		return s.More(l)
	}
	return t == "" || strings.HasPrefix(t, "Usage: ")
}

// luacheckUnread returns the file that could not be read, or "", in the formats with one line for each finding:
//
//	b.lua: I/O error
//	b.lua: I/O error (couldn't read: No such file or directory)
//	luacheck : fatal error F1: couldn't check b.lua: couldn't read: No such file or directory
func luacheckUnread(text string) string {
	if rest, ok := strings.CutPrefix(text, "luacheck : fatal error F1: couldn't check "); ok {
		path, _, _ := strings.Cut(rest, ": ")
		return path
	}
	path, why, ok := strings.Cut(text, ": I/O error")
	if !ok || why != "" && !strings.HasPrefix(why, " (") {
		return ""
	}
	return path
}
