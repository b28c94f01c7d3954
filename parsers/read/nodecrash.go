package read

import (
	"slices"
	"strings"

	"cairn/parsers/internal/shell"
	"cairn/parsers/internal/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that run in node end, where it has no memory left, with words of
// node's own, which do not say whose they are:
//
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//
// They are a tool's if the command runs it, or a line in which npm, yarn or
// pnpm shows what it runs.

// NodeHeapStart begins such a line, in the form of Format.Starts.
const NodeHeapStart = "FATAL ERROR: …JavaScript heap out of memory"

func IsNodeHeap(s string) bool {
	return strings.HasPrefix(s, "FATAL ERROR: ") && strings.HasSuffix(s, "JavaScript heap out of memory")
}

// NodeCrash watches for the end of memory in the output of one tool.
type NodeCrash struct {
	matches func(argv []string) bool
	Runs    bool      // the tool is run
	line    term.Line // in which memory ran out
	Ran     bool      // out of memory
}

func NewNodeCrash(in *tool.Input, matches func(argv []string) bool) *NodeCrash {
	n := &NodeCrash{matches: matches}
	c := shell.Unwrap(in.Argv, in.Shell)
	n.Runs = n.is(c) || n.is(shell.Command{Argv: in.Echoed()}) || slices.ContainsFunc(c.Listed, n.is)
	return n
}

func (n *NodeCrash) is(c shell.Command) bool { return len(c.Argv) > 0 && n.matches(c.Argv) }

// See takes a line, and says whether node ran out of memory in it.
func (n *NodeCrash) See(l term.Line) bool {
	switch {
	case len(l.Text) < 3:
	case l.Text[:2] == "> " || l.Text[:2] == "$ ":
		n.Runs = n.Runs || n.is(shell.UnwrapShell(l.Text[2:], "sh"))
	case l.Text[0] == 'F' && IsNodeHeap(l.Text):
		n.line, n.Ran = l, true
		return true
	}
	return false
}

// Report adds the crash, if there was one, and says so.
func (n *NodeCrash) Report(rep *tool.Report) bool {
	if !n.Ran || !n.Runs {
		return false
	}
	rep.Add(result.Finding{
		Kind: result.Panic, Severity: result.SevError, Message: n.line.Text,
		RawSpan: &result.Span{Start: n.line.Start, End: n.line.End},
	})
	rep.Cover(n.line)
	return true
}
