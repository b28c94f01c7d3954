package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// stylelintTAP reads -f tap: a test for each file, and below it the problems, grouped
// by rule:
//
//	not ok 1 - /src/a.css
//	  ---
//	  property-no-unknown:
//	    - message: "Unknown property \"colr\" (property-no-unknown)"
//	      severity: error
//	      line: 1
//	      column: 5
type stylelintTAP struct {
	path  string // of the file that the lines are about
	files int    // that are "not ok"
}

func parseStylelintTAP(in *tool.Input) *tool.Report {
	r := &stylelintTAP{}
	rep := read.Text{Line: r.line}.Parse(in)
	if rep != nil && r.files > 0 {
		rep.Claimed = max(rep.Claimed, r.files)
	}
	return rep
}

func (r *stylelintTAP) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	indent := len(l.Text) - len(strings.TrimLeft(l.Text, " "))
	key, value, keyed := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch {
	case indent == 0 && strings.HasPrefix(text, "not ok "):
		_, r.path, _ = strings.Cut(text, " - ")
		r.path = strings.Clone(r.path)
		r.files++
		s.Break()
	case indent == 0 && (strings.HasPrefix(text, "ok ") || strings.HasPrefix(text, "1..")):
		s.Close(l)
		s.Break()
	case indent == 0 && strings.HasPrefix(text, "TAP version "):
		s.Sign(l)
	case r.path == "" || indent == 0:
		return false
	case indent == 2 && text == "---", indent == 2 && text == "...":
		s.Break()
	case indent == 2 && keyed && value == "": // a rule, which its messages repeat
		s.Break()
	case key == "- message":
		message := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`), `\"`, `"`)
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &result.Location{Path: r.path}})
	default:
		r.part(s.Last(), key, value)
		s.More(l)
	}
	s.Cover(l)
	return true
}

// part fills in one part of a problem, which stands below its message.
func (r *stylelintTAP) part(f *result.Finding, key, value string) {
	if f == nil {
		return
	}
	switch key {
	case "severity":
		f.Severity, f.RawSeverity = read.SeverityOf(value), strings.Clone(value)
	case "line":
		f.At.Line = lex.Atoi(value)
	case "column":
		f.At.Column = lex.Atoi(value)
	case "endLine":
		f.At.EndLine = lex.Atoi(value)
	case "endColumn":
		f.At.EndColumn = lex.Atoi(value)
	}
}
