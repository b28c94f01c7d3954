package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// longMessage is the length, in bytes, from which no further failure is added to the message of a test.
const longMessage = 300

// fail adds a failed test. Further failures of the same test add to the places and the message of its one finding,
// since the same id runs them all again.
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

// filled gives each failure a message that begins with the section of the test: only a whole test can be run again.
func filled(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		f.Message = cmp.Or(f.Message, "failed")
		if _, section, ok := strings.Cut(f.ID, " > "); ok {
			f.Message = section + ": " + f.Message
		}
	}
}

// pipes counts "6 | 2 passed | 4 failed | 1 skipped", and Catch2's "failed as expected". It returns the failed ones.
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

// failedPart returns the name in a line with which a test runner reports a failed test; "" for another line. It reads
// the output that a runner quotes, which no other parser reads.
func failedPart(text string) string {
	if mark, rest, ok := cutMark(text); ok && lex.IsOneOf(mark, "FAILED ERROR") { // args_test.clear (0 ms), and clear of cmocka
		name, time, _ := strings.Cut(rest, " (")
		if strings.HasSuffix(time, " ms)") || !strings.Contains(rest, " ") {
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

// failedParts returns those names in all lines as the end of a message: "; failed: a, b".
func failedParts(lines []string) (said string) {
	for _, line := range lines {
		if name := failedPart(strings.TrimSpace(line)); name != "" && len(said) < longMessage && !strings.Contains(said+",", ", "+name+",") {
			said += ", " + name
		}
	}
	if said != "" {
		said = "; failed: " + said[2:]
	}
	return said
}
