package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Assertion libraries of Go print a failure in many lines, of which the first says nothing: "Expected", "error:",
// "string(". The functions here make one line of them, and read the values.

// maxAssertLine bounds that line, in bytes: libraries print values of any length.
const maxAssertLine = 600

// explain fills in what an entry of a log says: its message in one line, its values and its diff. Go has no assertions
// of its own, so the libraries' forms and the conventions of Go's own tests ("F() = 5, want 50") are read.
func explain(f *result.Finding, text []string) {
	if fillTestify(f, text) || fillGomega(f, text) || fillQuicktest(f, text) {
		return
	}
	f.Message = cmp.Or(mockLine(text), conveyLine(text), rapidLine(text), diffLine(text), firstWords(text))
	if !fillDiff(f, text) && !fillLabelled(f, text) {
		f.Actual, f.Expected = gotWant(f.Message)
	}
}

// rapidLine leaves out how many inputs pgregory.net/rapid had tried, since the number differs in each run
// while the failing input stays the same.
func rapidLine(text []string) string {
	verdict, rest, _ := strings.Cut(text[0], " after ")
	number, rest, ok := strings.Cut(rest, " tests: ")
	if ok && lex.IsDigits(number) && (verdict == "[rapid] failed" || verdict == "[rapid] panic") {
		return verdict + ": " + rest
	}
	return ""
}

// gomegaStart is the index of gomega's first line, or -1.
func gomegaStart(text []string) int {
	for i, s := range text[:min(len(text), 8)] {
		if i+1 >= len(text) || !strings.HasPrefix(strings.TrimSpace(text[i+1]), "<") {
			continue
		}
		switch s = strings.TrimSpace(s); {
		case s == "Expected", s == "Unexpected error:", strings.HasPrefix(s, "Expected ") && strings.HasSuffix(s, ":"), strings.HasPrefix(s, "Expected an error"):
			return i
		}
	}
	return -1
}

// fillGomega reads a failure of github.com/onsi/gomega: "Expected / <int>: 1 / to equal / <int>: 2". A description may
// precede it. The actual value precedes the line that is not indented; the expected value is that line and those after it.
func fillGomega(f *result.Finding, text []string) bool {
	i := gomegaStart(text)
	if i < 0 {
		return false
	}
	f.Message, text = joinWords(text), text[i:]
	if strings.TrimSpace(text[0]) != "Expected" {
		return true
	}
	base, end := lex.LeadingBlanks(text[0]), 1
	for end < len(text) && (lex.LeadingBlanks(text[end]) > base || text[end] == "") {
		end++
	}
	f.Actual = gomegaValue(text[1:end])
	if end == len(text) {
		return true
	}
	f.Expected = gomegaValue(text[end+1:])
	if relation := strings.TrimSpace(text[end]); relation != "to equal" {
		f.Expected = strings.TrimSpace(relation + " " + f.Expected)
	}
	return true
}

// gomegaValue drops the type: "1" of "<int>: 1".
func gomegaValue(lines []string) string {
	s := joinWords(lines)
	if strings.HasPrefix(s, "<") {
		if _, value, ok := strings.Cut(s, ">: "); ok {
			return value
		}
	}
	return s
}

// joinWords joins lines into one, of at most maxAssertLine bytes.
func joinWords(lines []string) string {
	var b strings.Builder
	for _, s := range lines {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(s); b.Len() > maxAssertLine {
			break
		}
	}
	return b.String()
}

