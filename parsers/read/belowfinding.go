package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// placeBelow reads the place of an error from a line below the source that it quotes:
//
//	Error: Type 'string' is not the same as type 'number'.
//
//	  3 | expect<string>().type.toBe<number>();
//	    |                            ~~~~~~
//
//	      at ./tt/a.tst.ts:3:55 ❭ group ❭ test
func (a *anyones) placeBelow(s *Sink, l tool.Line, text string) bool {
	last, said := s.kept(), strings.TrimLeft(text, " \t")
	if last == nil || last.At != nil || len(said) == len(text) {
		a.quoted = 0
		return false
	}
	if number, _, ok := strings.Cut(said, "|"); ok && strings.Trim(number, "0123456789 ") == "" {
		a.quoted++
		return s.More(l)
	}
	where, ok := strings.CutPrefix(said, "at ")
	if where, _, _ = strings.Cut(where, " "); !ok || a.quoted == 0 {
		return false
	}
	if last.At = place.LastColons(where); last.At == nil {
		return false
	}
	a.quoted = 0
	last.Message, last.Rule = cutLastCode(last.Message, last.Rule)
	return s.More(l)
}

// cutLastCode moves a code such as "ts(2322)" from the end of a message into the rule.
func cutLastCode(message, rule string) (string, string) {
	said, code, ok := lex.CutLast(message, " ")
	name, number, _ := strings.Cut(strings.TrimSuffix(code, ")"), "(")
	if !ok || rule != "" || !strings.HasSuffix(code, ")") || !lex.IsIdentifier(name) || !lex.IsDigits(number) {
		return message, rule
	}
	return said, strings.ToUpper(name) + number
}

// schemaLine reads what Python's jsonschema prints below its message: the keyword, which becomes the rule, the
// schema, and the part of the document. The path of that part becomes the place.
//
//	api.yaml: Validation Error: 'version' is a required property
//
//	Failed validating 'required' in schema['properties']['info']:
//	    {'type': 'object', …
//
//	On instance['info']:
//	    {'title': 'x'}
func (a *anyones) schemaLine(s *Sink, l tool.Line, text string) bool {
	last := s.kept()
	if last == nil {
		a.schema = false
		return false
	}
	if keyword, ok := strings.CutPrefix(text, "Failed validating '"); ok && strings.HasSuffix(text, ":") && strings.Contains(keyword, "' in schema") {
		if !a.schema && last.Rule == "" {
			last.Rule, _, _ = strings.Cut(keyword, "'")
		}
		a.schema = true
		return s.More(l)
	}
	if part, ok := strings.CutPrefix(text, "On instance"); ok && a.schema && strings.HasSuffix(part, ":") {
		if part = strings.Trim(part, "[]:"); part != "" && last.ID == "" {
			last.ID = strings.ReplaceAll(strings.ReplaceAll(part, "][", "."), "'", "")
		}
		return s.More(l)
	}
	if a.schema = a.schema && (text[0] == ' ' || text[0] == '#' || text[0] == '('); a.schema {
		return s.More(l)
	}
	return false
}
