package read

import (
	"slices"
	"strings"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// When node runs out of memory, it ends the program that it runs with this line:
//
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//
// The line does not name the program. It counts as a tool's if the command runs the tool, or if npm, yarn or pnpm
// printed before that they run it.

// NodeHeapStart is the beginning of this line, for Format.Starts.
const NodeHeapStart = "FATAL ERROR: …JavaScript heap out of memory"

// IsNodeHeap reports whether a line is the one with which node runs out of memory.
func IsNodeHeap(s string) bool {
	return strings.HasPrefix(s, "FATAL ERROR: ") && strings.HasSuffix(s, "JavaScript heap out of memory")
}

// NodeCrash searches the output of one tool for the line with which node runs out of memory.
type NodeCrash struct {
	in      *tool.Input
	matches func(argv []string) bool
	Runs    bool      // the command, or one printed so far, runs the tool
	line    term.Line // that line
	Ran     bool      // node ran out of memory
}

// NewNodeCrash returns a NodeCrash for the tool whose commands matches accepts.
func NewNodeCrash(in *tool.Input, matches func(argv []string) bool) *NodeCrash {
	n := &NodeCrash{in: in, matches: matches}
	c := in.Command()
	n.Runs = n.is(c) || n.is(shell.Command{Argv: in.Echoed()}) || slices.ContainsFunc(c.Listed, n.is)
	return n
}

func (n *NodeCrash) is(c shell.Command) bool { return len(c.Argv) > 0 && n.matches(c.Argv) }

// See takes a line of the output, and reports whether node ran out of memory there.
func (n *NodeCrash) See(l term.Line) bool {
	switch {
	case len(l.Text) < 3:
	case l.Text[:2] == "> " || l.Text[:2] == "$ ":
		n.Runs = n.Runs || n.is(n.in.CommandOf(l.Text[2:]))
	case l.Text[0] == 'F' && IsNodeHeap(l.Text):
		n.line, n.Ran = l, true
		return true
	}
	return false
}

// Report adds a finding if the tool was run and node ran out of memory, and returns whether it did.
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
