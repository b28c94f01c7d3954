package golang

import (
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

// assertHeadline returns an assertion in one line, or "" if no known library wrote the text.
func assertHeadline(text []string) string {
	if s := testifySections(text); s["Error Trace"] != nil {
		return testifyMessage(s)
	}
	if s, ok := gomegaLine(text); ok {
		return s
	}
	if s := quicktestSections(text); s != nil {
		return quicktestLine(s)
	}
	if s := mockLine(text); s != "" {
		return s
	}
	if s := conveyLine(text); s != "" {
		return s
	}
	if s := rapidLine(text); s != "" {
		return s
	}
	return diffLine(text)
}

// rapidLine leaves out how many inputs pgregory.net/rapid had tried, since the number differs in each run
// while the failing input stays the same.
func rapidLine(text []string) string {
	for _, verdict := range []string{"[rapid] failed", "[rapid] panic"} {
		rest, ok := strings.CutPrefix(text[0], verdict+" after ")
		number, rest, found := strings.Cut(rest, " tests: ")
		if ok && found && lex.IsDigits(number) {
			return verdict + ": " + rest
		}
	}
	return ""
}

// gomegaLine joins a failure of github.com/onsi/gomega: "Expected / <int>: 1 / to equal / <int>: 2".
// A description may precede it.
func gomegaLine(text []string) (string, bool) {
	if gomegaStart(text) < 0 {
		return "", false
	}
	return joinWords(text), true
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

// fillGomega sets actual and expected. The actual value precedes the line that is not indented ("to equal");
// the expected value is that line and those after it.
func fillGomega(f *result.Finding, text []string) bool {
	i := gomegaStart(text)
	if i < 0 {
		return false
	}
	text = text[i:]
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

// quicktestSections splits a failure of github.com/frankban/quicktest: labels at column one, their values indented by
// two. It returns nil if the text is not quicktest's.
func quicktestSections(text []string) map[string][]string {
	if !slices.Contains(text, "error:") || !slices.Contains(text, "stack:") {
		return nil
	}
	sections, label := map[string][]string{}, ""
	for _, s := range text {
		if value, ok := strings.CutPrefix(s, "  "); ok && label != "" {
			sections[label] = append(sections[label], value)
		} else if strings.HasSuffix(s, ":") {
			label = strings.TrimSuffix(s, ":")
		}
	}
	return sections
}

func quicktestLine(s map[string][]string) string {
	line := joinWords(s["error"])
	got, want := joinWords(s["got"]), joinWords(s["want"])
	switch {
	case got != "" && want != "":
		line += ": got " + got + ", want " + want
	case got != "":
		line += ": got " + got
	}
	if said := joinWords(s["comment"]); said != "" {
		line += ": " + said
	}
	return line
}

func fillQuicktest(f *result.Finding, text []string) bool {
	s := quicktestSections(text)
	if s == nil {
		return false
	}
	f.Actual, f.Expected = strings.Join(s["got"], "\n"), strings.Join(s["want"], "\n")
	for label, lines := range s {
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

// mockPlaces returns the places in "at: [a.go:11 b.go:15]", the innermost first.
func mockPlaces(text []string) (all []result.Location) {
	for _, s := range text {
		list, ok := strings.CutPrefix(strings.TrimSpace(s), "at: [")
		if !ok {
			continue
		}
		for _, spot := range strings.Fields(strings.TrimSuffix(list, "]")) {
			if at, ok := frame.Go(spot); ok {
				all = append(all, at)
			}
		}
	}
	return all
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
		if plus != "" {
			break
		}
	}
	return minus, plus
}
