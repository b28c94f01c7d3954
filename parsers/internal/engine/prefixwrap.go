package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
)

// A margin that begins with one of these bytes says how a log or a filter has put each line into another text:
//
//	{msg   an object of JSON, of which this member is the line: a container's log, zap, pino, journalctl -o json
//	=msg   logfmt: time=… level=info msg="the line"
//	"      a list of strings in JSON, one a line
//	$      cat -A: marks for tabs and what cannot be printed, and for the line's end
const wraps = `{="$`

const marked, listed, logfmt = margin("$"), margin(`"`), margin("=msg")

func (m margin) isWrap() bool { return m != "" && strings.IndexByte(wraps, m[0]) >= 0 }

// members are the names under which logs have a line.
var members = []string{"log", "msg", "message", "MESSAGE", "text", "line", "event", "body", "textPayload", "@message"}

// wrapsOf calls seen for each way in which a line may have been put into another text.
func wrapsOf(line []byte, seen func(margin)) {
	if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("{")) {
		jsontext.Read(string(line), func(c *jsontext.Cursor) {
			c.Object(func(key string) {
				if next := c.Next(); slices.Contains(members, key) && (next == '"' || next == '[') {
					seen(margin("{" + key))
				}
				c.Skip()
			})
		})
	}
	for _, m := range []margin{marked, listed, logfmt} {
		if _, ok := m.unwrap(line); ok {
			seen(m)
		}
	}
}

// unwrap returns the text in a line.
func (m margin) unwrap(line []byte) ([]byte, bool) {
	var text string
	ok := false
	s := strings.TrimSpace(string(line))
	if s == "" {
		return nil, true
	}
	switch m[0] {
	case '{':
		ok = jsontext.Read(s, func(c *jsontext.Cursor) {
			c.Object(func(key string) {
				switch {
				case key != string(m[1:]):
					c.Skip()
				case c.Next() == '[': // bytes, as the journal shows a text with escapes
					c.Array(func() { text += string([]byte{byte(c.Number())}) })
				default:
					text = strings.TrimSuffix(c.Text(), "\n")
				}
			})
		})
	case '"':
		ok = strings.HasPrefix(s, `"`) && jsontext.Read(strings.TrimSuffix(s, ","), func(c *jsontext.Cursor) { text = c.Text() })
	case '$':
		if s, ok = strings.CutSuffix(strings.TrimRight(string(line), "\r"), "$"); ok {
			text = unmarked(s)
		}
	case '=':
		if _, s, ok = strings.Cut(" "+s, " msg="); ok {
			quoted, err := strconv.QuotedPrefix(s)
			if text, _ = strconv.Unquote(quoted); err != nil {
				text, _, _ = strings.Cut(s, " ")
			}
		}
	}
	return []byte(text), ok
}

var catMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`M-(?:\^.|.)|\^[I\[M]`) })

// unmarked is a text without the marks of "cat -A": "^I" for a tab, "M-" before a byte without its highest bit.
func unmarked(s string) string {
	return catMark().ReplaceAllStringFunc(s, func(mark string) string {
		rest, high := strings.CutPrefix(mark, "M-")
		c := rest[len(rest)-1]
		if len(rest) > 1 {
			c ^= 0x40
		}
		return string([]byte{c | byte(lex.Btoi(high))<<7})
	})
}
