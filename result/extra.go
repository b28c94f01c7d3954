package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// SetExtra sets a value of an Extra, and makes the map if it is nil.
func SetExtra(extra *map[string]any, key string, value any) {
	if *extra == nil {
		*extra = map[string]any{}
	}
	(*extra)[key] = value
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// plainExtra converts the values of an Extra to the few types that decoding JSON
// returns, so that a result and its decoded JSON are equal: nil, bool, string, int64,
// []any and map[string]any. A number that is not an integer becomes a string, because a
// floating-point number has several spellings.
func plainExtra(extra map[string]any) map[string]any {
	if extra == nil {
		return nil
	}
	return plainValue(extra).(map[string]any)
}

func plainValue(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int64:
		return v
	case int:
		return int64(v)
	case float64:
		return plainFloat(v)
	case json.Number:
		return plainNumber(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = plainValue(v[key])
		}
		return out
	}
	return plainOther(v)
}

func plainFloat(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func plainNumber(n json.Number) any {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil && strings.ContainsAny(string(n), ".eE") {
		return plainFloat(f)
	}
	return string(n) // an integer beyond 64 bits keeps its digits
}

// plainOther converts a value of any other type through its JSON. A value without JSON
// (a channel, NaN inside a struct) becomes the text that Go prints.
func plainOther(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		return string(data)
	}
	return plainValue(out)
}

// Message returns the text of a finding without anything that differs between two runs
// of the same failure: the place of the checkout, positions, times, addresses. The
// package documentation specifies it. It is linear in the length of the text, and
// Message(Message(s)) == Message(s).
func (w Workspace) Message(s string) string { return newPaths(w).message(s) }

func (p *paths) message(s string) string { return maskMessage(p.rewrite(tidy(s))) }

// tidy removes differences in spelling between equal texts: escapes, Unicode
// composition, quotes, white space, and the punctuation at the end.
func tidy(s string) string {
	s = nfc(Clean(s))
	if isTidy(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '`': // rubocop's progress format drops them, its JSON keeps them
		case c == ' ' || c == '\n' || c == '\t':
			b = appendSpace(b)
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			b = appendTidy(b, r)
			i += size
			continue
		}
		i++
	}
	for len(b) > 0 && strings.IndexByte(" .:", b[len(b)-1]) >= 0 {
		b = b[:len(b)-1] // eslint drops the full stop in one format and keeps it in another
	}
	return nfc(string(b)) // a deleted backtick may have separated a letter from its accent
}

// isTidy says whether tidy would change nothing, which is usual.
func isTidy(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c == '`' || c == '\n' || c == '\t' || c >= utf8.RuneSelf || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || strings.IndexByte(" .:", last) < 0
}

func appendTidy(b []byte, r rune) []byte {
	switch r {
	case '‘', '’', '‚': // compilers quote according to the locale
		return append(b, '\'')
	case '“', '”', '„':
		return append(b, '"')
	}
	if unicode.IsSpace(r) {
		return appendSpace(b)
	}
	return utf8.AppendRune(b, r)
}

// appendSpace appends a space, unless b is empty or ends in one.
func appendSpace(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] == ' ' {
		return b
	}
	return append(b, ' ')
}

// nfc is s in Unicode normalisation form C. macOS returns file names decomposed, and
// editors write messages composed.
func nfc(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(s)
		}
	}
	return s
}
