package jsontext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Field is one member of a flat JSON object. A string keeps its escapes
// until someone asks for its text.
type Field struct {
	Key   string // as written in the line, escapes kept
	Value string // without its quotes if it is a string
	text  bool   // the value is a string
}

// Object calls field for each member of a line that is one JSON object of strings, numbers and literals, which is
// the shape of every event stream that tools print a line at a time. It makes no copies, so that it is fast enough
// for a 2 GB log. It returns false if the line is something else: nested, cut short or not JSON.
func Object(line string, field func(Field)) bool {
	s, ok := strings.CutPrefix(strings.TrimSpace(line), "{")
	if !ok {
		return false
	}
	for {
		var f Field
		if f, s, ok = nextFlatField(s); !ok {
			return false
		}
		field(f)
		s = trimJSONSpace(s)
		switch {
		case s == "}":
			return true
		case strings.HasPrefix(s, ","):
			s = s[1:]
		default:
			return false
		}
	}
}

func nextFlatField(s string) (f Field, rest string, ok bool) {
	if f.Key, s, ok = jsonString(trimJSONSpace(s)); !ok {
		return f, s, false
	}
	if s = trimJSONSpace(s); !strings.HasPrefix(s, ":") {
		return f, s, false
	}
	s = trimJSONSpace(s[1:])
	if strings.HasPrefix(s, `"`) {
		f.text = true
		f.Value, s, ok = jsonString(s)
		return f, s, ok
	}
	end := strings.IndexAny(s, ",}")
	if end <= 0 || strings.ContainsAny(s[:end], "{[\"") {
		return f, s, false
	}
	f.Value = s[:end]
	return f, s[end:], true
}

// trimJSONSpace drops the blanks that JSON allows between tokens.
func trimJSONSpace(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	return s
}

// jsonString returns the inside of the string that s begins with, escapes kept, and what follows it.
func jsonString(s string) (inside, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	for from := 1; ; {
		i := strings.IndexByte(s[from:], '"')
		if i < 0 {
			return "", s, false
		}
		end := from + i
		if !escaped(s, end) {
			return s[1:end], s[end+1:], true
		}
		from = end + 1
	}
}

// escaped reports whether an odd number of backslashes stands before s[i].
func escaped(s string, i int) bool {
	n := 0
	for i > n && s[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// Unescape resolves the escapes inside a JSON string. An escape that does not parse stays as it is.
func Unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	rest := s
	for ; i >= 0; i = strings.IndexByte(rest, '\\') {
		b = append(b, rest[:i]...)
		r, n := jsonEscape(rest[i:])
		if n == 0 {
			return unescapeByLibrary(s)
		}
		b = utf8.AppendRune(b, r)
		rest = rest[i+n:]
	}
	return string(append(b, rest...))
}

// jsonEscape returns the character and the length of the escape that s begins with; n is 0 for rare escapes and
// wrong ones.
func jsonEscape(s string) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'u':
		if len(s) < 6 {
			return 0, 0
		}
		v, err := strconv.ParseUint(s[2:6], 16, 16)
		if r = rune(v); err != nil || utf16.IsSurrogate(r) {
			return 0, 0
		}
		return r, 6
	}
	return 0, 0
}

func unescapeByLibrary(s string) string {
	var text string
	if json.Unmarshal([]byte(`"`+s+`"`), &text) != nil {
		return s
	}
	return text
}
