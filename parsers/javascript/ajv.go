package javascript

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ajv", func(p *tool.Parser) {
	p.Is("ajv", result.Lint, 1, "ajv-cli 3 to 5: validate, compile; errors as js, json, line and text")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*ajv).line)})
})

// ajv reads "data.json invalid" and the errors of that file: objects, in the notation of JavaScript or JSON, or a
// sentence.
type ajv struct {
	pointer, rule string
	told          bool // the current file already has a finding
}

func (a *ajv) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if path, ok := strings.CutSuffix(text, " invalid"); ok && l.Text == text && !strings.Contains(path, " ") {
		s.Path, a.told = strings.Clone(path), false
		return s.Sign(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		a.cannot(s, l, strings.TrimSpace(message))
		return true
	}
	if schema, ok := strings.CutPrefix(text, "schema "); ok && strings.HasSuffix(schema, " is invalid") {
		s.Path = strings.TrimSuffix(schema, " is invalid")
		return true
	}
	if s.Path == "" {
		return false
	}
	if strings.HasPrefix(l.Text, "[{") {
		return a.array(s, l)
	}
	key, value, ok := strings.Cut(text, ": ")
	value = ajvValue(value)
	switch strings.Trim(key, `"`) {
	case "instancePath", "dataPath":
		a.pointer = value
	case "keyword":
		a.rule = value
	case "message":
		a.find(s, l, value)
	default:
		if strings.HasPrefix(l.Text, "data") && !ok && !a.told {
			for said := range strings.SplitSeq(l.Text, ", data") {
				a.pointer, a.rule = "", ""
				a.find(s, l, strings.TrimSpace(strings.TrimPrefix(said, "data")))
			}
		}
		return strings.ContainsAny(text, "[]{}")
	}
	return true
}

// ajvValue removes the quotes and the comma from a value.
func ajvValue(text string) string {
	text = strings.TrimSuffix(text, ",")
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return text
	}
	return strings.Clone(strings.ReplaceAll(strings.Trim(text, text[:1]), `\"`, `"`))
}

func (a *ajv) find(s *read.Sink, l tool.Line, message string) {
	a.told = true
	s.Find(l, result.Finding{Rule: a.rule, Message: strings.TrimSpace(a.pointer + " " + message), At: &result.Location{Path: s.Path}})
	s.Break()
}

// array reads all errors of a file, which are on one line.
func (a *ajv) array(s *read.Sink, l tool.Line) bool {
	var all []struct{ InstancePath, DataPath, Keyword, Message string }
	if json.Unmarshal([]byte(l.Text), &all) != nil {
		return false
	}
	for _, v := range all {
		a.pointer, a.rule = v.InstancePath+v.DataPath, v.Keyword
		a.find(s, l, v.Message)
	}
	return true
}

// cannot adds a finding for an invalid schema or a file that cannot be read.
func (a *ajv) cannot(s *read.Sink, l tool.Line, message string) {
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	path, rest, ok := strings.Cut(message, ": ")
	if ok && strings.ContainsAny(path, `/\`) && !strings.Contains(path, " ") {
		f.At, f.Message = &result.Location{Path: path}, rest
		if before, where, ok := strings.Cut(rest, " (line "); ok {
			line, column, _ := strings.Cut(where, " column ")
			f.Message, f.At.Line, f.At.Column = before, lex.LeadingNumber(line), lex.LeadingNumber(column)
		}
	} else if s.Path != "" && strings.HasPrefix(message, "schema is invalid: ") {
		f.At, s.Path = &result.Location{Path: s.Path}, ""
	}
	if len(s.Findings) == 0 {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	s.Break()
}
