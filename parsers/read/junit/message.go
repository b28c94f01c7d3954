package junit

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// thrown sets the class of the exception: the attribute type if it names a class, otherwise the beginning of the
// text, or the cause that node wraps.
func thrown(f *result.Finding, class string, message, body []string) {
	if nameClass(f, class) {
		return
	}
	for _, text := range [][]string{body, message} {
		if len(text) == 0 {
			continue
		}
		for _, s := range text[:min(len(text), maxValueLines)] {
			cause, ok := strings.CutPrefix(strings.TrimSpace(s), "cause: ")
			if !ok && s != text[0] {
				continue
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(cause, "["), ":")
			name, _, _ = strings.Cut(name, " [")
			if nameClass(f, strings.TrimSpace(name)) {
				return
			}
		}
	}
}

// nameClass sets the rule to a class, and keeps the class's package if that shows whose it is.
func nameClass(f *result.Finding, class string) bool {
	f.Rule = exceptionClass(class)
	if f.Rule != "" && strings.HasSuffix(class, "."+f.Rule) && !lex.HasAnyPrefix(class, "java.lang.", "java.util.", "org.opentest4j.", "org.junit.", "junit.framework.") {
		f.RuleName = class
	}
	return f.Rule != ""
}

// exceptionClass removes the namespaces from the name of a class; "" for other words, such as "AssertionFailure",
// which some runners use for every failure.
func exceptionClass(s string) string {
	i := strings.LastIndexAny(s, `.\:$`)
	name := s[i+1:]
	if !lex.IsIdentifier(name) || name[0] >= 'a' && name[0] <= 'z' || strings.Contains(s, " ") {
		return ""
	}
	if i > 0 {
		return name
	}
	for _, end := range [...]string{"Error", "Exception", "Failure", "Failed", "Fault"} {
		if strings.HasSuffix(name, end) && name != end && name != "AssertionFailure" {
			return name
		}
	}
	return ""
}

// junitMessage is the first line with a meaning, joined with the next lines if it ends with a colon.
func junitMessage(f *result.Finding, message, body []string) string {
	for _, text := range [][]string{message, body} {
		if s := firstMeaning(f, text); s != "" {
			return lex.Headline(s)
		}
	}
	return tool.Untold
}

func firstMeaning(f *result.Finding, text []string) string {
	if isMunit(f) { // munit prints source lines below their place: "5:  assertEquals(a, b)"
		text = slices.DeleteFunc(slices.Clone(text), func(s string) bool { n, _, ok := strings.Cut(s, ":"); return ok && lex.IsDigits(n) })
	}
	for i, s := range text {
		s = withoutClass(f, strings.TrimSpace(s))
		if _, rest, ok := place.Cut(s); ok && isMunit(f) && rest != "" {
			s = strings.TrimSpace(rest)
		}
		if saysNothing(f, s) {
			continue
		}
		switch next := text[i+1:]; {
		case strings.HasSuffix(s, ":"), len(next) > 0 && isHalf(s, strings.TrimSpace(next[0])):
			s += followed(next)
			if slices.ContainsFunc(next[:min(len(next), maxJoined)], func(s string) bool { return strings.HasPrefix(s, calledAt) }) {
				s = strings.TrimSuffix(s, ":")
			}
		case strings.HasPrefix(s, "while parsing "): // SnakeYAML, which prints where, and then the problem
			if i := slices.IndexFunc(next, func(s string) bool { return lex.LeadingBlanks(s) == 0 }); i >= 0 {
				s += ": " + next[i]
			}
		case isOpenValue(s):
			s += restOfValues(next)
		}
		s = strings.TrimSuffix(s, ", where")
		if strings.HasSuffix(s, " failures)") {
			s += several(text[i+1:])
		}
		if i := strings.Index(s, "MergedContextConfiguration@"); i > 0 { // a page of the context's settings
			s, _, _ = lex.CutLast(s[:i], " for [")
		}
		if added := remark(text[i:]); added != "" {
			s = strings.TrimSuffix(s, ".") + ": " + added
		}
		return s
	}
	return ""
}

// isHalf reports whether next continues the message s: AssertJ, Hamcrest, RSpec and Minitest print the actual value
// on a second line.
func isHalf(s, next string) bool {
	return strings.HasPrefix(s, "expected: ") && lex.HasAnyPrefix(next, "but was: ", "got: ") ||
		strings.HasPrefix(s, "Expected: ") && lex.HasAnyPrefix(next, "but: ", "Actual: ") ||
		strings.HasSuffix(s, ");") && lex.HasAnyPrefix(next, "Wanted ", "Never wanted ") || // Mockito, about a call
		strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.HasPrefix(next, "Expecting ") // AssertJ, below what as() says
}

// isOpenValue reports whether the first of two values continues on the next line: "expected: <one".
func isOpenValue(s string) bool {
	_, value, ok := strings.Cut(s, "expected:")
	value = strings.TrimLeft(value, " ")
	return ok && strings.HasPrefix(value, "<") && !strings.Contains(value, "but was:")
}

