package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// yamale prints the document's path, and below it each error behind its key:
//
//	Error validating data 'data.yaml' with schema 'schema.yaml'
//		b.0: '1' is not a str.
var _ = Room.Add("yamale", func(p *tool.Parser) {
	p.Is("yamale", result.Lint, 1, "yamale 3 to 6: what does not fit the schema")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error validating data …with schema "}, Named: true, Parse: read.Text{Line: yamaleLine}.Parse})
	p.Reads(read.PythonTrouble("yamale"))
})

func yamaleLine(s *read.Sink, l tool.Line) bool {
	head, ok := strings.CutPrefix(l.Text, "Error validating data '")
	row, below := strings.CutPrefix(l.Text, "\t")
	switch {
	case ok:
		path, _, _ := strings.Cut(head, "' with schema ")
		s.Path = strings.Clone(path)
		return s.Sign(l)
	case below && s.Path != "":
		return s.Find(l, result.Finding{Message: row, At: &result.Location{Path: s.Path}})
	case strings.HasPrefix(l.Text, "Error! Schema "), strings.HasPrefix(l.Text, "Path does not exist: "), strings.HasPrefix(l.Text, "Syntax error in schema "):
		return s.Misuse(l, l.Text)
	}
	s.Path = ""
	return l.Text == "Validation failed!" || l.Text == "Validation success! 👍"
}
