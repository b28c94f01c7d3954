package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// ginkgoTests reads the names and verdicts of specs printed by -v and -vv. The name of a spec that passed
// is above its verdict, any other below it; -vv prints one line per container:
//
//	------------------------------
//	Tank passes
//	/src/tank_test.go:9
//	• [0.001 seconds]
//	------------------------------
//	P [PENDING]
//	Tank
//	/src/tank_test.go:6
//	  is full
//	  /src/tank_test.go:13
type ginkgoTests struct {
	names   []string // of the spec and its containers; each is followed by a line with its place
	next    string   // a name whose place has not been read yet
	heading bool     // lines with names and places continue
	test    tool.Test
}

// line takes a line of the run.
func (g *ginkgoTests) line(s *read.Sink, line string) {
	mark, rest, ok := strings.Cut(line, " [")
	switch {
	case strings.HasPrefix(line, "-----"):
		g.end(s)
		g.begin()
	case ok && lex.IsOneOf(mark, "• ↺ P S") && strings.HasSuffix(rest, "]"):
		g.verdict(s, mark, rest[:len(rest)-1])
	case g.heading:
		g.head(line)
	}
}

func (g *ginkgoTests) begin() { g.names, g.next, g.heading = nil, "", true }

// verdict takes "• [0.001 seconds]", "• [FAILED] [0.001 seconds]", "P [PENDING]".
func (g *ginkgoTests) verdict(s *read.Sink, mark, rest string) {
	said, took, both := strings.Cut(rest, "] [")
	t := tool.Test{Outcome: tool.Failed}
	if took = strings.TrimSuffix(took, " seconds"); !both {
		took = strings.TrimSuffix(said, " seconds")
	}
	t.DurationMS, _ = lex.Millis(took)
	switch {
	case mark == "S":
		t.Outcome = tool.Skipped
	case mark == "P":
		t.Outcome = tool.Todo
	case mark == "↺":
		t.Outcome = tool.Flaky
	case !both && strings.HasSuffix(said, " seconds"):
		t.Outcome = tool.Passed
	}
	if g.test = t; len(g.names) > 0 && (t.Outcome == tool.Passed || t.Outcome == tool.Flaky) {
		g.end(s)
		g.names, g.heading = nil, false
		return
	}
	g.begin()
}

// head takes a line with a name or with a place.
func (g *ginkgoTests) head(line string) {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) != 2*len(g.names) || text == "" || strings.HasPrefix(text, "> Enter [") {
		g.heading = false
		return
	}
	if at, placed := frame.Go(text); placed && at.Line > 0 && g.next != "" {
		g.names, g.next = append(g.names, g.next), ""
	} else if g.heading = g.next == ""; g.heading {
		g.next = strings.Clone(text)
	}
}

// end reports the spec if one was read. A name without a verdict, or a verdict without a name, means that a spec
// printed lines in ginkgo's own format.
func (g *ginkgoTests) end(s *read.Sink) {
	switch named := len(g.names) > 0; {
	case named && g.test.Outcome != "":
		g.test.ID = specName(strings.Join(g.names, " "))
		s.Ran(g.test)
	case g.test.Outcome != "", named && g.names[0][0] != '[':
		s.Unread("a spec prints what may be the verdict of another one")
	}
	g.test = tool.Test{}
}
