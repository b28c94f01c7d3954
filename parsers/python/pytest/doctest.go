package pytest

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// A doctest's report is the source of the docstring with its line numbers, what
// was expected and what came, and "path:line: DocTestFailure". Several
// failures of one docstring follow each other (--doctest-continue-on-failure):
// the first is the finding, the others are its notes.

// isDoctestSource: "062     >>> double(2)", or what stands in its place.
func isDoctestSource(line string) bool {
	number, _, _ := strings.Cut(line, " ")
	return len(number) >= 3 && lex.IsDigits(number) || strings.HasPrefix(line, "EXAMPLE LOCATION UNKNOWN, not showing all tests of that example")
}

// doctestEnd reads the place of a failure, which closes it: another one may
// follow.
func (b *block) doctestEnd(line string) bool {
	at, class, ok := place.CutPlace(line)
	if !ok || !isDoctestClass(class) {
		return false
	}
	b.err.frame(at)
	b.err.class = class
	if len(b.doctests) < result.MaxFrames {
		b.doctests = append(b.doctests, b.err)
	}
	b.err, b.native = newException(), false
	return true
}

// isDoctestClass: DocTestFailure or UnexpectedException, without a message.
func isDoctestClass(s string) bool { return lex.IsIdentifier(s) && s[0] >= 'A' && s[0] <= 'Z' }

// doctestValues are the two outputs that a failed doctest shows.
type doctestValues struct {
	expected, got []string
	size          int
	in            *[]string
	unexpected    string   // "UNEXPECTED EXCEPTION: …"
	diff          string   // how both are shown together: the heading
	second        bool     // in the second half of a context diff
	common        []string // of its first half, what both values have
}

// The headings of doctest's report styles.
const (
	udiff = "Differences (unified diff with -expected +actual):"
	cdiff = "Differences (context diff with expected followed by actual):"
	ndiff = "Differences (ndiff with -expected +actual):"
)

func (v *doctestValues) open() bool { return v.in != nil || v.diff != "" }

func (v *doctestValues) told() bool { return len(v.expected)+len(v.got) > 0 || v.unexpected != "" }

// line reads the headings and what is indented below them.
func (v *doctestValues) line(line string) bool {
	switch {
	case line == "Expected:":
		v.in = &v.expected
	case line == "Got:":
		v.in = &v.got
	case line == "Expected nothing":
		v.expected = append(v.expected, "nothing")
	case line == "Got nothing":
		v.got = append(v.got, "nothing")
	case line == udiff, line == cdiff, line == ndiff:
		v.diff = line
	case strings.HasPrefix(line, "UNEXPECTED EXCEPTION: "):
		v.unexpected = line
	case v.open() && strings.HasPrefix(line, "    "):
		v.value(line[4:])
	default:
		return false
	}
	return true
}

// value reads a line of a value, or of both.
func (v *doctestValues) value(text string) {
	if v.size += len(text); v.size >= 2*result.MaxValue || text == "" {
		return
	}
	switch v.diff {
	case "":
		*v.in = append(*v.in, text)
	case udiff:
		if !strings.HasPrefix(text, "@@ ") {
			v.differing(text[0], text[1:])
		}
	case ndiff:
		v.differing(text[0], strings.TrimPrefix(text[1:], " "))
	case cdiff:
		v.context(text)
	}
}

// differing reads a line of a diff that shows both values at once.
func (v *doctestValues) differing(mark byte, text string) {
	if mark == '-' || mark == ' ' {
		v.expected = append(v.expected, text)
	}
	if mark == '+' || mark == ' ' {
		v.got = append(v.got, text)
	}
}

// context reads a line of a diff that shows one value after the other; a half
// without changes of its own is left out.
func (v *doctestValues) context(text string) {
	body := strings.TrimPrefix(text[1:], " ")
	switch {
	case strings.HasPrefix(text, "***************"):
	case strings.HasPrefix(text, "*** ") && strings.HasSuffix(text, " ****"):
		v.second = false
	case strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, " ----"):
		v.second = true
	case !v.second:
		v.expected = append(v.expected, body)
		if text[0] == ' ' {
			v.common = append(v.common, body)
		}
	case text[0] == ' ' && len(v.common) == 0:
		v.differing(' ', body)
	default:
		v.got = append(v.got, body)
	}
}

// end closes what an empty line ends.
func (v *doctestValues) end() {
	if v.in == &v.got {
		v.in = nil
	}
}

func (v *doctestValues) message() string {
	if v.unexpected != "" {
		return v.unexpected
	}
	return lex.Headline("expected " + strings.Join(v.expected, " ") + ", got " + strings.Join(v.gotLines(), " "))
}

// gotLines is what came: where a context diff left it out, what was expected
// without the lines that are missing.
func (v *doctestValues) gotLines() []string {
	if v.diff == cdiff && len(v.got) == 0 {
		return v.common
	}
	return v.got
}

func (v *doctestValues) fill(f *result.Finding) {
	if len(v.expected)+len(v.got) > 0 {
		f.Expected, f.Actual = strings.Join(v.expected, "\n"), strings.Join(v.gotLines(), "\n")
	}
}
