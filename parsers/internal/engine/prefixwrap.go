package engine

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
)

// A margin that begins with one of these bytes says how a log or a filter has put each line into another text:
//
//	{"msg" an object of JSON, of which this member is the line: a container's log, zap, pino, journalctl -o json
//	=msg   logfmt: time=… level=info msg="the line"
//	"      a list of strings in JSON, one a line
//	$      cat -A: marks for tabs and what cannot be printed, and for the line's end
//	│      the sides of a drawn box
//	\n     texts of several lines in a document: {"exit": 1, "stdout": "…\n…"}, CompletedProcess(stdout='…\n…')
var wraps = []margin{
	marked, boxed, texts, `"`, "=msg", `{"@message"`, `{"MESSAGE"`, `{"body"`, `{"event"`, `{"line"`, `{"log"`, `{"message"`, `{"msg"`, `{"text"`, `{"textPayload"`,
}

const marked, boxed, texts = margin("$"), margin(bar), margin(`\n`)

var escapedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"((?:[^"\\]|\\.)*\\n(?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*\\n(?:[^'\\]|\\.)*)'`)
})

// unwrap returns the text in a line; ok is false for a line of another form, such as a linter's finding in JSON, which
// has a place.
func (m margin) unwrap(line []byte) (text []byte, ok bool) {
	if bytes.IndexByte(line, '\x1b') >= 0 {
		line = term.Resolve(line)
	}
	line = bytes.TrimRight(line, "\r")
	s := bytes.TrimSpace(line)
	switch {
	case len(s) == 0:
		return nil, true
	case m[0] == '{' && s[0] == '{' && bytes.Contains(s, []byte(m[1:])):
		placed := false
		is := jsontext.Read(string(s), func(c *jsontext.Cursor) {
			c.Object(func(key string) {
				is, next := key == string(m[2:len(m)-1]), c.Next()
				placed = placed || key == "location" || key == "line" && next != '"'
				switch {
				case is && next == '"':
					text, ok = []byte(strings.TrimSuffix(c.Text(), "\n")), true
				case is && next == '[': // bytes, as the journal shows a text with escapes
					c.Array(func() { text, ok = append(text, byte(c.Number())), true })
				default:
					c.Skip()
				}
			})
		})
		ok = ok && is && !placed
	case m[0] == '"' && s[0] == '"':
		ok = jsontext.Read(string(bytes.TrimSuffix(s, []byte(","))), func(c *jsontext.Cursor) { text = []byte(c.Text()) })
	case m == marked && s[len(s)-1] == '$':
		return unmarked(bytes.TrimSuffix(line, []byte("$"))), true
	case m == boxed && len(s) > 2*len(bar) && bytes.HasPrefix(s, []byte(bar)) && bytes.HasSuffix(s, []byte(bar)):
		return bytes.TrimRight(bytes.TrimPrefix(s[len(bar):len(s)-len(bar)], []byte(" ")), " "), true
	case m == texts && bytes.Contains(s, []byte(`\n`)):
		ofPython := strings.NewReplacer(`\\`, `\\`, `\'`, "'", `\x1b`, `\u001b`) // what its repr writes otherwise than JSON
		for _, found := range escapedText().FindAllSubmatch(s, -1) {
			inside := ofPython.Replace(string(found[1]) + string(found[2]))
			text = append(append(text, jsontext.Unescape(inside)...), '\n')
		}
		return text, len(text)*2 > len(s)
	case m[0] == '=' && bytes.Contains(s, []byte("msg=")):
		_, said, is := strings.Cut(" "+string(s), " msg=")
		word, _, _ := strings.Cut(said, " ")
		if quoted, err := strconv.QuotedPrefix(said); err == nil {
			word, _ = strconv.Unquote(quoted)
		}
		return []byte(word), is
	}
	return text, ok
}

var catMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`M-(?:\^.|.)|\^[I\[M]`) })

// unmarked is a text without the marks of "cat -A": "^I" for a tab, "M-" before a byte without its highest bit.
func unmarked(text []byte) []byte {
	return catMark().ReplaceAllFunc(text, func(mark []byte) []byte {
		rest, high := bytes.CutPrefix(mark, []byte("M-"))
		return []byte{rest[len(rest)-1] ^ byte(lex.Btoi(len(rest) > 1))<<6 | byte(lex.Btoi(high))<<7}
	})
}
