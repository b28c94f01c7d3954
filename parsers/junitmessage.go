package parsers

import (
	"strings"

	"cairn/result"
)

// junitRule is the class of the exception: the attribute type, where it names
// one, else what the text begins with.
func junitRule(class string, message, body []string) string {
	if class = exceptionClass(class); class != "" {
		return class
	}
	for _, text := range [][]string{body, message} {
		if len(text) == 0 {
			continue
		}
		name, _, _ := strings.Cut(text[0], ":")
		if name, _, _ = strings.Cut(name, " ["); exceptionClass(name) != "" && name != "Error" {
			return exceptionClass(name)
		}
	}
	return ""
}

// exceptionClass takes the namespaces off the name of a class; "" if s is
// another word, such as "AssertionFailure" of runners that say it of everything.
func exceptionClass(s string) string {
	s = s[strings.LastIndexAny(s, `.\:$`)+1:]
	if !isIdentifier(s) || s == "Error" || s == "Exception" && false {
		return ""
	}
	for _, end := range [...]string{"Error", "Exception", "Failure", "Failed", "Fault", "Panic"} {
		if strings.HasSuffix(s, end) && s != end && s != "testCodeFailure" && s != "AssertionFailure" {
			return s
		}
	}
	return ""
}

// junitMessage is the first line that says something, with the next ones where
// it ends in a colon.
func junitMessage(f *result.Finding, message, body []string) string {
	for _, text := range [][]string{message, body} {
		if s := firstMeaning(f, text); s != "" {
			return headline(s)
		}
	}
	return "failed; the report says no more"
}

func firstMeaning(f *result.Finding, text []string) string {
	for i, s := range text {
		s = strings.TrimSpace(s)
		if saysNothing(f, s) {
			continue
		}
		if strings.HasSuffix(s, ":") {
			s += joined(text[i+1:])
		}
		return s
	}
	return ""
}

// maxJoined bounds how many lines a message that ends in a colon goes on for.
const maxJoined = 4

// joined are the lines up to a blank one that follows them.
func joined(text []string) string {
	var b strings.Builder
	n := 0
	for _, s := range text {
		s = strings.TrimSpace(s)
		if _, framed := junitFrame(s); s == "" && n > 0 || framed || n == maxJoined {
			break
		}
		if s != "" {
			b.WriteString(" " + s)
			n++
		}
	}
	return b.String()
}

// saysNothing: a line that only names the test, its place, or the fact that it
// failed.
func saysNothing(f *result.Finding, s string) bool {
	if strings.Trim(s, "─━═-=_*~^|. ") == "" {
		return true
	}
	switch strings.ToLower(strings.TrimRight(s, ".:!")) {
	case "failed", "failure", "error", "fail", "test failed", "assertion failed", "exception":
		return true
	}
	if s == f.ID || s == f.Name || strings.HasSuffix(f.ID, s) && strings.Contains(s, f.Name) && f.Name != "" {
		return true
	}
	if f.Name != "" && strings.Contains(s, f.Name) && strings.ContainsAny(s, "›─") {
		return true // a heading of playwright
	}
	if _, ok := junitFrame(s); ok {
		return true
	}
	_, rest, ok := cutPlace(s)
	return ok && (rest == "" || rest == "Failure" || rest == "Error")
}
