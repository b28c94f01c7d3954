package jsontext

import (
	"iter"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// Bounds for a JSON document that is read in pieces.
const (
	maxJSONDepth = 64       // reports nest some ten levels deep
	maxJSONItem  = 16 << 20 // bytes: enough for one diagnostic with all its fixes, or a file with its source
)

// Item is one wanted value of a document: an object, array or string.
type Item struct {
	Path       string // "" is the document, "/runs/*/results/*" a result
	Text       string // "" if the caller's Pass said to skip it
	Start, End int64  // byte offsets of the lines that hold the value
}

// Walker takes the wanted values out of JSON documents that arrive line by line, in any layout, one document after
// the other. It holds no more than one value at a time. It does not check the grammar between the values; the
// caller parses what Take gets with encoding/json.
type Walker struct {
	Want map[string]bool // paths: "/key" of an object's member, "/*" of an array's
	Take func(Item)
	Pass func() bool // asked before a value is kept: true means that the caller has no room for more; may be nil

	Foreign string // path of a list or object that only another format has, or ""
	Left    bool   // Foreign was met: the caller need not read on

	Stack []jsonLevel
	key   []byte // the last string in an object that was not a value

	item  []byte // text so far of the value that is being kept …
	over  bool   // … or true if the value is passed over
	keep  int    // the depth at which that value ends; 0: no value is being kept
	path  string
	start int64

	// Met says that a list was there whose elements are wanted, even if it was empty.
	Met    bool
	docs   int  // how many documents were closed
	Broken bool // something was too long to keep, or is not JSON
}

type jsonLevel struct {
	path   string
	array  bool
	member bool // the colon was seen: a value follows
}

// Awaits reports whether the line continues a document or may begin one. Line and Long check this themselves; a
// reader of a long output that is not JSON saves time by asking first.
func (w *Walker) Awaits(text string) bool { return len(w.Stack) > 0 || begins(text) }

// begins reports whether a line may begin a document.
func begins(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{', c == '[':
			return true
		case c != ' ' && c != '\t':
			return false
		}
	}
	return false
}

// Line takes a line and reports whether it belongs to a document. It keeps nothing of the line's memory.
func (w *Walker) Line(l term.Line) bool {
	if !w.Awaits(l.Text) {
		return false
	}
	w.Broken = w.Broken || l.Cut
	if rest := w.scan(l.Text, l, false); rest != "" {
		w.Broken = true // a JSON string cannot continue on the next line
	} else if w.keep > 0 {
		w.hold("\n")
	}
	return true
}

// Long is Line for a line longer than term.MaxLine: pieces yields the whole line, piece by piece, each with its
// offset. The items handed over then have their own byte spans, not the line's.
func (w *Walker) Long(l term.Line, pieces iter.Seq2[int64, string]) bool {
	if !w.Awaits(l.Text) {
		return false
	}
	rest := "" // the beginning of a string that goes on in the next piece
	for at, piece := range pieces {
		l.Start, l.End = at-int64(len(rest)), at+int64(len(piece))
		if rest = w.scan(rest+piece, l, true); len(rest) > maxJSONItem {
			break
		}
	}
	w.Broken = w.Broken || rest != ""
	return true
}

// scan reads text, and returns the beginning of a string that does not end in it. If exact, the items handed over
// have their own byte spans, otherwise the line's.
func (w *Walker) scan(text string, l term.Line, exact bool) (rest string) {
	from := 0
	here := func(i, n int) term.Line {
		if exact {
			return term.Line{Start: l.Start + int64(i), End: l.Start + int64(i+n)}
		}
		return l
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ':
		case '"':
			end := jsonStringEnd(text, i+1)
			if end < 0 {
				if w.keep > 0 {
					w.hold(text[from:i])
				}
				return text[i:]
			}
			w.text(text[i:end+1], here(i, end+1-i))
			i = end
		case '{', '[':
			if w.open(c == '[', here(i, 1)) {
				from = i
			}
		case '}', ']':
			if w.keep > 0 && w.keep == len(w.Stack) {
				w.hold(text[from : i+1])
				w.flush(here(i, 1))
			}
			w.pop(c == ']')
		case ':', ',':
			if n := len(w.Stack); n > 0 && !w.Stack[n-1].array {
				w.Stack[n-1].member = c == ':'
			}
		}
	}
	if w.keep > 0 {
		w.hold(text[from:])
	}
	return ""
}

