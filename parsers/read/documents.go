package read

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Unknown reads the output of a program that has no parser: documents by their shape (see shape), and the lines
// around them (see Diagnostics).
func Unknown(in *tool.Input) *tool.Report {
	document := documentIn(in)
	if document == nil {
		return Diagnostics(in)
	}
	a := anyones{programs: programsOf(in)}
	rep := Beside(document, Text{Line: a.line, Count: a.count, Passes: a.passes, End: a.end})(in)
	if rep != nil {
		rep.Complete = true
	}
	return rep
}

// XMLByShape reads an XML document whose root element has that name, for a tool whose elements and attributes have
// the usual names (see shape). fit changes each finding into what the tool's other formats give; it may be nil. The
// text around the document is not read.
func XMLByShape(root string, fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return behind("<"+root, Fitted(shapedXML, fit))
}

// behind applies read to an output that has a mark in one of its lines, and returns nil for others.
func behind(mark string, read func(in *tool.Input) *tool.Report) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		for l := range in.LentLinesApart() {
			if strings.Contains(l.Text, mark) {
				return read(in)
			}
		}
		return nil
	}
}

// maxProlog is how many lines of an output are searched for the beginning of a document.
const maxProlog = 200

// documentIn chooses the reader for the first document of an output; nil without a document.
func documentIn(in *tool.Input) func(in *tool.Input) *tool.Report {
	lines, alone := 0, false
	for l := range in.LentLinesApart() {
		if lines++; lines > maxProlog {
			return nil
		}
		text := strings.TrimLeft(l.Text, " \t\ufeff")
		switch {
		case text == "":
		case alone && lex.HasAnyPrefix(text, `"`, "{", "["), opensJSON(text):
			return shapedJSON
		case opensPage(text), isDrawn(text):
			return Sheet{}.Parse
		case opensYAML(l.Text):
			return shapedYAML
		case opensXML(text):
			return shapedXML
		case tableOf(text) != nil:
			return shapedTable
		}
		alone = len(l.Text) < maxShort && lex.IsOneOf(strings.TrimRight(text, " "), "{ [")
	}
	return nil
}

// opensJSON: the line begins an object with a member, or a list of objects.
func opensJSON(text string) bool {
	inside := strings.TrimLeft(text[1:], " ")
	return text[0] == '{' && strings.HasPrefix(inside, `"`) || text[0] == '[' && strings.HasPrefix(inside, "{")
}

// opensXML: the line begins with a declaration, or the tag of an element.
func opensXML(text string) bool {
	return strings.HasPrefix(text, "<?xml") || len(text) > 2 && text[0] == '<' && lex.Letter(text[1]) != 0 && strings.ContainsAny(text[2:], ">=")
}

// shapesTold ends a report by shape. A finding whose document names no file has no place.
func shapesTold(s *Sink) *tool.Report {
	s.Settle()
	if len(s.Findings) == 0 {
		return nil
	}
	for i := range s.Findings {
		if f := &s.Findings[i]; f.At != nil && f.At.Path == "" {
			f.At = nil
		}
	}
	s.Complete = true
	return s.Report
}

// ofTheFile gives findings that have a line and no path the one file that the command names.
func ofTheFile(s *Sink, in *tool.Input) {
	var files []string
	argv := in.Command().Argv
	for _, arg := range argv[min(1, len(argv)):] {
		if arg[:min(1, len(arg))] != "-" && isSource(arg) && place.IsFile(arg) {
			files = append(files, arg)
		}
	}
	named := func(f result.Finding) bool { return f.At != nil && f.At.Path != "" }
	if s.Settle(); len(files) != 1 || slices.ContainsFunc(s.Findings, named) {
		return
	}
	for i := range s.Findings {
		if f := &s.Findings[i]; f.At != nil && f.At.Line > 0 {
			f.At.Path = files[0]
		}
	}
}

var errShape = errors.New("it is no JSON")

