package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// notRun finds out why ctest could not run a test. Some reasons are between the line that starts the test and its
// row, others on stderr, without the name of the test:
//
//	    Start 1: gone
//	Could not find executable /tmp/build/gone
//	1/9 Test #1: gone .............................***Not Run   0.00 sec
//
//	Unable to find required file: /tmp/build/data.txt
type notRun struct {
	started string            // the test that was started last, until its row
	why     map[string]string // reasons, by test
	names   []string          // the tests that did not run, in the order of their rows
	told    []unrunWhy        // the reasons on stderr, in the same order
}

type unrunWhy struct {
	at   tool.Line
	text string
}

// start takes "Start 3: name".
func (n *notRun) start(text string) {
	_, n.started, _ = strings.Cut(text, ": ")
	n.started = strings.Clone(n.started)
}

// line takes a line that gives a reason.
func (n *notRun) line(text string, l tool.Line) bool {
	direct := lex.HasAnyPrefix(text, "Could not find executable ", "Failed test dependencies: ")
	if !direct && !lex.HasAnyPrefix(text, "Unable to find executable: ", "Unable to find required file: ", "Failed to change working directory to ") {
		return false
	}
	switch {
	case n.started != "":
		n.why[n.started] = strings.Clone(text)
	case !direct && len(n.told) < tool.MaxFindings:
		n.told = append(n.told, unrunWhy{l, strings.Clone(text)})
	}
	return !strings.HasPrefix(text, "Could not find executable ") // more lines follow: see searches
}

// row takes the row of a test.
func (n *notRun) row(name, status string) {
	n.started = ""
	if strings.HasPrefix(status, "***Not Run") && !strings.Contains(status, "(Disabled)") && len(n.names) < tool.MaxFindings {
		n.names = append(n.names, strings.Clone(name))
	}
}

// end gives the tests that did not run their reasons. The reasons on stderr are in the order of the tests; if there
// are more or fewer of them, they cannot be assigned.
func (n *notRun) end(s *read.Sink) {
	told := n.told[:0]
	for _, t := range n.told {
		if !n.isKnown(t.text) {
			told = append(told, t)
		}
	}
	var open []string
	for _, name := range n.names {
		if n.why[name] == "" {
			open = append(open, name)
		}
	}
	for i, t := range told {
		switch {
		case len(told) == len(open):
			n.why[open[i]] = t.text
		case len(n.names) == 0:
			s.Misuse(t.at, t.text)
		default:
			s.Find(t.at, result.Finding{Kind: result.GenericFinding, Message: t.text})
		}
	}
	for i := range s.Findings {
		if f := &s.Findings[i]; n.why[f.ID] != "" && f.Message == "Not Run" {
			f.Message += ": " + n.why[f.ID]
		}
	}
}

// isKnown reports whether a reason on stderr, "Unable to find executable: PATH", repeats one on stdout.
func (n *notRun) isKnown(text string) bool {
	program, ok := strings.CutPrefix(text, "Unable to find executable: ")
	for _, why := range n.why {
		if ok && why == "Could not find executable "+program {
			return true
		}
	}
	return false
}
