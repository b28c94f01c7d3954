package read

import (
	"cmp"
	"errors"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Objects reads JSON in which every finding is one object, and tells by name where in
// it the parts of the finding stand:
//
//	[{"file": "Dockerfile", "line": 3, "code": "DL3008", "level": "warning", "message": "Pin versions"}]
//
// The name of a member of an object inside holds a dot: "location.start.line". A part
// whose name is empty is not told. A member that has the wrong type makes the document
// doubtful, as in JSON.
type Objects struct {
	At    []string // where the objects stand: the paths of JSON.Items
	Clean bool     // see JSON
	// In is the member that is the list of findings: an object is a file, as in {"file": "a.kt", "errors": [{"line": 3}]},
	// and the members beside the list hold for each of them. "" where an object is a finding.
	In string
	// Keyed: such objects, or lists, are the members of one object, whose keys are paths; an empty list stands for none.
	Keyed bool

	Path, Line, Column, EndLine, EndColumn string
	Rule, URL, Severity, Message, Fixable  string

	Default result.Severity // where an object says none; "" is error
	// Fit changes what was read into what the tool's other formats give; it may be nil.
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

// Item is an entry of JSON.Items, for a document that holds other things as well.
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

// object reads what comes next: a finding, the list of the findings of a file, or an object in which that list stands.
func (o Objects) object(s *Sink, c *jsontext.Cursor, path string) {
	f, list := result.Finding{At: &result.Location{Path: path}}, ""
	if o.Keyed && c.Next() == '[' {
		list = c.Raw()
	} else {
		o.members(c, "", &f, &list)
	}
	if o.In == "" && !o.Keyed {
		o.find(s, f)
		return
	}
	if list != "" && !jsontext.Read(list, func(c *jsontext.Cursor) {
		c.Array(func() {
			one, at := f, *f.At
			one.At = &at
			o.members(c, "", &one, new(string))
			o.find(s, one)
		})
	}) {
		c.Fail()
	}
}

func (o Objects) find(s *Sink, f result.Finding) {
	f.Severity = cmp.Or(SeverityOf(f.RawSeverity), o.Default)
	if o.Fit != nil {
		o.Fit(&f)
	}
	if f.At != nil && *f.At == (result.Location{}) {
		f.At = nil
	}
	s.FindHere(f)
}

// members reads the object that comes next. inside is its own name and a dot; list is the text of its list of findings.
func (o Objects) members(c *jsontext.Cursor, inside string, f *result.Finding, list *string) {
	c.Object(func(key string) {
		switch name := inside + key; name {
		case "":
			c.Skip()
		case o.In:
			*list = c.Raw()
		case o.Path:
			f.At.Path = c.Word()
		case o.Line:
			f.At.Line = c.Number()
		case o.Column:
			f.At.Column = c.Number()
		case o.EndLine:
			f.At.EndLine = c.Number()
		case o.EndColumn:
			f.At.EndColumn = c.Number()
		case o.Rule:
			f.Rule = c.Word()
		case o.URL:
			f.RuleURL = c.Word()
		case o.Severity:
			f.RawSeverity = c.Word()
		case o.Message:
			f.Message = c.Word()
		case o.Fixable:
			f.Fixable = c.Truth()
		default:
			if o.isInside(name + ".") {
				o.members(c, name+".", f, list)
			} else {
				c.Skip()
			}
		}
	})
}

// isInside: a part stands in the object whose name and dot this is.
func (o Objects) isInside(prefix string) bool {
	for _, name := range [...]string{o.Path, o.Line, o.Column, o.EndLine, o.EndColumn, o.Rule, o.URL, o.Severity, o.Message} {
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}
