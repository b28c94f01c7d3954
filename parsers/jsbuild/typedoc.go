package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("typedoc", func(p *tool.Parser) {
	p.Is("typedoc", result.Build, 1, "typedoc 0.22 to 0.28")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: typedocLine}.Parse})
})

// typedocLine reads "[warning] text", TypeScript's own "a.ts:1:7 - error TS2322: text",
// and "[error] Found 1 errors and 0 warnings".
func typedocLine(s *read.Sink, l tool.Line) bool {
	word, text, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	d, placed := read.CutDiagnostic(l.Text)
	switch severity := read.SeverityOf(word); {
	case placed && strings.HasPrefix(d.Message, "TS"):
		rule, message, _ := strings.Cut(d.Message, ": ")
		s.Find(l, result.Finding{Severity: read.SeverityOf(d.Word), Rule: rule, Message: message, At: &d.At})
	case !ok || l.Text[0] != '[' || severity == "":
		return s.Last() != nil && s.More(l)
	case severity == result.SevInfo:
		s.Sign(l)
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " errors and "):
		s.Claim(read.Counts(text)["errors"])
		s.Close(l)
	default:
		f := result.Finding{Severity: severity, RawSeverity: word, Message: text}
		if d, ok := read.CutDiagnostic(text); ok && d.Message != "" && jserror.IsScript(d.At.Path) {
			f.At, f.Message = &d.At, strings.TrimPrefix(d.Message, "- ")
		}
		s.Find(l, f)
	}
	return true
}