// restOfValues returns the following lines, up to the end of the second value.
func restOfValues(text []string) string {
	var b strings.Builder
	second := false
	for _, s := range text[:min(len(text), maxValueLines)] {
		if _, framed := frame.Cut(strings.TrimSpace(s)); framed {
			break
		}
		b.WriteString(`\n` + s)
		if second = second || strings.Contains(s, "> but was:"); second && strings.HasSuffix(s, ">") {
			return b.String()
		}
	}
	return ""
}

// withoutClass removes text that only repeats the rule: Java's class with its package, JavaScript's "Error".
func withoutClass(f *result.Finding, s string) string {
	if rest, ok := strings.CutPrefix(s, "Error: "); ok {
		return rest
	}
	class, rest, ok := strings.Cut(s+" ", ": ") // nothing behind the colon: the message is below
	switch class = strings.TrimSuffix(class, " "); {
	case f.Rule == "" || !strings.HasSuffix(class, "."+f.Rule) || strings.Contains(class, " "):
		return s
	case !ok:
		return f.Rule
	}
	return strings.TrimSuffix(rest, " ")
}

// calledAt begins the place of a call in Mockito's messages.
const calledAt = "-> at "

// maxJoined bounds the lines that are joined to a message which ends with a colon.
const maxJoined = 6

// several are the failures that one test reports together, below "account (2 failures)": JUnit's assertAll prints
// each on a line, with the class of the exception, AssertJ prints each below "-- failure 1 --".
func several(text []string) string {
	var said []string
	apart := false
parts:
	for i, s := range text {
		s = strings.TrimSpace(s)
		class, message, ok := strings.Cut(s, ": ")
		_, framed := frame.Cut(s)
		switch {
		case len(said) == maxJoined, !apart && (framed || !ok || exceptionClass(class) == "") && !strings.HasPrefix(s, partHead):
			break parts
		case strings.HasPrefix(s, partHead):
			apart = true
			said = append(said, strings.TrimSpace(followed(text[i+1:])))
		case !apart:
			said = append(said, message)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return ": " + strings.Join(said, "; ")
}

// partHead begins AssertJ's heading of each of several failures.
const partHead = "-- failure "

// followed joins the lines behind a heading, up to a blank line and as long as they are indented like the first:
// GoogleTest prints values there, each perhaps with a deeper "Which is: …".
func followed(text []string) string {
	var b strings.Builder
	n, margin := 0, 0
	for _, s := range text {
		trimmed := strings.TrimSpace(s)
		if isFrame(trimmed) || trimmed == "" && n > 0 || n == maxJoined || trimmed == diffHead || isDiffHead(trimmed) {
			break
		}
		if said, _, ok := cutViolation(trimmed); ok {
			trimmed = said
		}
		blanks := lex.LeadingBlanks(s)
		switch {
		case trimmed == "":
			continue
		case strings.HasPrefix(trimmed, calledAt):
			n++
			continue
		case n == 0:
			margin = blanks
		case blanks < margin && !strings.HasSuffix(trimmed, ":"):
			return b.String()
		case margin > 0 && blanks == margin && !strings.HasSuffix(b.String(), ":"):
			b.WriteByte(',')
		}
		b.WriteString(" " + trimmed)
		n++
	}
	return b.String()
}

// saysNothing reports whether a line only names the test, its place, or the fact that it failed.
func saysNothing(f *result.Finding, s string) bool {
	if strings.Trim(s, "─━═-=_*~^|. ") == "" || strings.HasPrefix(s, "● ") || s == "unknown file" || s == "unknown file: Failure" {
		return true
	}
	switch strings.ToLower(strings.TrimRight(s, ".:!")) {
	case "failed", "failure", "error", "fail", "assertion failed", "exception":
		return true
	}
	if n, rest, _ := strings.Cut(s, " "); lex.IsDigits(n) && (rest == "assertion(s) failed." || strings.HasPrefix(rest, "expectation") && strings.HasSuffix(rest, " failed.")) {
		return true // Criterion, REST Assured; the text has the reasons
	}
	if after, ok := strings.CutPrefix(s, f.ID); ok && (after == "" || after[0] == ' ') && strings.Contains(f.ID, "::") {
		return true // phpunit's heading
	}
	if f.Name != "" && strings.Contains(s, f.Name) && strings.ContainsAny(s, "›─") {
		return true // a heading of playwright
	}
	_, rest, ok := place.CutPlace(s)
	return isFrame(s) || ok && (rest == "" || rest == "Failure" || rest == "Error")
}

// isFrame reports whether a line is of a stack trace, with a place or without.
func isFrame(s string) bool {
	_, ok := frame.Cut(s)
	return ok || strings.HasPrefix(s, "at ") && (strings.HasSuffix(s, "(Native Method)") || strings.HasSuffix(s, "(Unknown Source)"))
}
