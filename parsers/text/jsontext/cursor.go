package jsontext

import (
	"strings"

	"cairn/parsers/text/lex"
)

// Cursor reads one JSON value (RFC 8259) from front to back out of a text in memory, and passes over what the
// caller does not ask for. It allocates only the texts that it returns, and is some ten times as fast as
// encoding/json, which first checks a whole value and then looks up each of its members. In values that it passes
// over, Cursor checks only brackets and quotes.
type Cursor struct {
	rest  string
	depth int
	bad   bool // the text is not JSON, or not of the shape that the caller asked for
}

// Read calls read with a cursor at the start of text. It reports whether text was one JSON value, with nothing
// behind it, that read consumed without failing.
func Read(text string, read func(*Cursor)) bool {
	c := Cursor{rest: text}
	read(&c)
	c.blanks()
	return !c.bad && c.rest == ""
}

// Object calls member with each key, escapes kept; member must read or skip the key's value. null counts as an
// object without members.
func (c *Cursor) Object(member func(key string)) {
	c.each('{', '}', func() {
		if key := c.quoted(); c.take(':') {
			member(key)
		}
	})
}

// Members reads an object into pairs of a key and what takes its value: a pointer to a string, to a string or null, to
// an int or a bool, or a function that reads it. Other members are skipped.
func (c *Cursor) Members(pairs ...any) {
	c.Object(func(key string) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] != key {
				continue
			}
			switch into := pairs[i+1].(type) {
			case *string:
				*into = c.Text()
			case **string:
				*into = c.Maybe()
			case *int:
				*into = c.Number()
			case *bool:
				*into = c.Truth()
			case func():
				into()
			}
			return
		}
		c.Skip()
	})
}

// Array calls item at each element, which item must read or skip. null counts as an empty array.
func (c *Cursor) Array(item func()) {
	c.each('[', ']', item)
}

// each calls item at each part between two brackets; it fails beyond maxJSONDepth levels.
func (c *Cursor) each(open, end byte, item func()) {
	if c.null() || !c.take(open) || c.ends(end) {
		return
	}
	if c.depth++; c.depth > maxJSONDepth {
		c.Fail()
	}
	for !c.bad {
		if item(); c.ends(end) {
			break
		}
		c.take(',')
	}
	c.depth--
}

// Text reads a string and returns a copy that does not keep the document in memory; "" for null.
func (c *Cursor) Text() string {
	if s := c.Maybe(); s != nil {
		return *s
	}
	return ""
}

// Maybe reads a string like Text; nil for null.
func (c *Cursor) Maybe() *string {
	if c.null() {
		return nil
	}
	inside := c.quoted()
	s := Unescape(inside)
	if len(s) == len(inside) {
		s = strings.Clone(s)
	}
	return &s
}

// Word reads a string, or a number, true or false as they are written; "" for null.
func (c *Cursor) Word() string {
	if c.null() {
		return ""
	}
	if c.rest != "" && c.rest[0] != '"' {
		return strings.Clone(c.literal())
	}
	return c.Text()
}

// Number reads a whole number; 0 for null and for a number that does not fit an int32.
func (c *Cursor) Number() int {
	if c.null() {
		return 0
	}
	literal := c.literal()
	digits, negative := strings.CutPrefix(literal, "-")
	if !lex.IsDigits(digits) {
		c.bad = true
	}
	if negative {
		return -lex.Atoi(digits)
	}
	return lex.Atoi(digits)
}

// Truth reads true or false; false for null.
func (c *Cursor) Truth() bool {
	switch c.literal() {
	case "true":
		return true
	case "false", "null":
	default:
		c.bad = true
	}
	return false
}

// Next returns the first byte of the next value, which tells its type; 0 at the end of the text.
func (c *Cursor) Next() byte {
	if c.blanks(); c.rest == "" {
		return 0
	}
	return c.rest[0]
}

// Raw passes over a value and returns its text.
func (c *Cursor) Raw() string {
	from := c.rest
	c.Skip()
	return from[:len(from)-len(c.rest)]
}

// Skip passes over a value.
func (c *Cursor) Skip() {
	c.blanks()
	if c.rest == "" {
		c.bad = true
		return
	}
	switch c.rest[0] {
	case '"':
		c.quoted()
	case '{', '[':
		c.skipNested()
	default:
		c.literal()
	}
}

func (c *Cursor) skipNested() {
	depth := 0
	for i := 0; i < len(c.rest); i++ {
		switch c.rest[i] {
		case '"':
			if i = jsonStringEnd(c.rest, i+1); i < 0 {
				c.Fail()
				return
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.rest = c.rest[i+1:]
				return
			}
		}
	}
	c.Fail()
}

// Fail makes all further reading end at once.
func (c *Cursor) Fail() { c.bad, c.rest = true, "" }

func (c *Cursor) blanks() {
	for c.rest != "" && (c.rest[0] == ' ' || c.rest[0] == '\t' || c.rest[0] == '\n' || c.rest[0] == '\r') {
		c.rest = c.rest[1:]
	}
}

// take reads the structural character want; it fails if another one comes.
func (c *Cursor) take(want byte) bool {
	if c.ends(want) {
		return true
	}
	c.Fail()
	return false
}

// ends reads the structural character want if it comes next, and reports whether it did.
func (c *Cursor) ends(want byte) bool {
	c.blanks()
	if c.rest == "" || c.rest[0] != want {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

func (c *Cursor) null() bool {
	c.blanks()
	rest, ok := strings.CutPrefix(c.rest, "null")
	if ok {
		c.rest = rest
	}
	return ok
}

// quoted reads a string and returns it without its quotes, escapes kept.
func (c *Cursor) quoted() string {
	c.blanks()
	inside, rest, ok := jsonString(c.rest)
	if !ok {
		c.Fail()
		return ""
	}
	c.rest = rest
	return inside
}

// literal reads a number, true, false or null.
func (c *Cursor) literal() string {
	c.blanks()
	i := 0
	for i < len(c.rest) && isLiteralByte(c.rest[i]) {
		i++
	}
	if i == 0 {
		c.Fail()
		return ""
	}
	literal := c.rest[:i]
	c.rest = c.rest[i:]
	return literal
}

func isLiteralByte(b byte) bool {
	return lex.Letter(b) != 0 || b >= '0' && b <= '9' || b == '-' || b == '+' || b == '.'
}