// shapedJSON reads documents of JSON, as one object, a list, or a line each.
func shapedJSON(in *tool.Input) *tool.Report {
	var d *shape
	take := func(s *Sink, item []byte) error {
		if d == nil {
			d = &shape{s: s, at: &s.at}
		}
		if !jsontext.Read(string(item), func(c *jsontext.Cursor) { d.value(c, "", true) }) {
			d.parts, d.over = d.parts[:0], 0
			return errShape
		}
		return nil
	}
	rep := JSON{Items: map[string]func(*Sink, []byte) error{"": take, "/*": take}, End: func(s *Sink) {
		s.Whole = d != nil && !d.left
		ofTheFile(s, in)
		shapesTold(s)
	}}.Parse(in)
	if rep == nil || len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

// placeByShape gives a finding of a diagnostic that has no place the one that its object names by
// words that the reader does not know: versions of a tool call it otherwise.
func (s *Sink) placeByShape(i int, object string) {
	f := &s.Findings[i]
	if f.At != nil && f.At.Path != "" || f.Kind != result.Diagnostic {
		return
	}
	d := &shape{s: NewSink(s.In), at: &s.at}
	if jsontext.Read(object, func(c *jsontext.Cursor) { d.value(c, "", true) }) && len(d.s.Findings) == 1 {
		if at := d.s.Findings[0].At; at != nil && at.Path != "" && at.Line > 0 {
			f.At = at
		}
	}
}

// value reads the value that comes next, which stands under a key or in a list of that
// name.
func (d *shape) value(c *jsontext.Cursor, key string, item bool) {
	switch c.Next() {
	case '{':
		d.begin(key, item)
		c.Object(func(name string) { d.value(c, jsontext.Unescape(name), false) })
		d.end()
	case '[':
		c.Array(func() { d.value(c, key, true) })
	default:
		word := c.Word()
		at, rest, placed := place.Cut(word)
		switch {
		case item && placed && at.Line > 0 && place.IsFile(at.Path) && rest != "": // ["a.c:3: text"]
			d.begin("", true)
			d.member("location", word[:len(word)-len(rest)])
			d.member("message", rest)
			d.end()
		case item && strings.HasSuffix(plainName(key), "path"): // of a member, step by step
		case item && listsTexts(key):
			d.begin("", true)
			d.member("path", d.fileOf(key))
			d.member("message", word)
			d.member("severity", "error")
			d.end()
		default:
			d.member(key, word)
		}
	}
}

// fileOf is the key of a list, where it is the name of a file.
func (d *shape) fileOf(key string) string {
	if isFileName(key) {
		return key
	}
	return ""
}

// shapedXML reads documents of XML.
func shapedXML(in *tool.Input) *tool.Report {
	s, left := NewSink(in), false
	for _, stream := range [...]tool.Stream{tool.Stdout, tool.Stderr} {
		x := xmlShape{}
		x.shape = &shape{s: s, at: &x.at}
		x.read(in.LentLinesOf(stream))
		left = left || x.left
		if n := len(x.covered); n > 0 {
			s.Covered = append(s.Covered, x.covered...)
		}
	}
	slices.SortFunc(s.Covered, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
	s.Whole = !left
	return shapesTold(s)
}

// xmlShape reads the elements of one stream.
type xmlShape struct {
	*shape
	at      tool.Line // that was read last
	open    []element
	covered []result.Span
}

// element is one that is open.
type element struct {
	name string
	bare bool // it has no attributes and no elements in it: its text is a value
	text []byte
}

// maxElementText bounds what is kept of the text of an element, in bytes.
const maxElementText = 4 << 10

func (x *xmlShape) read(lines iter.Seq[tool.Line]) {
	next, stop := iter.Pull(lines)
	defer stop()
	scanner := xmltext.NewScanner(&lineReader{end: "\n", next: func() (tool.Line, bool) {
		for {
			l, ok := next()
			if begins := strings.HasPrefix(strings.TrimLeft(l.Text, " \t\ufeff"), "<"); !ok || begins || len(x.open) > 0 {
				if x.at = l; ok {
					x.covered = append(x.covered, spanOf(l))
				}
				return l, ok
			}
		}
	}})
	for {
		switch scanner.Next() {
		case xmltext.End:
			return
		case xmltext.Open:
			x.element(scanner)
		case xmltext.Close:
			x.close(string(scanner.Name))
		case xmltext.Text:
			if n := len(x.open); n > 0 && len(x.open[n-1].text) < maxElementText {
				x.open[n-1].text = append(x.open[n-1].text, scanner.Content()...)
			}
		}
	}
}

func (x *xmlShape) element(tag *xmltext.Scanner) {
	name := string(tag.Name)
	if n := len(x.open); n > 0 {
		x.open[n-1].bare = false
	}
	if len(x.open) >= maxParts {
		return
	}
	x.open = append(x.open, element{name: name, bare: len(tag.Attrs) == 0})
	x.begin(name, true)
	for _, a := range tag.Attrs {
		x.member(string(a.Name), tag.Attr(string(a.Name)))
	}
	if SeverityOf(name) != "" { // <warning line="3" severity="5">: a number says it less well
		x.member("severity", name)
	}
	if tag.Alone {
		x.close(name)
	}
}

// close ends the element of that name, and those within it that have no closing tag.
func (x *xmlShape) close(name string) {
	i := len(x.open) - 1
	for i >= 0 && x.open[i].name != name {
		i--
	}
	for n := len(x.open) - 1; i >= 0 && n >= i; n-- {
		e := &x.open[n]
		text := string(e.text)
		if x.open = x.open[:n]; e.bare && x.over == 0 {
			x.parts = x.parts[:len(x.parts)-1]
			x.member(e.name, text)
			continue
		}
		x.member("text", text)
		x.end()
	}
}

// lineReader gives lines as a stream of bytes, one at a time, so that what was read last
// is what is being looked at.
type lineReader struct {
	next func() (tool.Line, bool)
	end  string // behind each line
	rest string
}

func (r *lineReader) Read(p []byte) (int, error) {
	if r.rest == "" {
		l, ok := r.next()
		if !ok {
			return 0, io.EOF
		}
		r.rest = l.Text + r.end
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
