package read

import (
	"encoding/json"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// JSON reads JSON documents on either stream, of any size and layout, one wanted value at a time: an array of
// diagnostics, an object that contains a list, or a document per line. Lines around a document are ignored.
type JSON struct {
	// Items are functions for the wanted values, by path: "/*" is each element of an array that is the whole
	// document, "/results/*" each element of the member "results", "" a whole object.
	Items map[string]func(s *Sink, item []byte) error
	// Clean says that a document whose list of wanted values is empty is the tool's too, such as "[]" if the
	// command names the tool.
	Clean bool
	// OneLine says that a document is one line; a finding then has the span of its own value.
	OneLine bool
	// Foreign is the path of a list or object that only another format has; if it occurs, reading stops. May be "".
	Foreign string
	// Behind is the text before a document in its line, as in the script of an HTML page: "var data = ". No other
	// line then begins a document. May be "".
	Behind string
	// End is called after the last line; it may be nil.
	End func(s *Sink)
}

// Item makes an entry of Items from a function on a Go value, which encoding/json fills.
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

// Items returns entries for JSON.Items, with the same function for several paths.
func Items[T any](take func(s *Sink, v *T), paths ...string) map[string]func(s *Sink, item []byte) error {
	items := make(map[string]func(s *Sink, item []byte) error, len(paths))
	for _, path := range paths {
		items[path] = Item(take)
	}
	return items
}

// Parse reads an input. It returns nil if no wanted value was there, or none has the right form; a document that
// breaks off, or of which a part has another form, makes the report doubtful.
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
			l.Text, l.End = l.Text[:1], l.Start+1 // Text.Parse explains the rest
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
	if s.Doubt != "" && len(s.Findings) == 0 && s.Claimed <= 0 { // another tool's document, or another format
		return nil
	}
	return s.Report
}

// cutBehind reduces a line to the document inside: "  var data = {…};".
func cutBehind(l *tool.Line, mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " \t"), mark)
	l.Start += int64(len(l.Text) - len(rest))
	l.Text = strings.TrimSuffix(rest, ";")
	return ok
}

// endsJSON reports whether a line ends like a document; "[*] 3 fixable" only begins like one.
func endsJSON(text string) bool {
	text = strings.TrimRight(text, " \t,")
	return strings.HasSuffix(text, "}") || strings.HasSuffix(text, "]")
}

// jsonDocs are the documents of one stream.
type jsonDocs struct {
	jsontext.Walker
	any bool // a line belonged to a document
}

// walk passes a line to a walker, and reports whether it belongs to a document.
func (j JSON) walk(w *jsontext.Walker, in *tool.Input, l tool.Line) bool {
	if l.Cut || j.OneLine && PartOfLine(l, l.Start, l.Start) != l {
		return w.Long(l, WholeLine(in, l))
	}
	return w.Line(l)
}

// Value returns a JSON value as text; strings without their quotes.
func Value(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
