package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("publint", func(p *tool.Parser) {
	p.Is("publint", result.Lint, 1, "publint 0.1 to 0.3")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running publint v"}, Parse: read.Text{Line: publintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Unable to ", "Error: ")})
})

// publintLine reads a heading, "Errors:", and below it "1. pkg.main is ./dist/nope.js but the file does not exist."
func publintLine(s *read.Sink, l tool.Line) bool {
	number, message, ok := strings.Cut(strings.TrimSpace(l.Text), ". ")
	severity := map[string]result.Severity{"Errors:": result.SevError, "Warnings:": result.SevWarning, "Suggestions:": result.SevInfo}
	switch {
	case strings.HasPrefix(l.Text, "Running publint v"):
		s.Version, _, _ = strings.Cut(l.Text[len("Running publint v"):], " ")
		s.Sign(l)
	case severity[l.Text] != "":
		s.Path = l.Text
	case ok && lex.IsDigits(number) && s.Path != "":
		s.Find(l, result.Finding{Severity: severity[s.Path], Message: message, At: &result.Location{Path: "package.json"}})
	case lex.HasAnyPrefix(l.Text, "Packing files ", "Linting", "All good!"):
		s.Cover(l)
	case s.Last() != nil && l.Text != "":
		s.More(l)
	default:
		return false
	}
	return true
}
