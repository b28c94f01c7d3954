package read

import (
	"encoding/json"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// JSON reads documents of JSON on either stream, of any size and layout, one
// wanted value at a time: an array of diagnostics, an object with a list in it,
// or a document a line. Lines around a document are left to others.
type JSON struct {
	// Items are what to take, by path: "/*" is each element of an array that is
	// the whole document, "/results/*" each element of the member "results", ""
	// a whole object.
	Items map[string]func(s *Sink, item []byte) error
	// Clean: a document in which a list of Items is empty is the tool's too (as
	// "[]" is where the command names the tool).
	Clean bool
	// OneLine: a document is one line, and a finding has the span of its own value.
	OneLine bool
	// Foreign is the path of a list or object that only another format has; where it
	// stands the output is not read on. May be "".
	Foreign string
	// Behind is the text before a document in its line, as in the script of a page of HTML
	// that draws itself: "var data = ". Other lines then begin no document. May be "".
	Behind string
	// End is called behind the last line; it may be nil.
	End func(s *Sink)
}

// Item makes an entry of Items from a function on a Go value; encoding/json
// fills the value.
func Item[T any](take func(s *Sink, v *T)) func(s *Sink, item []byte) error {
	return func(s *Sink, item []byte) error {
		v := new(T)
		if err := json.Unmarshal(item, v); err != nil {
			return err
		}
		take(s, v)
		return nil
	}
}

// Items are the entries of JSON.Items where values of one form stand at the paths.
func Items[T any](take func(s *Sink, v *T), paths ...string) map[string]func(s *Sink, item []byte) error {
	items := make(map[string]func(s *Sink, item []byte) error, len(paths))
	for _, path := range paths {
		items[path] = Item(take)
	}
	return items
}

// Parse reads an input. It declines where no wanted value was there, or none has
// the form; a document that breaks off, or of which a part does not have the
// form, is doubted.
func (j JSON) Parse(in *tool.Input) *tool.Report {
	s, taken, broken, whole := NewSink(in), 0, false, true
	var docs [2]jsonDocs
	for i := range docs {
		w := &docs[i].Walker
		w.Want, w.Foreign = map[string]bool{}, j.Foreign
		for path := range j.Items {
			w.Want[path] = true
		}
		w.Take = func(it jsontext.Item) {
			taken++
			s.at = tool.Line{Start: it.Start, End: it.End, Stream: tool.Stdout + tool.Stream(i)}
			had := len(s.Findings)
			broken = j.Items[it.Path](s, []byte(it.Text)) != nil || broken
			if len(s.Findings) == had+1 {
				s.placeByShape(had, it.Text)
			}
		}
	}
	for l := range in.LentLinesApart() { // a walker keeps nothing of a line
		d := &docs[l.Stream-tool.Stdout]
		if _, glued := CutGlued(l); glued && len(d.Stack) == 1 {
			l.Text, l.End = l.Text[:1], l.Start+1 // see Text.Parse for the rest
		}
		begins, had := len(d.Stack) == 0, taken
		if begins && j.Behind != "" && !cutBehind(&l, j.Behind) {
			continue
		}
		s.declined = false
		if d.Awaits(l.Text) && j.walk(&d.Walker, in, l) {
			if begins && len(d.Stack) == 0 && (s.declined || taken == had && !endsJSON(l.Text)) {
				continue
			}
			d.any = true
			s.Cover(l)
		}
		if d.Left {
			return nil
		}
	}
	for i := range docs {
		d := &docs[i]
		whole = whole && (!d.any || d.Whole())
		taken += lex.Btoi(d.any && j.Clean && d.Whole() && d.Met)
	}
	if taken == 0 {
		return nil
	}
	s.Settle()
	if j.End != nil {
		j.End(s)
		s.Settle()
	}
	if s.Complete = whole; broken {
		s.Doubt = "some of the JSON does not have the form that is known"
	}
	if s.Doubt != "" && len(s.Findings) == 0 && s.Claimed <= 0 { // another tool's, or another format
		return nil
	}
	return s.Report
}

// cutBehind cuts a line down to the document that it holds: "  var data = {…};".
func cutBehind(l *tool.Line, mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " \t"), mark)
	l.Start += int64(len(l.Text) - len(rest))
	l.Text = strings.TrimSuffix(rest, ";")
	return ok
}

// endsJSON: a line that holds a document ends with it; "[*] 3 fixable" only begins like one.
func endsJSON(text string) bool {
	text = strings.TrimRight(text, " \t,")
	return strings.HasSuffix(text, "}") || strings.HasSuffix(text, "]")
}

// jsonDocs are the documents of one stream.
type jsonDocs struct {
	jsontext.Walker
	any bool // a line belongs to one
}

// walk hands a line to a walker, and says whether it belongs to a document.
func (j JSON) walk(w *jsontext.Walker, in *tool.Input, l tool.Line) bool {
	if l.Cut || j.OneLine && PartOfLine(l, l.Start, l.Start) != l {
		return w.Long(l, WholeLine(in, l))
	}
	return w.Line(l)
}

// Value is a value as text; strings go without their quotes.
func Value(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
