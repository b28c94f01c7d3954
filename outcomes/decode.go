package outcomes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Decode reads the bytes of a list. The strings of the list share memory with text, so text must not be changed
// afterwards.
func Decode(text []byte) (List, error) {
	l := make(List, 0, bytes.Count(text, []byte{'\n'})+1)
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		var t Test
		if !t.read(line) {
			t = Test{}
			if err := json.Unmarshal(line, &t); err != nil {
				return nil, fmt.Errorf("reading the outcomes of tests, line %d: %w", len(l)+1, err)
			}
		}
		if t.ID == "" || t.Outcome == "" {
			return nil, fmt.Errorf("reading the outcomes of tests, line %d: %w", len(l)+1, errors.New("no id or no outcome"))
		}
		l = append(l, t)
	}
	return l, nil
}

// read reads a line as Test.append writes it, with no escapes in its texts, as most
// lines are. It returns false for any other line, which encoding/json then reads.
func (t *Test) read(line []byte) bool {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	line = line[1 : len(line)-1]
	for len(line) > 0 {
		key, rest, ok := plain(line)
		if !ok || len(rest) < 2 || rest[0] != ':' {
			return false
		}
		if line, ok = t.set(key, rest[1:]); !ok {
			return false
		}
		if len(line) > 0 {
			if line[0] != ',' || len(line) == 1 {
				return false
			}
			line = line[1:]
		}
	}
	return true
}

// set reads the value of a key, and returns the bytes behind the value.
func (t *Test) set(key string, value []byte) (rest []byte, ok bool) {
	var text string
	switch key {
	case "id", "tool", "outcome", "at":
		text, rest, ok = plain(value)
	default:
		end := bytes.IndexByte(value, ',')
		if end < 0 {
			end = len(value)
		}
		text, rest, ok = unsafe.String(unsafe.SliceData(value), end), value[end:], end > 0
	}
	if !ok {
		return nil, false
	}
	var err error
	switch key {
	case "id":
		t.ID = text
	case "tool":
		t.Tool = text
	case "outcome":
		t.Outcome = known(text)
	case "at":
		t.At = text
	case "duration_ms":
		t.DurationMS, err = strconv.ParseInt(text, 10, 64)
	case "times":
		t.Times, err = strconv.Atoi(text)
	case "parent":
		t.Parent, err = strconv.ParseBool(text)
	default:
		return nil, false
	}
	return rest, err == nil
}

// known returns text as an Outcome, without keeping text's memory if it is one of All.
func known(text string) Outcome {
	for _, o := range All {
		if string(o) == text {
			return o
		}
	}
	return Outcome(text)
}

// plain reads a JSON string without escapes, and returns the bytes behind it.
func plain(b []byte) (text string, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return "", nil, false
	}
	end := bytes.IndexByte(b[1:], '"')
	if end < 0 {
		return "", nil, false
	}
	inner := b[1 : 1+end]
	if bytes.IndexByte(inner, '\\') >= 0 || !utf8.Valid(inner) {
		return "", nil, false
	}
	return unsafe.String(unsafe.SliceData(inner), len(inner)), b[end+2:], true
}
