package parsers

import (
	"slices"
	"strings"

	"cairn/result"
)

// Programs that run in node end, where it has no memory left, with words of
// node's own, which do not say whose they are:
//
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//
// They are a tool's if the command runs it, or a line in which npm, yarn or
// pnpm shows what it runs.

// nodeHeapStart begins such a line, in the form of Format.Starts.
const nodeHeapStart = "FATAL ERROR: …JavaScript heap out of memory"

func isNodeHeap(s string) bool {
	return strings.HasPrefix(s, "FATAL ERROR: ") && strings.HasSuffix(s, "JavaScript heap out of memory")
}

// nodeCrash watches for the end of memory in the output of one tool.
type nodeCrash struct {
	matches func(argv []string) bool
	runs    bool // the tool is run
	line    Line // in which memory ran out
	ran     bool // out of memory
}

func newNodeCrash(in *Input, matches func(argv []string) bool) *nodeCrash {
	n := &nodeCrash{matches: matches}
	c := unwrap(in.Argv, in.Shell)
	n.runs = n.is(c) || n.is(command{argv: in.echoed}) || slices.ContainsFunc(c.listed, n.is)
	return n
}

func (n *nodeCrash) is(c command) bool { return len(c.argv) > 0 && n.matches(c.argv) }

// see takes a line; one in which memory ran out is the tool's, or nobody's.
func (n *nodeCrash) see(l Line) bool {
	switch {
	case len(l.Text) < 3:
	case l.Text[:2] == "> " || l.Text[:2] == "$ ":
		n.runs = n.runs || n.is(unwrapShell(l.Text[2:], "sh"))
	case l.Text[0] == 'F' && isNodeHeap(l.Text):
		n.line, n.ran = l, true
		return true
	}
	return false
}

// report adds the crash, if there was one, and says so.
func (n *nodeCrash) report(rep *Report) bool {
	if !n.ran || !n.runs {
		return false
	}
	rep.Add(result.Finding{
		Kind: result.Panic, Severity: result.SevError, Message: n.line.Text,
		RawSpan: &result.Span{Start: n.line.Start, End: n.line.End},
	})
	rep.Cover(n.line)
	return true
}
