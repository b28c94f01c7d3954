package junit

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// maxCauses bounds the causes kept of one failure: the first ones, and the last one.
const maxCauses = 4

// causes adds the exceptions that a text names as the cause of the failure, or as raised on its way:
//
//	Caused by: java.io.IOException: disk on fire
//	  [cause]: Error: network down
//	Suppressed: java.io.IOException: close of orders
//
// An exception that the headline repeats is added once.
func (r *junitReader) causes(f *result.Finding, text []string) {
	for i, line := range text {
		word, thrown := cutCause(line)
		if full := len(f.Related) >= maxCauses; word == "" || word == result.Suppressing && (full || tellsSeveral(f)) || thrown == f.Message {
			continue
		}
		cause := result.Finding{}
		r.locate(&cause, "", nil, untilCause(text[i+1:]))
		f.Related = append(f.Related[:min(len(f.Related), maxCauses-1)], result.Related{Message: word + thrown, At: cause.At})
	}
}

func tellsSeveral(f *result.Finding) bool { return strings.HasSuffix(f.Rule, "MultipleFailuresError") }

// cutCause reads a line that names another exception; the class loses its package, as in rules.
func cutCause(line string) (word, thrown string) {
	head, thrown, _ := strings.Cut(strings.TrimSpace(line), ": ")
	word = map[string]string{"Caused by": result.CausedBy, "[cause]": result.CausedBy, "Suppressed": result.Suppressing}[head]
	thrown = strings.TrimSuffix(thrown, " {")
	if before, _, placed := strings.Cut(thrown, " at "); placed && !strings.Contains(before, ":") { // gradle prints the class and its place
		thrown = before
	}
	class, message, said := strings.Cut(thrown, ": ")
	switch name := exceptionClass(class); {
	case word == "" || thrown == "":
		return "", ""
	case name != "" && said:
		thrown = name + ": " + message
	case name != "":
		thrown = name
	}
	return word, lex.Headline(strings.TrimPrefix(thrown, "Error: "))
}

// untilCause returns the text up to the next cause or, if there are several failures, the next failure.
func untilCause(text []string) []string {
	for i, line := range text {
		if word, _ := cutCause(line); word != "" || strings.HasPrefix(strings.TrimSpace(line), partHead) {
			return text[:i]
		}
	}
	return text
}

// parts adds the places of several failures that one test reports together, and of the calls that Mockito mentions:
//
//	-- failure 1 --
//	Suppressed: org.opentest4j.AssertionFailedError: expected: <3> but was: <2>
//	-> at com.acme.OrderTest.pays(OrderTest.java:38)
func (r *junitReader) parts(f *result.Finding, d string, text []string) {
	for i, line := range text {
		said := strings.TrimSpace(line)
		number, call, isCall := strings.Cut(said, calledAt)
		body := text[i+1:]
		switch at, _, placed := place.Cut(strings.TrimPrefix(said, f.RuleName+": ")); {
		case isMunit(f) && i == 0 && placed:
			f.At = &at
			continue
		case strings.HasPrefix(f.Message, "Architecture Violation "):
			call, at, _ := cutViolation(said)
			said, body = call, []string{"at " + at}
		case isCall && i > 0 && strings.Trim(number, "0123456789. ") == "":
			said, body = strings.TrimSpace(text[i-1]), []string{"at " + call}
		case tellsSeveral(f) && lex.HasAnyPrefix(said, partHead, "Suppressed: "):
			body = untilCause(body)
		default:
			continue
		}
		var part result.Finding
		if r.locate(&part, d, nil, body); part.At == nil || part.At.Line == 0 || len(f.Related) == maxParts {
			continue
		}
		if isCall && (f.At == nil || f.At.External) {
			f.At = part.At
		} else {
			f.Related = append(f.Related, result.Related{Message: strings.Trim(said, "-: "), At: part.At})
		}
	}
}

func isMunit(f *result.Finding) bool { return strings.HasPrefix(f.RuleName, "munit.") }

// cutViolation splits a line of ArchUnit into the text and its place, in the form of a frame: "Method
// <com.acme.Order.pay()> calls method <java.util.List.clear()> in (Order.java:52)".
func cutViolation(line string) (said, at string, ok bool) {
	said, file, ok := lex.CutLast(line, " in (")
	_, name, _ := strings.Cut(said, "<")
	name, _, _ = strings.Cut(name, ">")
	name, _, _ = strings.Cut(name, "(")
	return said, name + "(" + file, ok && strings.HasSuffix(file, ")")
}

// maxParts bounds the failures kept of one test.
const maxParts = 20
