package manifest

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"time"
)

// lines splits the content of a shard at newlines. Carriage returns before
// a newline belong to it; empty lines are left out but counted.
func lines(content []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := 1; len(content) > 0; n++ {
			line, rest, _ := bytes.Cut(content, []byte{'\n'})
			content = rest
			line = bytes.TrimRight(line, "\r")
			if len(line) > 0 && !yield(n, line) {
				return
			}
		}
	}
}

// header gives id and time of a line as this package writes it, in the form
// of TimeLayout, without decoding the line.
func header(line []byte) (id, at []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"v":`))
	if !ok {
		return nil, nil, false
	}
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		rest = rest[1:]
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"id":"`))
	if !ok || len(rest) < idLen {
		return nil, nil, false
	}
	id, rest = rest[:idLen], rest[idLen:]
	rest, ok = bytes.CutPrefix(rest, []byte(`","time":"`))
	if !ok || len(rest) <= len(TimeLayout) || rest[len(TimeLayout)] != '"' {
		return nil, nil, false
	}
	at = rest[:len(TimeLayout)]
	return id, at, plainID(id) && plainTime(at)
}

// idLen is the length of a ulid.
const idLen = 26

func plainID(id []byte) bool {
	for _, c := range id {
		if !wordByte(c) {
			return false
		}
	}
	return true
}

// plainTime says whether b has the shape of TimeLayout.
func plainTime(b []byte) bool {
	const shape = "0000-00-00T00:00:00.000000Z"
	for i := range len(shape) {
		if digit := b[i] >= '0' && b[i] <= '9'; digit != (shape[i] == '0') || !digit && b[i] != shape[i] {
			return false
		}
	}
	return true
}

// identity is what a line is sorted by: its id, and its time in the form of
// TimeLayout. Both are empty for a line that is not a record.
func identity(line []byte) (id, at string) {
	if id, at, ok := header(line); ok {
		return string(id), string(at)
	}
	if len(line) >= MaxLine {
		return "", "" // it is passed over whatever it says
	}
	var head struct {
		ID   string    `json:"id"`
		Time time.Time `json:"time"`
	}
	if json.Unmarshal(line, &head) != nil || head.ID == "" || head.Time.IsZero() {
		return "", ""
	}
	return head.ID, head.Time.UTC().Format(TimeLayout)
}

// whole says whether a line is a complete JSON object of a length that fits:
// what a fold shares.
func whole(line []byte) bool {
	return len(line) > 0 && len(line) < MaxLine && line[0] == '{' && json.Valid(line)
}

// Literal is the JSON of one key and its string value as it stands in a
// line, for Query.Contains.
func Literal(key, value string) []byte {
	b, err := marshal(value)
	if err != nil { // a string cannot fail to encode
		b = strconv.AppendQuote(nil, value)
	}
	return append(strconv.AppendQuote(nil, key), append([]byte{':'}, b...)...)
}
