package lex

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/result"
)

func Clip(s string) string {
	if len(s) > MaxLogLine {
		return strings.Clone(s[:MaxLogLine])
	}
	return s
}

func JoinBounded(lines []string, limit int) string {
	s := strings.Join(lines, "\n")
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.TrimSpace(s)
}

// logHead and logTail are how many lines of one test's log are kept: the first lines say what was set up and the
// last ones why the test failed; between them lie the megabytes that some tests print. MaxLogLine bounds a line, in
// bytes.
const (
	logHead    = 200
	logTail    = 200
	MaxLogLine = 4 << 10
)

// Log is the output of one test, without its middle if it is long. It holds copies of the lines, so that the caller
// may overwrite them.
type Log struct {
	head    []byte   // the first lines, one after the other
	ends    []int    // where each line of head ends
	tail    [][]byte // a ring once it is full
	next    int      // index of the oldest line in tail
	Omitted int
}

func (g *Log) Add(s string) {
	s = s[:min(len(s), MaxLogLine)]
	switch {
	case len(g.ends) < logHead:
		g.head = append(g.head, s...)
		g.ends = append(g.ends, len(g.head))
	case len(g.tail) < logTail:
		g.tail = append(g.tail, []byte(s))
	default:
		g.tail[g.next] = append(g.tail[g.next][:0], s...)
		g.next = (g.next + 1) % logTail
		g.Omitted++
	}
}

func (g *Log) Empty() bool { return len(g.ends) == 0 }

// Clear empties the log for another test and keeps its memory for it.
func (g *Log) Clear() {
	g.head, g.ends = g.head[:0], g.ends[:0]
	if cap(g.head) > maxSpareLog {
		g.head = nil
	}
	g.tail, g.next, g.Omitted = nil, 0, 0
}

// maxSpareLog bounds the memory that Clear keeps for the next test, in bytes.
const maxSpareLog = 64 << 10

// Lines returns the lines that were kept, in order.
func (g *Log) Lines() []string {
	all := make([]string, 0, len(g.ends)+len(g.tail))
	head, at := string(g.head), 0
	for _, end := range g.ends {
		all = append(all, head[at:end])
		at = end
	}
	for i := range g.tail {
		all = append(all, string(g.tail[(g.next+i)%len(g.tail)]))
	}
	return all
}

func TrimBlankLines(lines []string) []string {
	for len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Trimmed returns the lines without blank ones at both ends.
func Trimmed(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	return TrimBlankLines(lines)
}

func FirstOf(lines []string) string {
	for _, s := range lines {
		if s != "" {
			return s
		}
	}
	return ""
}

// Limits for the parts of one finding's text, in bytes (MaxFrames: in stack frames). Together they take less than
// result.MaxDetail.
const (
	MaxSource = 300
	MaxRest   = 2200
	MaxOutput = 1200
	MaxFrames = 64
)

// DetailBudget bounds the details of all findings of one run together, in bytes: no reader goes through more of
// them one by one.
const DetailBudget = 24 << 20

// Bounded keeps the beginning and the end of a text.
type Bounded struct {
	Max     int // bytes of head and tail together
	head    []string
	tail    []string
	Size    int // bytes of head
	gone    int // lines at the beginning of tail that were dropped, their places kept
	tails   int // bytes of the other lines in tail
	omitted int // lines left out between head and tail
}

// Add keeps a line if there is room for it. room, if not nil, is the number of bytes that all texts of an output
// may still take; Add subtracts what it keeps.
func (t *Bounded) Add(line string, room *int) {
	line = CutText(strings.TrimRight(line, " "), t.Max/2)
	if room != nil {
		if *room < len(line) {
			t.omitted++
			return
		}
		*room -= len(line) + 1
	}
	line = strings.Clone(line) // a substring would keep the whole text in memory
	if t.omitted == 0 && len(t.tail) == 0 && t.Size+len(line) < t.Max/2 {
		t.head, t.Size = append(t.head, line), t.Size+len(line)+1
		return
	}
	t.tail, t.tails = append(t.tail, line), t.tails+len(line)+1
	for t.tails > t.Max/2 && t.gone < len(t.tail) {
		t.forget(room)
	}
	if t.gone >= maxGone {
		t.tail, t.gone = append(t.tail[:0], t.tail[t.gone:]...), 0
	}
}

// forget drops the first line of the tail.
func (t *Bounded) forget(room *int) {
	size := len(t.tail[t.gone]) + 1
	t.tails -= size
	if room != nil {
		*room += size
	}
	t.tail[t.gone] = ""
	t.gone++
	t.omitted++
}

// maxGone is how many dropped lines tail may have before it is moved to free their places.
const maxGone = 32

// Lines returns the text, with "… 12 lines left out …" where lines were.
func (t *Bounded) Lines() []string {
	all := append([]string{}, t.head...)
	if t.omitted > 0 {
		all = append(all, fmt.Sprintf("… %d lines left out …", t.omitted))
	}
	all = append(all, t.tail[t.gone:]...)
	for len(all) > 0 && strings.TrimSpace(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// MaxHeadline bounds, in bytes, a line that is kept whole, such as a message or a node id. A longer line is data.
const MaxHeadline = 4096

// Headline returns a copy of a line of at most MaxHeadline bytes, which does not keep the surrounding text in
// memory.
func Headline(s string) string { return strings.Clone(CutText(strings.TrimRight(s, " "), MaxHeadline)) }

// CutLast splits s around the last sep, as strings.Cut does around the first.
func CutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// CutText cuts s to at most limit bytes, at the start of a rune, and marks the cut with "…".
func CutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// RuneCut returns the last index at or before n at which a rune of text begins.
func RuneCut[T string | []byte](text T, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// OnOneLine replaces each run of white space with one blank. Most messages have single blanks only and are returned
// as they are.
func OnOneLine(s string) string {
	if s = strings.TrimSpace(s); !strings.Contains(s, "  ") && !strings.ContainsAny(s, "\n\t\r\v\f") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// MaxDetail bounds what a reader keeps of one diagnostic's text (reasons, source). It is more than a finding may
// hold, so that Seal can count what it leaves out.
const MaxDetail = 2 * result.MaxDetail

func CutLabel(s string, labels ...string) (value string, ok bool) {
	name, value, ok := strings.Cut(s, ":")
	if !ok {
		return "", false
	}
	name = strings.TrimSpace(name)
	for _, l := range labels {
		if strings.EqualFold(name, l) {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// CutCell cuts the cell off the path of a notebook: "a.ipynb:cell 3", or in nbQA's form "a.ipynb:cell_3", gives
// "a.ipynb" and "cell 3". Line numbers of such a place count within the cell.
func CutCell(path string) (notebook, label string) {
	for _, sep := range [...]string{":cell ", ":cell_"} {
		if i := strings.LastIndex(path, sep); i > 0 {
			return path[:i], "cell " + path[i+len(sep):]
		}
	}
	return path, ""
}

// Put sets an entry of a map, which is made with its first entry.
func Put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// Keep appends to a list that has fewer than most elements.
func Keep[T any](list *[]T, most int, value T) {
	if len(*list) < most {
		*list = append(*list, value)
	}
}
