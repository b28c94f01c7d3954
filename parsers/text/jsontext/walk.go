package jsontext

import (
	"iter"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// Bounds of a JSON document that is read in pieces.
const (
	maxJSONDepth = 64       // reports nest some ten levels deep
	maxJSONItem  = 16 << 20 // one diagnostic with all its fixes, or a file with its source
)

// Item is one wanted value of a document: an object, array or string.
type Item struct {
	Path       string // "" is the document, "/runs/*/results/*" a result
	Text       string // "" if it was passed over
	Start, End int64  // of the lines it stands on
}

// Walker takes the wanted values out of JSON documents that arrive line by
// line, laid out in whatever way, one after the other, and holds no more than
// one of them at a time. It does not check the grammar between the values;
// what it hands over is for encoding/json to read.
type Walker struct {
	Want map[string]bool // paths: "/key" of an object's member, "/*" of an array's
	Take func(Item)
	Pass func() bool // asked before a value is kept: none fits any more; may be nil

	Foreign string // path of a list or object that only another format has; may be ""
	Left    bool   // it was there: the document is not worth reading on

	Stack []jsonLevel
	key   []byte // the last string of an object that stands before a value

	item  []byte // of the value that is being kept …
	over  bool   // … or passed over
	keep  int    // the depth at which it ends; 0: none
	path  string
	start int64

	// Met: a list was there whose elements are wanted, though it may be empty.
	Met    bool
	docs   int  // that were closed
	Broken bool // something could not be kept, or is no JSON
}

type jsonLevel struct {
	path   string
	array  bool
	member bool // the colon was seen: a value follows
}

// Awaits: the line goes on with a document, or may begin one. Line and Long ask by
// themselves; a reader of a long output that is no JSON asks first.
func (w *Walker) Awaits(text string) bool { return len(w.Stack) > 0 || begins(text) }

// begins: a line may begin a document.
func begins(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{', c == '[':
			return true
		case c >= 0x80:
			s := strings.TrimLeft(text, " \t\ufeff")
			return s != "" && (s[0] == '{' || s[0] == '[')
		case c != ' ' && c != '\t':
			return false
		}
	}
	return false
}

// Line takes a line, and says whether it belongs to a document. It keeps nothing
// of its text.
func (w *Walker) Line(l term.Line) bool {
	if !w.Awaits(l.Text) {
		return false
	}
	w.Broken = w.Broken || l.Cut
	if rest := w.scan(l.Text, l, false); rest != "" {
		w.Broken = true // a string does not go over a line's end
	} else if w.keep > 0 {
		w.hold("\n")
	}
	return true
}

// Long is Line for a line that is longer than a Line may be: pieces are all of it,
// each with its offset. What is handed over has the span of its own bytes.
func (w *Walker) Long(l term.Line, pieces iter.Seq2[int64, string]) bool {
	if !w.Awaits(l.Text) {
		return false
	}
	rest := "" // a string that goes on in the next piece
	for at, piece := range pieces {
		l.Start, l.End = at-int64(len(rest)), at+int64(len(piece))
		if rest = w.scan(rest+piece, l, true); len(rest) > maxJSONItem {
			break
		}
	}
	w.Broken = w.Broken || rest != ""
	return true
}

// scan reads text, and gives what it holds of a string that does not end in it.
// exact: what is handed over has the span of its own bytes, not that of the line.
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

// Numbers gives the members of an object itself, not of what is in it,
// whose values are whole numbers. It looks at no more than it must.
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

// here is the path of the value that stands next.
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

// text takes a string with its quotes.
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

// open begins an object or array, and says that it is to be kept.
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

// hold keeps a piece of a value; of one that is too long, nothing.
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

// Whole: every document that was begun was also closed.
func (w *Walker) Whole() bool { return w.docs > 0 && len(w.Stack) == 0 && !w.Broken }
