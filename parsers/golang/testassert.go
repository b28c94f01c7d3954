package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Assertion libraries of Go spread what they say over many lines, of which the first tells nothing: "Expected",
// "error:", "string(". What is read here makes one line of it, and the values.

// maxAssertLine bounds the line that is made, in bytes: libraries print values without an end.
const maxAssertLine = 600

// assertHeadline is what an assertion says in one line; "" where no such library wrote the text.
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

// rapidLine leaves out how many inputs pgregory.net/rapid had tried: each run
// begins with others, and ends with the same small one.
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

// gomegaLine joins what github.com/onsi/gomega says: "Expected / <int>: 1 / to
// equal / <int>: 2". A description may stand before it.
func gomegaLine(text []string) (string, bool) {
	if gomegaStart(text) < 0 {
		return "", false
	}
	return joinWords(text), true
}

// gomegaStart is the line at which gomega begins to speak, or -1.
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

// fillGomega takes the values: what came stands before the line that is not
// indented, what was expected is that line and what follows.
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

// gomegaValue drops the type: "<int>: 1".
func gomegaValue(lines []string) string {
	s := joinWords(lines)
	if strings.HasPrefix(s, "<") {
		if _, value, ok := strings.Cut(s, ">: "); ok {
			return value
		}
	}
	return s
}

// joinWords makes one line of many.
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

// quicktestSections splits what github.com/frankban/quicktest says: labels at
// column one, their values indented by two. nil: it is not quicktest's.
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

// mockLine reads what testify's mock says of an unexpected call:
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

// mockPlaces are the places "at: [a.go:11 b.go:15]", the innermost first.
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

// diffLine names the first lines that differ, where a diff has no words before it or words that tell nothing.
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

// firstChange are the first line that a diff takes away and the first that it adds.
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
