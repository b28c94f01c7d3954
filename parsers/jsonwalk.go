package parsers

import "strings"

// Bounds of a JSON document that is read in pieces.
const (
	maxJSONDepth = 64      // reports nest some ten levels deep
	maxJSONItem  = 4 << 20 // one diagnostic with all its fixes
)

// jsonItem is one wanted value of a document: an object, array or string.
type jsonItem struct {
	path       string // "" is the document, "/runs/*/results/*" a result
	text       string // "" if it was passed over
	start, end int64  // of the lines it stands on
}

// jsonWalker takes the wanted values out of JSON documents that arrive line by
// line, laid out in whatever way, one after the other, and holds no more than
// one of them at a time. It does not check the grammar between the values;
// what it hands over is for encoding/json to read.
type jsonWalker struct {
	want map[string]bool // paths: "/key" of an object's member, "/*" of an array's
	take func(jsonItem)
	pass func() bool // asked before a value is kept: none fits any more; may be nil

	foreign string // path of a list or object that only another format has; may be ""
	left    bool   // it was there: the document is not worth reading on

	stack []jsonLevel
	key   []byte // the last string of an object that stands before a value

	item  []byte // of the value that is being kept …
	over  bool   // … or passed over
	keep  int    // the depth at which it ends; 0: none
	path  string
	start int64

	docs   int  // that were closed
	broken bool // something could not be kept, or is no JSON
}

type jsonLevel struct {
	path   string
	array  bool
	member bool // the colon was seen: a value follows
}

// line takes a line, and says whether it belongs to a document. It keeps nothing
// of its text.
func (w *jsonWalker) line(l Line) bool {
	if len(w.stack) == 0 {
		s := strings.TrimLeft(l.Text, " \t\ufeff")
		if s == "" || s[0] != '{' && s[0] != '[' {
			return false
		}
	}
	w.broken = w.broken || l.Cut
	text, from := l.Text, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ':
		case '"':
			end := jsonStringEnd(text, i+1)
			if end < 0 {
				w.broken = true // a string does not go over a line's end
				return true
			}
			w.text(text[i:end+1], l)
			i = end
		case '{', '[':
			if w.open(c == '[', l) {
				from = i
			}
		case '}', ']':
			if w.keep > 0 && w.keep == len(w.stack) {
				w.hold(text[from : i+1])
				w.flush(l)
			}
			w.pop(c == ']')
		case ':', ',':
			if n := len(w.stack); n > 0 && !w.stack[n-1].array {
				w.stack[n-1].member = c == ':'
			}
		}
	}
	if w.keep > 0 {
		w.hold(text[from:])
		w.hold("\n")
	}
	return true
}

// jsonStringEnd finds the quote that ends a string which begins before i.
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

// jsonNumbers gives the members of an object itself, not of what is in it,
// whose values are whole numbers. It looks at no more than it must.
func jsonNumbers(object string, take func(key string, n int)) {
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
					take(key, atoi(value[:digits]))
				}
			}
		}
	}
}

// here is the path of the value that stands next.
func (w *jsonWalker) here() string {
	if len(w.stack) == 0 {
		return ""
	}
	top := w.stack[len(w.stack)-1]
	if top.array {
		return top.path + "/*"
	}
	return top.path + "/" + string(w.key)
}

// text takes a string with its quotes.
func (w *jsonWalker) text(s string, l Line) {
	if w.keep > 0 || len(w.stack) == 0 {
		return
	}
	top := w.stack[len(w.stack)-1]
	if !top.array && !top.member {
		w.key = append(w.key[:0], s[1:len(s)-1]...)
		return
	}
	if path := w.here(); w.want[path] {
		w.take(jsonItem{path: path, text: strings.Clone(s), start: l.Start, end: l.End})
	}
}

// open begins an object or array, and says that it is to be kept.
func (w *jsonWalker) open(array bool, l Line) bool {
	level := jsonLevel{array: array}
	begins := false
	if w.keep == 0 {
		level.path = w.here()
		begins = w.want[level.path] && !(array && level.path == "")
		w.left = w.left || w.foreign != "" && level.path == w.foreign
	}
	if len(w.stack) >= maxJSONDepth {
		w.broken = true
	}
	w.stack = append(w.stack, level)
	if begins {
		w.keep, w.path, w.start, w.item = len(w.stack), level.path, l.Start, w.item[:0]
		w.over = w.pass != nil && w.pass()
	}
	return begins
}

func (w *jsonWalker) pop(array bool) {
	n := len(w.stack)
	if n == 0 || w.stack[n-1].array != array {
		w.broken = true
	}
	if n == 0 {
		return
	}
	w.stack = w.stack[:n-1]
	if n == 1 {
		w.docs++
	}
}

// hold keeps a piece of a value; of one that is too long, nothing.
func (w *jsonWalker) hold(s string) {
	if w.over {
		return
	}
	if len(w.item)+len(s) > maxJSONItem {
		w.broken = true
		return
	}
	w.item = append(w.item, s...)
}

func (w *jsonWalker) flush(l Line) {
	w.keep = 0
	w.take(jsonItem{path: w.path, text: string(w.item), start: w.start, end: l.End})
}

// whole: every document that was begun was also closed.
func (w *jsonWalker) whole() bool { return w.docs > 0 && len(w.stack) == 0 && !w.broken }
