package read

import (
	"encoding/json"

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
	var walkers [2]jsontext.Walker
	for i := range walkers {
		w := &walkers[i]
		w.Want = map[string]bool{}
		for path := range j.Items {
			w.Want[path] = true
		}
		w.Take = func(it jsontext.Item) {
			taken++
			s.at = tool.Line{Start: it.Start, End: it.End, Stream: tool.Stdout + tool.Stream(i)}
			broken = j.Items[it.Path](s, []byte(it.Text)) != nil || broken
		}
	}
	var any [2]bool
	for l := range in.LentLinesApart() { // a walker keeps nothing of a line
		i := l.Stream - tool.Stdout
		if w := &walkers[i]; w.Awaits(l.Text) && j.walk(w, in, l) {
			any[i] = true
			s.Cover(l)
		}
	}
	for i := range walkers {
		w := &walkers[i]
		whole = whole && (!any[i] || w.Whole())
		taken += lex.Btoi(any[i] && j.Clean && w.Whole() && w.Met)
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
