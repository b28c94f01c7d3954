package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// records reads findings of which each is a paragraph of names and values, the message first,
// below the name of a file and a word of how bad they are:
//
//	Validation Results for api.yaml:
//
//	Errors:
//
//	  Message :   Operation must define parameter "{id}".
//	  Rule    :   path-params
//	  Path    :   paths./a/{id}.get
//	  Line    :   6
//
// Where a file is named above, a path below it leads to a part of that file.
type records struct {
	file     string
	severity result.Severity
	open     bool // a finding is being read
}

func (r *records) line(s *Sink, l tool.Line, text string) bool {
	if text[0] != ' ' {
		r.open = false
		head, ok := strings.CutSuffix(text, ":")
		if severity := SeverityOf(strings.ToLower(strings.TrimSuffix(head, "s"))); ok && severity != "" {
			r.severity = severity
		} else if _, name, several := lex.CutLast(head, " "); ok && several && isSource(name) && place.IsFile(name) {
			r.file, r.severity = strings.Clone(name), ""
		}
		return false
	}
	name, value, ok := strings.Cut(strings.TrimLeft(text, " "), " : ")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	last := s.Last()
	switch {
	case !ok || value == "" || r.file == "":
		return false
	case name == "message":
		r.open = true
		return s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: r.severity, Message: value, At: &result.Location{Path: r.file}})
	case !r.open || last == nil:
		return r.open
	case name == "rule":
		last.Rule = value
	case name == "path":
		last.ID = value
	case name == "line":
		last.At.Line = lex.Atoi(value)
	}
	return s.More(l)
}
