package read

import (
	"cmp"
	"errors"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Objects reads JSON in which every finding is one object. Its fields name the members that hold the parts of the
// finding:
//
//	[{"file": "Dockerfile", "line": 3, "code": "DL3008", "level": "warning", "message": "Pin versions"}]
//
// A member of a nested object is named with a dot, "location.start.line"; of a nested list of objects, the first
// object counts. If versions of a tool use different names, they are separated by blanks: "message-id messageId".
// "" means that the part is absent. A member of the wrong type makes the document doubtful, as in JSON.
type Objects struct {
	At    []string // paths of the objects: see JSON.Items
	Clean bool     // see JSON
	// In names the members that are lists of findings, if an object stands for a file, as in {"file": "a.kt",
	// "errors": [{"line": 3}]}; the members beside the list apply to each finding. "" if an object is a finding.
	In string
	// Keyed says that such objects, or lists, are the members of one object whose keys are paths; an empty list is
	// no finding.
	Keyed bool

	Path, Line, Column, EndLine, EndColumn string
	Rule, RuleName, URL, Severity, Fixable string
	ID, Message, Detail, Help              string // Help is a suggestion

	Line0, Column0 bool // lines, columns are counted from 0

	Kind    result.FindingKind // "" means a diagnostic
	Default result.Severity    // for an object without a severity; "" means error
	// Accept reports whether an object is a finding of the tool; nil accepts all.
	Accept func(f *result.Finding) bool
	// Fit changes a finding into what the tool's other formats give; it may be nil.
	Fit func(f *result.Finding)
}

var errMembers = errors.New("a member is not of the type that is known")

// Parse reads an input.
func (o Objects) Parse(in *tool.Input) *tool.Report {
	items := make(map[string]func(s *Sink, item []byte) error, len(o.At))
	for _, path := range o.At {
		items[path] = o.Item
	}
	return JSON{Items: items, Clean: o.Clean}.Parse(in)
}

// Item is an entry for JSON.Items, for documents that hold other things as well.
func (o Objects) Item(s *Sink, item []byte) error {
	ok := jsontext.Read(string(item), func(c *jsontext.Cursor) {
		switch {
		case !o.Keyed:
			o.object(s, c, "")
		case c.Next() == '[':
			c.Skip()
		default:
			c.Object(func(path string) { o.object(s, c, jsontext.Unescape(path)) })
		}
	})
	if !ok {
		return errMembers
	}
	return nil
}

// object reads the next value: a finding, the list of a file's findings, or an object that contains such a list.
func (o Objects) object(s *Sink, c *jsontext.Cursor, path string) {
	f, lists := result.Finding{Kind: o.Kind, At: &result.Location{Path: path}}, []string(nil)
	if o.Keyed && c.Next() == '[' {
		lists = append(lists, c.Raw())
	} else {
		o.members(c, "", &f, &lists)
	}
	if o.In == "" && !o.Keyed {
		o.find(s, f)
		return
	}
	for _, list := range lists {
		if !jsontext.Read(list, func(c *jsontext.Cursor) {
			c.Array(func() {
				one, at := f, *f.At
				one.At = &at
				o.members(c, "", &one, new([]string))
				o.find(s, one)
			})
		}) {
			c.Fail()
		}
	}
}

func (o Objects) find(s *Sink, f result.Finding) {
	if o.Accept != nil && !o.Accept(&f) {
		s.Decline()
		return
	}
	f.Severity = cmp.Or(SeverityOf(f.RawSeverity), o.Default)
	if o.Fit != nil {
		o.Fit(&f)
	}
	if f.At != nil && *f.At == (result.Location{}) {
		f.At = nil
	}
	s.FindHere(f)
}

// members reads the next object, or the first of a list. inside is its name with a dot; the texts of its lists of
// findings are appended to lists.
func (o Objects) members(c *jsontext.Cursor, inside string, f *result.Finding, lists *[]string) {
	if c.Next() == '[' {
		n := 0
		c.Array(func() {
			if n++; n == 1 && c.Next() == '{' {
				o.members(c, inside, f, lists)
			} else {
				c.Skip()
			}
		})
		return
	}
	c.Object(func(key string) {
		name := inside + key
		is := func(part string) bool { return part == name || strings.Contains(part, " ") && lex.IsOneOf(name, part) }
		switch {
		case name == "":
			c.Skip()
		case is(o.In):
			*lists = append(*lists, c.Raw())
		case is(o.Path):
			f.At.Path = c.Word()
		case is(o.Line):
			f.At.Line = number(c, o.Line0)
		case is(o.Column):
			f.At.Column = number(c, o.Column0)
		case is(o.EndLine):
			f.At.EndLine = number(c, o.Line0)
		case is(o.EndColumn):
			f.At.EndColumn = number(c, o.Column0)
		case is(o.Rule):
			f.Rule = c.Word()
		case is(o.RuleName):
			f.RuleName = c.Word()
		case is(o.URL):
			f.RuleURL = c.Word()
		case is(o.Severity):
			f.RawSeverity = c.Word()
		case is(o.ID):
			f.ID = c.Word()
		case is(o.Message):
			f.Message = c.Word()
		case is(o.Detail):
			f.Detail = c.Word()
		case is(o.Help):
			if help := c.Word(); help != "" {
				f.Suggestions = []string{help}
			}
		case is(o.Fixable):
			f.Fixable = c.Truth()
		case o.isInside(name + "."):
			o.members(c, name+".", f, lists)
		default:
			c.Skip()
		}
	})
}

// number reads a line or a column; with from0, it converts a number that counts from 0.
func number(c *jsontext.Cursor, from0 bool) int {
	if from0 && c.Next() != 'n' { // null: no line
		return c.Number() + 1
	}
	return c.Number()
}

// isInside reports whether a part of a finding is in the object with this prefix, its name and a dot.
func (o Objects) isInside(prefix string) bool {
	for _, names := range [...]string{o.Path, o.Line, o.Column, o.EndLine, o.EndColumn, o.Rule, o.RuleName, o.URL, o.Severity, o.ID, o.Message, o.Detail, o.Help} {
		if strings.HasPrefix(names, prefix) || strings.Contains(names, " "+prefix) {
			return true
		}
	}
	return false
}
