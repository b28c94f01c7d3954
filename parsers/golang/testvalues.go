package golang

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// fillTestify reads the labelled block of github.com/stretchr/testify. A tab pads each label after its colon; further
// lines of a value are indented to the same column. The place is where a test called the assertion, perhaps with a helper.
func fillTestify(f *result.Finding, text []string) bool {
	sections := testifySections(text)
	if sections["Error Trace"] == nil {
		return false
	}
	why := sections["Error"]
	fillTestifyError(f, why)
	f.Message = strings.TrimSpace(lex.FirstOf(why))
	switch {
	case f.Expected != "" && f.Actual != "":
		f.Message = strings.TrimSuffix(f.Message, ":") + ": expected " + f.Expected + ", actual " + f.Actual
	case strings.HasSuffix(f.Message, ":") && len(why) > 1:
		f.Message += " " + lex.FirstOf(why[1:])
	}
	if said := lex.FirstOf(sections["Messages"]); said != "" {
		f.Message += ": " + said
	}
	for i, s := range sections["Error Trace"] {
		at, ok := frame.Go(s)
		switch {
		case ok && (i == 0 || f.At != nil && !isGoTestFile(f.At.Path) && isGoTestFile(at.Path)):
			f.At = &at
		case ok && strings.HasSuffix(at.Path, ".go"):
			f.Related = append(f.Related, result.Related{Message: "called from", At: &at})
		}
	}
	return true
}

func isGoTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }

func testifySections(text []string) map[string][]string {
	sections := map[string][]string{}
	label := ""
	for _, s := range text {
		body, ok := strings.CutPrefix(s, "\t")
		if !ok {
			continue
		}
		name, value, ok := strings.Cut(body, ":")
		if ok && name != "" && name[0] >= 'A' && name[0] <= 'Z' && strings.HasPrefix(strings.TrimLeft(value, " "), "\t") {
			label, body = name, value
		}
		if label != "" {
			sections[label] = append(sections[label], strings.TrimLeft(body, " \t"))
		}
	}
	return sections
}

// fillTestifyError takes the values and the diff out of the section "Error".
func fillTestifyError(f *result.Finding, why []string) {
	f.Detail = ""
	if len(why) > 1 {
		f.Detail = lex.JoinBounded(why, maxGoDetail)
	}
	for i, s := range why {
		if v, ok := strings.CutPrefix(s, "expected: "); ok {
			f.Expected = v
		}
		if v, ok := lex.CutAnyPrefix(s, "actual  : ", "in chain: "); ok {
			f.Actual = v
		}
		if s == "Diff:" {
			f.Diff = strings.Join(why[i+1:], "\n")
			break
		}
	}
}

// fillDiff keeps the diff of go-cmp.
func fillDiff(f *result.Finding, text []string) bool {
	for i, s := range text {
		if i+1 < len(text) && (strings.Contains(s, "-want +got") || strings.Contains(s, "-got +want") || strings.Contains(s, "-expected +actual")) {
			f.Diff, f.Detail = strings.Join(text[i+1:], "\n"), ""
			f.Expected, f.Actual = firstChange(text[i+1:])
			if strings.Contains(s, "-got +want") {
				f.Expected, f.Actual = f.Actual, f.Expected
			}
			return true
		}
	}
	return false
}

// fillLabelled reads "got: x" and "want: y" on lines of their own.
func fillLabelled(f *result.Finding, text []string) bool {
	var got, want string
	for _, s := range text {
		s = strings.TrimSpace(s)
		if v, ok := lex.CutLabel(s, "got", "actual", "have", "received"); ok && got == "" {
			got = v
		}
		if v, ok := lex.CutLabel(s, "want", "expected", "wanted", "exp"); ok && want == "" {
			want = v
		}
	}
	if got == "" || want == "" || strings.Contains(got, "want") {
		return false
	}
	f.Actual, f.Expected = got, want
	return true
}

// gotWant reads a message in one line: "F(1) = 5, want 50", "got 5, want 50",
// "want 50, got 5", "expected 50 but got 5".
func gotWant(s string) (got, want string) {
	got, want = cutValues(s, []string{", want ", "; want ", ", wanted ", ", expected ", "; expected ", " but want ", " but expected ", ", want: ", ", expected: "},
		" = ", "got ", "got: ", "was ")
	if got == "" {
		want, got = cutValues(s, []string{", got ", "; got ", " but got ", ", but got ", ", got: ", " got "}, "want ", "want: ", "wanted ", "expected ", "expected: ", "Expected ")
	}
	return got, want
}

// cutValues splits a message at the first of the words that it has. The left value begins behind one of the marks.
func cutValues(s string, words []string, marks ...string) (left, right string) {
	for _, word := range words {
		before, after, ok := strings.Cut(s, word)
		if left = afterLast(strings.TrimRight(before, ",;"), marks...); ok && left != "" {
			return left, after
		}
	}
	return "", ""
}

// afterLast returns the text after the last occurrence of the first mark that s contains.
func afterLast(s string, marks ...string) string {
	for _, m := range marks {
		if i := strings.LastIndex(s, m); i >= 0 {
			return strings.TrimSpace(s[i+len(m):])
		}
	}
	return ""
}

// fillExample reads what go test prints for an example with the wrong output: the lines after "got:" and after "want:".
func fillExample(f *result.Finding, lines []string) bool {
	var got, want []string
	into := (*[]string)(nil)
	unordered := false
	for _, s := range lines {
		switch {
		case s == "got:":
			got, want, into = nil, nil, &got
		case s == "want:" || s == "want (unordered):":
			into, unordered = &want, s != "want:"
		case into != nil:
			*into = append(*into, s)
		}
	}
	if into == nil {
		return false
	}
	got, want = lex.TrimBlankLines(got), lex.TrimBlankLines(want)
	f.Actual, f.Expected = strings.Join(got, "\n"), strings.Join(want, "\n")
	for len(got) > 0 && len(want) > 0 && got[0] == want[0] {
		got, want = got[1:], want[1:]
	}
	f.Message = "example output: got " + quoteFirst(got) + ", want " + quoteFirst(want)
	if unordered {
		f.Message += " (unordered)"
	}
	return true
}

// quoteFirst is the first of the lines, in quotes.
func quoteFirst(lines []string) string {
	return `"` + strings.TrimSpace(strings.Join(lines[:min(len(lines), 1)], "")) + `"`
}
