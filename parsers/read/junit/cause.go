package junit

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// maxCauses bounds the exceptions that are kept of those that led to a failure.
const maxCauses = 4

// causes keeps the exceptions that a text names as the cause of the failure:
//
//	Caused by: java.io.IOException: disk on fire
//	  [cause]: Error: network down
//
// What the headline says already is reported once.
func (r *junitReader) causes(f *result.Finding, text []string) {
	for i, line := range text {
		thrown, ok := cutCause(line)
		if !ok || len(f.Related) >= maxCauses {
			continue
		}
		cause := result.Finding{}
		r.locate(&cause, "", nil, untilCause(text[i+1:]))
		if thrown != f.Message {
			f.Related = append(f.Related, result.Related{Message: result.CausedBy + thrown, At: cause.At})
		}
	}
}

// cutCause reads the line that names a cause; the class loses its package, as a rule does.
func cutCause(line string) (thrown string, ok bool) {
	s := strings.TrimSpace(line)
	if thrown, ok = strings.CutPrefix(s, "Caused by: "); !ok {
		thrown, ok = strings.CutPrefix(s, "[cause]: ")
	}
	thrown = strings.TrimSuffix(thrown, " {")
	if before, _, placed := strings.Cut(thrown, " at "); placed && !strings.Contains(before, ":") { // gradle: the class and its place
		thrown = before
	}
	class, message, said := strings.Cut(thrown, ": ")
	switch name := exceptionClass(class); {
	case name != "" && said:
		thrown = name + ": " + message
	case name != "":
		thrown = name
	}
	return lex.Headline(strings.TrimPrefix(thrown, "Error: ")), ok && thrown != ""
}

// untilCause is the text up to the next cause.
func untilCause(text []string) []string {
	for i, line := range text {
		if _, ok := cutCause(line); ok {
			return text[:i]
		}
	}
	return text
}