// fillQuicktest reads a failure of github.com/frankban/quicktest: labels at column one, their values indented by two.
func fillQuicktest(f *result.Finding, text []string) bool {
	if !slices.Contains(text, "error:") || !slices.Contains(text, "stack:") {
		return false
	}
	sections, label := map[string][]string{}, ""
	for _, s := range text {
		if value, ok := strings.CutPrefix(s, "  "); ok && label != "" {
			sections[label] = append(sections[label], value)
		} else if strings.HasSuffix(s, ":") {
			label = strings.TrimSuffix(s, ":")
		}
	}
	f.Actual, f.Expected = strings.Join(sections["got"], "\n"), strings.Join(sections["want"], "\n")
	f.Message = joinWords(sections["error"])
	if f.Actual != "" {
		f.Message += ": got " + joinWords(sections["got"])
	}
	if f.Actual != "" && f.Expected != "" {
		f.Message += ", want " + joinWords(sections["want"])
	}
	if said := joinWords(sections["comment"]); said != "" {
		f.Message += ": " + said
	}
	for label, lines := range sections {
		if strings.HasPrefix(label, "diff (") {
			f.Diff = strings.Join(lines, "\n")
		}
	}
	return true
}

// mockLine reads the report of testify's mock about an unexpected call:
//
//	mock: Unexpected Method Call
//	-----------------------------
//
//	Do(int)
//			0: 2
//	…
//	Diff: 0: FAIL:  (int=2) != (int=1)
func mockLine(text []string) string {
	line := ""
	for _, s := range text {
		s = strings.TrimSpace(s)
		switch {
		case s == "" || strings.HasPrefix(s, "-----"):
		case line == "" && strings.HasPrefix(s, "mock: "):
			line = s
		case line == "":
			return ""
		case !strings.Contains(line, "("):
			line += ": " + s
		case strings.HasPrefix(s, "Diff: "):
			return line + ": " + strings.TrimPrefix(s, "Diff: ")
		}
	}
	return line
}

// fillMock takes the caller's place for a testify mock, whose logged place is inside the mock: the first of
// "at: [a.go:11 b.go:15]".
func fillMock(f *result.Finding, text []string) {
	for _, s := range text {
		list, ok := strings.CutPrefix(strings.TrimSpace(s), "at: [")
		if !ok || !strings.HasPrefix(f.Message, "mock: ") {
			continue
		}
		for i, spot := range strings.Fields(strings.TrimSuffix(list, "]")) {
			if at, placed := frame.Go(spot); placed && i == 0 {
				f.At = &at
			} else if placed {
				f.Related = append(f.Related, result.Related{Message: "called from", At: &at})
			}
		}
	}
}

// fillLeaks leaves the goroutines that goleak lists as places, with the state of the first.
func fillLeaks(f *result.Finding, text []string) {
	said, first, ok := strings.Cut(f.Message, " [Goroutine ")
	_, state, running := strings.Cut(first, " in state ")
	if !ok || !running {
		return
	}
	state, _, _ = strings.Cut(state, ": ")
	f.Message = said + " " + state
	for _, line := range text {
		if at, ok := frame.Go(line); ok && !slices.ContainsFunc(f.Related, func(r result.Related) bool { return r.At != nil && *r.At == at }) && len(f.Related) < maxGoRelated {
			f.Related = append(f.Related, result.Related{At: &at})
		}
	}
}

// diffLine names the first lines that differ, for a diff without words before it, or with words that say nothing.
func diffLine(text []string) string {
	for i, s := range text {
		if strings.TrimSpace(s) == "" && i == 0 {
			continue
		}
		bare := i+1 < len(text) && (strings.HasSuffix(s, "(") || strings.HasSuffix(s, "{"))
		if words := strings.TrimSpace(s); !bare && words != "assertion failed:" {
			return ""
		}
		minus, plus := firstChange(text)
		if minus == "" && plus == "" {
			return ""
		}
		return strings.Join(strings.Fields(s), " ") + " -" + minus + " +" + plus
	}
	return ""
}

// firstChange returns the first line that a diff removes and the first that it adds.
func firstChange(diff []string) (minus, plus string) {
	for _, s := range diff {
		if len(s) < 2 || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "+++") {
			continue
		}
		value := strings.TrimSuffix(strings.Join(strings.Fields(s[1:]), " "), ",") // cmp varies its blanks on purpose
		switch {
		case s[0] == '-' && minus == "" && plus == "":
			minus = value
		case s[0] == '+' && plus == "":
			plus = value
		}
	}
	return minus, plus
}
