package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// karmaSpec reads the tree of karma-spec-reporter. What failed has its reason below it, behind a tab:
//
//	  cart
//	    ✓ adds
//	    ✗ removes
//		Expected 1 to be 2.
//	    - ships
type karmaSpec struct {
	suites []string
	blank  bool // the last line was empty, or one of the tree
}

var karmaMarks = map[string]read.Outcome{"✓": tool.Passed, "✗": tool.Failed, "✖": tool.Failed, "-": tool.Skipped, "ℹ": tool.Skipped}

// line takes a line of the tree. failed is called for a test that failed.
func (k *karmaSpec) line(s *read.Sink, l tool.Line, failed func(id string)) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	was := k.blank
	k.blank = text == ""
	if indent < 2 || indent%2 != 0 || text == "" || text[0] == '\t' {
		return false
	}
	depth := indent/2 - 1
	mark, title, _ := strings.Cut(text, " ")
	came := karmaMarks[mark]
	switch {
	case came != "" && depth <= len(k.suites) && len(k.suites) > 0:
		k.suites = k.suites[:depth]
		id := strings.TrimSpace(strings.Join(append(append([]string{}, k.suites...), title), " "))
		if came == tool.Failed {
			failed(id)
		} else {
			s.Ran(tool.Test{ID: id, Outcome: came})
		}
	case came == "" && was && depth <= len(k.suites):
		k.suites = append(k.suites[:depth], strings.Clone(text))
	default:
		return false
	}
	k.blank = true
	return true
}

// tree is line for karma, which has the failure that is open.
func (k *karma) tree(s *read.Sink, l tool.Line) bool {
	if k.open && k.at < len(s.Findings) && s.Findings[k.at].Kind != result.TestFailure {
		return false // the text of an error outside of tests
	}
	return k.spec.line(s, l, func(id string) {
		k.flush(s)
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed"})
		k.open, k.at = true, len(s.Findings)-1
	})
}
