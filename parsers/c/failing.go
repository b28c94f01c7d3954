package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// longMessage is where the message of a test goes on with no further failure.
const longMessage = 300

// fail adds a failed test. Further failures of the same test are further places
// of one finding, and its message tells them too: what re-runs them is one id.
func fail(s *read.Sink, l tool.Line, id string, at *result.Location, message string) {
	if n := len(s.Findings); n > 0 && s.Findings[n-1].ID == id && s.Last() != nil {
		f := s.Last()
		if s.More(l); at != nil && f.At == nil {
			f.At = at
		} else if at != nil && len(f.Locations) < 8 {
			f.Locations = append(f.Locations, *at)
		}
		if f.Message == "" {
			f.Message = message
		} else if message != "" && len(f.Message) < longMessage {
			f.Message += "; " + message
		}
		return
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, At: at, Message: message})
}

// filled: each failure has a message, which begins with the section of the test that it
// is in: what re-runs a test names only the whole.
func filled(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		f.Message = cmp.Or(f.Message, "failed")
		if _, section, ok := strings.Cut(f.ID, " > "); ok {
			f.Message = section + ": " + f.Message
		}
	}
}

// pipes reads "6 | 2 passed | 4 failed | 1 skipped" into counts. What "failed as expected" is so of Catch2.
func pipes(s *read.Sink, text string) (failed int) {
	for part := range strings.SplitSeq(text, "|") {
		n, word, ok := strings.Cut(strings.TrimSpace(part), " ")
		if word == "failed as expected" {
			word = "xfailed"
		}
		if ok && lex.IsDigits(n) && lex.IsOneOf(word, "passed failed skipped xfailed") {
			s.Count(word, lex.Atoi(n))
			if word == "failed" {
				failed = lex.Atoi(n)
			}
		}
	}
	return failed
}

func noProgram([]string) bool { return false } // a program of any name

// failedPart is the name in a line with which a runner of tests says that one of them failed.
// It is asked of what a runner above it quotes, where the lines are not the other's any more.
func failedPart(text string) string {
	if rest, ok := strings.CutPrefix(text, "[  FAILED  ] "); ok { // args_test.clear (0 ms)
		name, time, _ := strings.Cut(rest, " (")
		if strings.HasSuffix(time, " ms)") {
			return name
		}
	}
	if name, verdict, ok := strings.Cut(text, "  ->  "); ok && lex.HasAnyPrefix(verdict, "failed: ", "broken: ") { // of Kyua
		return name
	}
	if rest, ok := strings.CutPrefix(text, "not ok "); ok && !strings.Contains(rest, "# TODO") {
		_, name, _ := strings.Cut(rest, " - ")
		return name
	}
	if u, ok := cutUnity(text); ok && u.came == "FAIL" {
		return u.id
	}
	return ""
}

// failedParts are those names of all lines, as the end of a message.
func failedParts(lines []string) (said string) {
	for _, line := range lines {
		if name := failedPart(strings.TrimSpace(line)); name != "" && len(said) < longMessage {
			said += ", " + name
		}
	}
	if said != "" {
		said = "; failed: " + said[2:]
	}
	return said
}
