package jvm

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// consoleFeed reads the three forms of --details that print each test when it ends, with the reason of a
// failure. There is then no list of failures. Ids are formed as for the tree.
//
//	--details=flat
//	Finished:    adds() ([engine:junit-jupiter]/[class:AccountTest]/[method:adds()])
//	             => Exception: org.opentest4j.AssertionFailedError: sum ==> …
//
//	--details=testfeed
//	JUnit Jupiter > AccountTest > adds() :: FAILED
//		org.opentest4j.AssertionFailedError: sum ==> …
//
//	--details=verbose
//	│  │  ├─ adds()
//	│  │  │     source: MethodSource [className = 'AccountTest', methodName = 'adds', …]
//	│  │  │     caught: org.opentest4j.AssertionFailedError: sum ==> …
//	│  │  │     status: ✘ FAILED
type consoleFeed struct {
	root     feedNode
	open     map[string]*feedNode // flat and testfeed: the nodes that began and did not end, by their full names
	at       *feedNode            // verbose: the node that began last
	finished *feedNode            // flat: the node that ended in the previous line; an exception may follow
	caught   bool                 // verbose: the reason of at was read
	failed   *feedNode            // testfeed: the node whose reason follows
	indent   string               // the beginning of further lines of a reason; "" outside of a reason
}

// feedLine takes a line of one of the three forms.
func (c *console) feedLine(s *read.Sink, l tool.Line) bool {
	text, f := l.Text, &c.feed
	if ended := f.finished; ended != nil {
		f.finished = nil
		if reason, ok := strings.CutPrefix(strings.TrimSpace(text), "=> Exception: "); ok {
			c.reason(s, l, ended, reason, text[:strings.Index(text, "=>")])
			return true
		}
		c.ran(s, ended, tool.Passed)
	}
	if further, ok := strings.CutPrefix(text, f.indent); ok && f.indent != "" {
		c.text = append(c.text, strings.Clone(strings.TrimSpace(further)))
		return s.More(l)
	}
	return c.flat(s, text) || c.testfeed(s, l) || c.verbose(s, l)
}

// node returns the open node with a full name, key. If there is no such node, it opens one, and those above it.
func (f *consoleFeed) node(key, name, joint string) *feedNode {
	if n := f.open[key]; n != nil {
		return n
	}
	above := &f.root
	if holder, _, ok := lex.CutLast(key, joint); ok {
		above = f.node(holder, behind(holder, joint), joint)
	}
	n := above.add(name)
	lex.Put(&f.open, strings.Clone(key), n)
	return n
}

// behind returns the part of a key after the last joint, or the whole key.
func behind(key, joint string) string {
	names := strings.Split(key, joint)
	return names[len(names)-1]
}

var flatWords = [...]string{"Started:     ", "Finished:    ", "Skipped:     "}

func (c *console) flat(s *read.Sink, text string) bool {
	if !lex.HasAnyPrefix(text, flatWords[:]...) || !strings.HasSuffix(text, "])") {
		return false
	}
	name, unique, ok := lex.CutLast(text[len(flatWords[0]):len(text)-1], " (")
	if !ok {
		return false
	}
	c.endReason(s)
	n := c.feed.node(unique, name, "/")
	n.identify(unique)
	switch {
	case text[0] == 'F':
		c.feed.finished = n
	case text[1] == 'k':
		c.ran(s, n, tool.Skipped)
	default:
		return true
	}
	delete(c.feed.open, unique)
	return true
}

func (c *console) testfeed(s *read.Sink, l tool.Line) bool {
	key, came, ok := lex.CutLast(l.Text, " :: ")
	if !ok || !strings.Contains(key, " > ") || !lex.IsOneOf(came, "STARTED SUCCESSFUL FAILED ABORTED SKIPPED") {
		return false
	}
	c.endReason(s)
	n := c.feed.node(key, behind(key, " > "), " > ")
	n.started = n.started || came == "STARTED"
	switch came {
	case "STARTED":
		return true
	case "SUCCESSFUL":
		c.ran(s, n, tool.Passed)
	case "FAILED":
		c.found(s, l, n, n.started)
		c.feed.failed, c.feed.indent = n, "\t"
	default:
		c.ran(s, n, tool.Skipped)
	}
	delete(c.feed.open, key)
	return true
}