// jsonStringEnd returns the index of the quote that ends a string which begins before i; -1 without one.
func jsonStringEnd(s string, i int) int {
	for {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return -1
		}
		if i += n; !escaped(s, i) {
			return i
		}
		i++
	}
}

// Numbers calls take for each member of the object whose value is a whole number, without those of nested objects.
// It stops at the first error.
func Numbers(object string, take func(key string, n int)) {
	depth, key := 0, ""
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '"':
			end := jsonStringEnd(object, i+1)
			if end < 0 {
				return
			}
			if depth == 1 {
				key = object[i+1 : end]
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ':':
			if value := strings.TrimLeft(object[i+1:min(len(object), i+24)], " "); depth == 1 {
				if digits := len(value) - len(strings.TrimLeft(value, "0123456789")); digits > 0 {
					take(key, lex.Atoi(value[:digits]))
				}
			}
		}
	}
}

// here returns the path of the value that comes next.
func (w *Walker) here() string {
	if len(w.Stack) == 0 {
		return ""
	}
	top := w.Stack[len(w.Stack)-1]
	if top.array {
		return top.path + "/*"
	}
	return top.path + "/" + string(w.key)
}

// text takes a string s, quotes included: it is a key, or a value that may be wanted.
func (w *Walker) text(s string, l term.Line) {
	if w.keep > 0 || len(w.Stack) == 0 {
		return
	}
	top := w.Stack[len(w.Stack)-1]
	if !top.array && !top.member {
		w.key = append(w.key[:0], s[1:len(s)-1]...)
		return
	}
	if path := w.here(); w.Want[path] {
		w.Take(Item{Path: path, Text: strings.Clone(s), Start: l.Start, End: l.End})
	}
}

// open begins an object or array, and reports whether its text is to be kept.
func (w *Walker) open(array bool, l term.Line) bool {
	level := jsonLevel{array: array}
	begins := false
	if w.keep == 0 {
		level.path = w.here()
		begins = w.Want[level.path] && !(array && level.path == "")
		w.Met = w.Met || array && w.Want[level.path+"/*"]
		w.Left = w.Left || w.Foreign != "" && level.path == w.Foreign
	}
	if len(w.Stack) >= maxJSONDepth {
		w.Broken = true
	}
	w.Stack = append(w.Stack, level)
	if begins {
		w.keep, w.path, w.start, w.item = len(w.Stack), level.path, l.Start, w.item[:0]
		w.over = w.Pass != nil && w.Pass()
	}
	return begins
}

func (w *Walker) pop(array bool) {
	n := len(w.Stack)
	if n == 0 || w.Stack[n-1].array != array {
		w.Broken = true
	}
	if n == 0 {
		return
	}
	w.Stack = w.Stack[:n-1]
	if n == 1 {
		w.docs++
	}
}

// hold appends s to the value that is being kept. Beyond maxJSONItem the whole value is dropped.
func (w *Walker) hold(s string) {
	if w.over {
		return
	}
	if len(w.item)+len(s) > maxJSONItem {
		w.Broken = true
		return
	}
	w.item = append(w.item, s...)
}

func (w *Walker) flush(l term.Line) {
	w.keep = 0
	w.Take(Item{Path: w.path, Text: string(w.item), Start: w.start, End: l.End})
}

// Whole reports whether there was a document and every document was closed.
func (w *Walker) Whole() bool { return w.docs > 0 && len(w.Stack) == 0 && !w.Broken }
