package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// The programs in this file check documents against a schema.

var _ = Room.Add("check-jsonschema", func(p *tool.Parser) {
	p.Is("check-jsonschema", result.Lint, 1, "check-jsonschema 0.2x and later: text, json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/errors/*":       read.Objects{Path: "filename", ID: "path", Message: "message"}.Item,
		"/parse_errors/*": read.Objects{Path: "filename", Message: "message"}.Item,
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Schema validation errors were encountered."}, Named: true, Parse: read.Text{Line: schemaLine}.Parse})
	p.Reads(read.PythonTrouble("check-jsonschema"))
})

// schemaLine reads "  js/bad.json::$.port: 'x' is not of type 'integer'", and files that do not parse, with the
// reason below:
//
//	Failed to parse js/syn.json
//	  JSONDecodeError: Expecting value: line 2 column 1 (char 6)
func schemaLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	path, rest, ok := strings.Cut(text, "::")
	id, message, told := strings.Cut(rest, ": ")
	f := s.Last()
	switch {
	case indent == 2 && ok && told && strings.HasPrefix(id, "$") && !strings.Contains(path, ": "):
		return s.Find(l, result.Finding{ID: id, Message: message, At: &result.Location{Path: path}})
	case indent == 2 && strings.HasPrefix(text, "Failed to parse "):
		return s.Find(l, result.Finding{Rule: "parse-error", Message: text, At: &result.Location{Path: strings.TrimPrefix(text, "Failed to parse ")}})
	case f != nil && f.Rule == "parse-error" && indent >= 4:
		f.Message = text
		return s.More(l)
	case f != nil && (indent >= 2 || text == ""):
		return s.More(l)
	case text == "Schema validation errors were encountered.", text == "Several files failed to parse.":
		return s.Sign(l)
	}
	return false
}
