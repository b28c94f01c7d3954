package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("unity", result.Test, 1, "Unity 2.4 to 2.7, C, and its fixtures, with -v too")
	p.Reads(tool.Format{Name: "text", Starts: append(pathStarts(":PASS", ":FAIL", ":IGNORE"), "TEST("), Sniff: isUnity, Parse: read.Text{Line: unityLine, End: filled, Closes: true}.Parse})
})

// unityTest is the row of a test.
type unityTest struct {
	at             result.Location
	id, came, said string
}

// cutUnity reads "t.c:9:adds:FAIL: Expected 2 Was 3". For fixtures it reads ".!t.c:6:TEST(tank, rises)FAIL: …", which
// begins with a mark for each earlier test, and with -v "TEST(tank, rises)t.c:6::FAIL: …", "TEST(tank, named) PASS",
// "IGNORE_TEST(tank, oil)".
func cutUnity(text string) (u unityTest, ok bool) {
	head, inner, fixture := strings.Cut(text, "TEST(")
	if fixture && (head == "" || head == "IGNORE_") {
		var rest string
		if u.id, rest, ok = strings.Cut(inner, ")"); rest == "" {
			rest = "IGNORE"
		} else if at, tail, placed := place.Cut(rest); placed {
			u.at, rest = at, strings.TrimPrefix(tail, ":")
		}
		u.came, u.said, _ = strings.Cut(strings.TrimSpace(rest), ":")
	} else {
		if fixture {
			text = strings.TrimLeft(text, ".!")
		}
		u.at, text, ok = place.Cut(text)
		u.id, text, _ = strings.Cut(text, ":")
		u.came, u.said, _ = strings.Cut(text, ":")
		u.id = strings.TrimSuffix(strings.TrimPrefix(u.id, "TEST("), ")")
	}
	u.id = strings.ReplaceAll(u.id, ", ", ".")
	return u, ok && u.id != "" && !strings.Contains(u.id, " ") && lex.IsOneOf(u.came, "PASS FAIL IGNORE INFO")
}

func isUnity(line string) bool {
	u, ok := cutUnity(strings.TrimSpace(line))
	return ok && (u.at.Path == "" || strings.Contains(u.at.Path, "."))
}

func unityLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if n := read.Counts(text); strings.Contains(text, " Failures ") && strings.HasSuffix(text, " Ignored") {
		return s.Sum(l, n["tests"], n["failures"], 0, n["ignored"])
	}
	u, ok := cutUnity(text)
	switch {
	case !ok:
		return text == "FAIL" || text == "OK" || strings.HasPrefix(text, "Unity test run ") || text == strings.Repeat("-", 23)
	case u.came == "FAIL":
		fail(s, l, u.id, &u.at, strings.TrimSpace(u.said))
		s.Break()
	case u.came != "INFO":
		s.Ran(tool.Test{ID: u.id, Outcome: map[string]read.Outcome{"PASS": tool.Passed, "IGNORE": tool.Skipped}[u.came]})
	}
	return true
}

// testCase is the test case that is being read. It is recorded when the next one begins, since its sections come one
// by one, and each may fail.
type testCase struct {
	name string
	came read.Outcome // "" if no line has the outcome
	ms   int64
	also []string // the ids of its sections that failed
}

// begin records the open test case, if another one begins.
func (t *testCase) begin(s *read.Sink, name string) {
	if name != t.name {
		t.end(s)
		t.name = name
	}
}

// end records the open test case.
func (t *testCase) end(s *read.Sink) {
	if t.name != "" && t.came != "" {
		s.Ran(tool.Test{ID: t.name, Outcome: t.came, DurationMS: t.ms})
		for _, id := range t.also {
			s.Tests.Also(t.name, id)
		}
	}
	*t = testCase{}
}

// failed notes that a section of the test case, or the test case itself, failed. id is that of the section's finding.
func (t *testCase) failed(id string) {
	t.came = tool.Failed
	t.also = append(t.also, id)
}

// sectionID returns the id of a section, or of the test case outside of sections.
func sectionID(names []string) string { return strings.Join(names, " > ") }
