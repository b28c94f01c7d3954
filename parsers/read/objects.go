package read

import (
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

	Path, Line, Column, EndLine, EndColumn string
	Rule, URL, Severity, Message           string

	// Fit changes what was read into what the tool's other formats give; it may be nil.
	Fit func(f *result.Finding)
}

var errMembers = errors.New("a member is not of the type that is known")

// Parse reads an input.
func (o Objects) Parse(in *tool.Input) *tool.Report {
	items := make(map[string]func(s *Sink, item []byte) error, len(o.At))
	for _, path := range o.At {
		items[path] = o.find
	}
	return JSON{Items: items, Clean: o.Clean}.Parse(in)
}

func (o Objects) find(s *Sink, item []byte) error {
	f := result.Finding{At: &result.Location{}}
	if !jsontext.Read(string(item), func(c *jsontext.Cursor) { o.members(c, "", &f) }) {
		return errMembers
	}
	f.Severity = SeverityOf(f.RawSeverity)
	if o.Fit != nil {
		o.Fit(&f)
	}
	if f.At != nil && *f.At == (result.Location{}) {
		f.At = nil
	}
	s.FindHere(f)
	return nil
}

// members reads the object that comes next. inside is its own name and a dot.
func (o Objects) members(c *jsontext.Cursor, inside string, f *result.Finding) {
	c.Object(func(key string) {
		switch name := inside + key; name {
		case "":
			c.Skip()
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
		default:
			if o.isInside(name + ".") {
				o.members(c, name+".", f)
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
