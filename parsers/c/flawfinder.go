package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("flawfinder", func(p *tool.Parser) {
	p.Is("flawfinder", result.Security, 1, "flawfinder 2.x: text, --singleline, --columns, --csv, --sarif")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(flawfinderLog)})
	p.Reads(tool.Format{Name: "csv", Starts: []string{"File,Line,Column,DefaultLevel,Level,Category,Name,"}, Named: true, Parse: read.TableByShape("File,Line,Column,DefaultLevel,Level,", flawfinderRow)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Flawfinder version "}, Named: true, Parse: read.Linter{Plain: true, Accept: flawfinderHit, Severity: flawfinderLevel, Below: flawfinderText, Other: flawfinderLine}.Parse})
	p.Reads(read.PythonTrouble("flawfinder"))
})

// flawfinderLevel returns the severity for a level of risk, 0 to 5, as in flawfinder's SARIF.
func flawfinderLevel(level string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(level, "error: 4, 5; warning: 3")), result.SevInfo)
}

// flawfinderHit reads "[4] (buffer) strcpy:" behind a place and, with --singleline, the text in the same line.
func flawfinderHit(d *read.Diagnostic) bool {
	head, message, _ := strings.Cut(d.Message, ":")
	level, name, ok := strings.Cut(strings.TrimPrefix(head, "["), "] (")
	if !ok || !lex.IsDigits(level) {
		return false
	}
	d.Word, d.Rule, d.Message = level, strings.Replace(name, ") ", "/", 1), lex.OnOneLine(message)
	return true
}

// flawfinderText joins the lines of a message, indented by two, without the line of source that --context shows.
func flawfinderText(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "  ")
	if f := s.Last(); ok && f != nil && !strings.HasPrefix(text, " ") && f.Source == "" {
		f.Message = lex.OnOneLine(f.Message + " " + text)
	}
	return ok
}

// flawfinderLine takes the lines before and after the hits.
func flawfinderLine(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case strings.HasPrefix(text, "Flawfinder version "):
		s.Sign(l)
	case strings.HasPrefix(text, "Hits = "):
		s.Problems(lex.LeadingNumber(text[len("Hits = "):]))
		s.Close(l)
	case text == "No hits found.":
		s.Close(l)
	case strings.HasPrefix(text, "Warning: Skipping non-existent file "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "Warning: ")})
	default:
		return text == "FINAL RESULTS:" || text == "ANALYSIS SUMMARY:" || strings.HasPrefix(text, "Examining ") || strings.HasPrefix(text, "Number of rules (primarily ") || s.Closed()
	}
	return true
}

// flawfinderRow gives a row of CSV the severity of its level.
func flawfinderRow(f *result.Finding) {
	f.Severity = flawfinderLevel(f.RawSeverity)
}

// flawfinderLog removes the rule's name, "buffer/strcpy:", from a message in SARIF.
func flawfinderLog(f *result.Finding) {
	_, f.Message, _ = strings.Cut(f.Message, ":")
	f.Message = lex.OnOneLine(f.Message)
}
