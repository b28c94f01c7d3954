package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cpputest", Kind: result.Test, Version: 1,
		About:   "CppUTest 3.8 and 4.0: normal, and TeamCity's messages",
		Matches: noProgram,
		Formats: []tool.Format{{Name: "text", Starts: []string{"Errors (…failures", "OK (…tests"}, Sniff: isCppUTest, Parse: func(in *tool.Input) *tool.Report {
			messages := teamcity.Reader{}
			return read.Text{Closes: true, End: filled, Line: func(s *read.Sink, l tool.Line) bool { return messages.Line(s, l) || cppUTestLine(s, l) }}.Parse(in)
		}}},
	}
})

func isCppUTest(line string) bool { return strings.Contains(line, " checks, ") }

// cppUTestLine reads "cpu.cc:4: error: Failure in TEST(Money, Adds)" and the
// indented reason below it.
func cppUTestLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if counts, ok := strings.CutPrefix(text, "Errors ("); ok || strings.HasPrefix(text, "OK (") && isCppUTest(text) {
		n := read.Counts(counts)
		s.Count("failed", n["failures"]+n["failure"])
		s.Count("passed", max(0, read.Counts(text)["ran"]-n["failures"]-n["failure"]))
		s.Claim(n["failures"] + n["failure"])
		s.Tested = true
		return s.Close(l)
	}
	at, rest, ok := place.Cut(strings.TrimLeft(text, ".!"))
	if test, failed := strings.CutPrefix(rest, "error: Failure in "); ok && failed {
		_, inner, _ := strings.Cut(strings.TrimSuffix(test, ")"), "(")
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.ReplaceAll(inner, ", ", "."), At: &at})
	}
	f := s.Last()
	if f == nil || text == "" {
		return false
	}
	s.More(l)
	switch {
	case f.Message == "":
		f.Message = text
	case strings.HasPrefix(text, "but was ") && strings.HasPrefix(f.Message, "expected "):
		f.Message += " " + strings.Join(strings.Fields(text), " ")
	}
	if v, ok := strings.CutPrefix(text, "expected <"); ok {
		f.Expected = strings.TrimSuffix(v, ">")
	} else if v, ok := strings.CutPrefix(text, "but was  <"); ok {
		f.Actual = strings.TrimSuffix(v, ">")
	}
	return true
}
