package tap

import (
	"strconv"
	"strings"

	"cairn/outcomes"
	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// held is a test whose lines below are still to be read: they may give its duration, or say that it is a suite.
type held struct {
	test  tool.Test
	suite bool
}

// outcomeOf is the outcome of a test point. A directive counts even if the point is ok.
func outcomeOf(bad bool, directive string) outcomes.Outcome {
	switch {
	case strings.HasPrefix(directive, "todo"):
		return tool.Todo
	case strings.HasPrefix(directive, "skip"):
		return tool.Skipped
	case bad:
		return tool.Failed
	}
	return tool.Passed
}

// hold keeps a test point until the lines below it have been read. A point without a name is only counted, and one
// that failed because a point inside it failed is no test, unless it says so.
func (r *reader) hold(depth int, name string, came outcomes.Outcome, inner bool) {
	if !r.tells || name == "" {
		return
	}
	r.last.test = tool.Test{ID: strings.Clone(r.idOf(depth, name)), Outcome: came, Parent: inner}
}

// take reads a block of YAML about the test: "duration_ms: 1.5" and node's "type: 'suite'".
func (h *held) take(b *block) {
	b.fill()
	if h.test.ID == "" {
		return
	}
	if ms, err := strconv.ParseFloat(b.first("duration_ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		h.test.DurationMS = int64(ms + 0.5)
	}
	switch b.first("type") {
	case "suite":
		h.test.Parent, h.suite = true, true
	case "test":
		h.test.Parent = false
	}
}

// tell reports the test that was held.
func (r *reader) tell(s *read.Sink) {
	if r.last.test.ID != "" {
		s.Ran(r.last.test)
	}
	if r.last.suite {
		s.NoTest(r.last.test.ID)
	}
	r.last = held{}
}

// plan reads "1..8", perhaps with a comment.
func plan(text string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(text, "1..")
	rest, _, _ = strings.Cut(rest, " #")
	return lex.Atoi(rest), ok && lex.IsDigits(rest) && len(rest) < 9
}

func (r *reader) setName(depth int, name string) {
	for len(r.names) <= depth {
		r.names = append(r.names, "")
	}
	r.names = r.names[:depth+1]
	r.names[depth] = name
}