func (c *console) verbose(s *read.Sink, l tool.Line) bool {
	f, text := &c.feed, l.Text
	if depth, name, ok := cutBranch(text); ok {
		if strings.HasSuffix(name, " dynamically registered") {
			return true
		}
		c.endReason(s)
		for f.at != nil && f.at.above != nil && f.at.depth >= depth { // these nodes have ended; a name of several lines hid their ends
			if f.at.class == "" && f.at.below == 0 { // not a test: the rest of a message about such a name
				f.at.above.below--
			}
			f.leave()
		}
		if !strings.HasSuffix(name, " ms.") || !strings.Contains(name, " finished after ") {
			f.at = cmp.Or(f.at, &f.root)
			f.at = f.at.add(name)
			f.at.depth = depth
		}
		return true
	}
	inner := strings.TrimLeft(text, "│| ")
	word, value, ok := strings.Cut(inner, ": ")
	if !ok || f.at == nil || f.at.above == nil || len(inner) == len(text) {
		return false
	}
	switch word {
	case "uniqueId":
		f.at.identify(value)
	case "caught":
		c.reason(s, l, f.at, value, text[:len(text)-len(inner)]+"        ")
		f.caught = true
	case "status":
		c.endReason(s)
		switch {
		case f.caught:
		case strings.HasSuffix(value, " SUCCESSFUL"):
			c.ran(s, f.at, tool.Passed)
		case strings.HasSuffix(value, " FAILED"):
			c.found(s, l, f.at, true)
		default:
			c.ran(s, f.at, tool.Skipped)
		}
		f.leave()
	}
	return true
}

// leave ends the node that began last.
func (f *consoleFeed) leave() {
	f.caught = false
	if f.at != nil && f.at.above != nil {
		f.at = f.at.above
	}
}

// reason takes the first line of a reason. If the exception says that the test does not apply, the test is skipped.
func (c *console) reason(s *read.Sink, l tool.Line, n *feedNode, text, indent string) {
	class, _, _ := strings.Cut(text, ":")
	if strings.HasSuffix(class, "TestAbortedException") || strings.HasSuffix(class, "AssumptionViolatedException") {
		c.ran(s, n, tool.Skipped)
		return
	}
	c.found(s, l, n, n.method != "")
	c.text = append(c.text, strings.Clone(text))
	c.feed.indent = indent
}

// found adds the finding of a failure. The failure of a class is an error in the set-up of its tests.
func (c *console) found(s *read.Sink, l tool.Line, n *feedNode, test bool) {
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(!test), ID: n.id(), Name: strings.Join(n.names(), ":")}
	if c.class = n.class; n.class != "" && n.method != "" {
		f.Select = n.class + "#" + n.method + index(f.Name)
	} else {
		f.Select = n.class
	}
	s.Find(l, f)
}

// endFeed ends what is open after the last test.
func (c *console) endFeed(s *read.Sink) {
	c.endReason(s)
	if ended := c.feed.finished; ended != nil {
		c.ran(s, ended, tool.Passed)
	}
	c.feed = consoleFeed{}
}

// endReason completes the finding of a failure after the last line of its reason.
func (c *console) endReason(s *read.Sink) {
	if c.feed.indent == "" {
		return
	}
	if f := s.Last(); f != nil && c.feed.failed != nil && c.feed.failed.started {
		f.Select = c.feed.failed.selectedBy(c.text)
		c.class, _, _ = strings.Cut(f.Select, "#")
	}
	c.explainLast(s)
	c.feed.failed, c.feed.indent = nil, ""
}

// ran reports a test that did not fail. Classes and engines, which are not tests, are left out.
func (c *console) ran(s *read.Sink, n *feedNode, came read.Outcome) {
	if n.below == 0 && len(n.path()) > 2 {
		s.Ran(tool.Test{ID: n.id(), Outcome: came})
		s.Tests.Short()
	}
}
