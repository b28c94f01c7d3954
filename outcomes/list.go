package outcomes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"cairn/result"
)

// Test is one entry of a list.
type Test struct {
	ID         string  `json:"id"`
	Tool       string  `json:"tool,omitempty"`
	Outcome    Outcome `json:"outcome"`
	DurationMS int64   `json:"duration_ms,omitempty"`
	At         string  `json:"at,omitempty"`
	Times      int     `json:"times,omitempty"`
	Came       Tally   `json:"came,omitempty"`
	Parent     bool    `json:"parent,omitempty"`
}

// List is the tests of a run, in the order of Sort.
type List []Test

// OfFinding is the test whose failure a finding reports. A file or a package that failed as a whole is
// not a test, unless the parser says so; nor is a subtest whose failure the enclosing test reports.
func OfFinding(f *result.Finding) (t Test, is bool) {
	failed := f.Severity == result.SevFailure || f.Severity == result.SevError
	ofFile := f.At != nil && strings.HasSuffix("/"+f.At.Path, "/"+f.ID) // an id begins where the command ran, a path at the repository's top
	ofMany := ofFile || f.Name == "" && slices.Contains(f.Suite, f.ID)  // of a suite
	if f.Kind != result.TestFailure || !failed || f.ID == "" || ofMany || slices.Contains(f.Tags, "subtest") {
		return t, false
	}
	t = Test{ID: f.ID, Outcome: Failed}
	switch {
	case f.Severity == result.SevError:
		t.Outcome = Error
	case f.RawSeverity == "UNEXPECTED SUCCESS", f.RawSeverity == "SUCCESS!?!": // of unittest and trial
		t.Outcome = XPassed
	}
	if f.At != nil && f.At.Path != "" && !f.At.External {
		t.At = f.At.String()
	}
	return t, true
}

// OfFindings is the sorted list of the tests that failed according to findings.
func OfFindings(findings []result.Finding) (l List) {
	for i := range findings {
		if t, is := OfFinding(&findings[i]); is {
			l = append(l, t)
		}
	}
	l.Sort()
	for i := len(l) - 1; i > 0; i-- { // a test may have failed in more than one place
		if l[i].ID == l[i-1].ID {
			l[i-1].Outcome = worst(l[i-1].Outcome, l[i].Outcome)
			l = slices.Delete(l, i, i+1)
		}
	}
	return l
}

// Sort puts a list into its order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Test) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Tool, b.Tool)) })
}

// With adds the entries of an older list that l lacks. Both lists are sorted; where both have a test, the entry of l
// stays.
func (l List) With(older List) List {
	if len(l) == 0 {
		return older
	}
	all := make(List, 0, max(len(l), len(older)))
	for i, j := 0, 0; i < len(l) || j < len(older); {
		switch {
		case j == len(older) || i < len(l) && less(&l[i], &older[j]):
			all, i = append(all, l[i]), i+1
		case i == len(l) || less(&older[j], &l[i]):
			all, j = append(all, older[j]), j+1
		default:
			j++
		}
	}
	return all
}

// Counts is the number of tests by outcome. A parent is not counted, only its subtests.
func (l List) Counts() map[string]int {
	var n [8]int
	for i := range l {
		if l[i].Parent {
			continue
		}
		for k, more := range l[i].tally() {
			n[k] += more
		}
	}
	counts := make(map[string]int, len(n))
	for k, o := range All {
		if n[k] > 0 {
			counts[string(o)] = n[k]
		}
	}
	return counts
}

// Encode returns the bytes of a sorted list.
func (l List) Encode() []byte {
	b := make([]byte, 0, 96*len(l))
	for i := range l {
		b = l[i].append(b)
	}
	return b
}

func (t *Test) append(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), t.ID)
	if t.Tool != "" {
		b = appendText(append(b, `,"tool":`...), t.Tool)
	}
	b = appendText(append(b, `,"outcome":`...), string(t.Outcome))
	if t.DurationMS > 0 {
		b = strconv.AppendInt(append(b, `,"duration_ms":`...), t.DurationMS, 10)
	}
	if t.At != "" {
		b = appendText(append(b, `,"at":`...), t.At)
	}
	if t.Times > 1 {
		b = strconv.AppendInt(append(b, `,"times":`...), int64(t.Times), 10)
	}
	if t.Came != "" {
		b = append(append(b, `,"came":`...), t.Came...)
	}
	if t.Parent {
		b = append(b, `,"parent":true`...)
	}
	return append(b, "}\n"...)
}

// appendText appends s as a JSON string, without HTML escapes.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := result.Marshal(s) // every string can be encoded
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// OfPart is the value of Times of a test that has no verdict of its own yet, but has a part that failed.
const OfPart = -1

// Join adds another verdict on a test with the same id. An error beside another outcome comes
// from the test's teardown, unless Times says that the two are tests of their own.
func (t *Test) Join(o Test) {
	failsTwice := o.Outcome == Error && t.Outcome != Error || o.Outcome == Failed && t.Outcome == Error
	switch {
	case t.Times == OfPart:
		t.Times, t.Outcome = 0, worst(t.Outcome, o.Outcome)
	case t.Outcome == Rerun && o.Outcome == Passed:
		t.Outcome = Flaky
	case t.Outcome == Rerun:
		t.Outcome = o.Outcome
	case o.Outcome == Rerun: // an earlier attempt, reported after the last one
		if t.Outcome == Passed {
			t.Outcome = Flaky
		}
	case o.Times == 0 && t.Times == 0 && failsTwice:
		t.Outcome = Error
	default:
		t.add(&o)
	}
	t.DurationMS += o.DurationMS
	t.Parent = t.Parent && o.Parent
	t.At = cmp.Or(t.At, o.At)
}

// Fill adds what another report says about the same test. It returns true if one of the
// two calls the test failed and the other does not; the failure then stays.
func (t *Test) Fill(o Test) (differs bool) {
	differs = t.Outcome.Normal().Bad() != o.Outcome.Normal().Bad() && t.Outcome != Rerun && o.Outcome != Rerun
	if differs && o.Outcome.Bad() {
		t.Outcome = o.Outcome
	}
	t.DurationMS = cmp.Or(t.DurationMS, o.DurationMS)
	t.At = cmp.Or(t.At, o.At)
	return differs
}

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
