package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// tree takes a line of the pretty formatter, which stands above the lists. Below a step that did
// not pass stands what it came to:
//
//	Scenario: wrong # features/cart.feature:12
//	  Given an empty cart
//	  Then there are 3 apples
//	  ✖ failed
func (c *cuke) tree(line, text string) {
	if head, name, ok := strings.Cut(text, ": "); ok && lex.IsOneOf(strings.ReplaceAll(head, " ", "-"), "Scenario Scenario-Outline Scenario-Template Example") {
		if i := strings.LastIndex(name, " # "); i > 0 {
			c.tests.Shown(line, "", name[:i], name[i+3:])
			return
		}
	}
	t := c.tests.Last(line)
	if t == nil {
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case lex.IsOneOf(word, "✖ × ?") && lex.IsOneOf(rest, "failed undefined ambiguous"):
		t.Outcome = tool.Failed
	case (word == "?" || word == "-") && lex.IsOneOf(rest, "pending skipped"):
		t.Outcome = worseOf(t.Outcome, tool.Skipped)
	case lex.IsOneOf(word, "Given When Then And But *"):
		t.Outcome = worseOf(t.Outcome, tool.Passed)
	}
}

// worseOf is what a scenario came to with a further step.
func worseOf(was, is read.Outcome) read.Outcome {
	if was == "" || was == tool.Passed {
		return is
	}
	return was
}

// cutAttempt takes off "(attempt 2)", and "(attempt 1, retried)" of one that was tried again.
func cutAttempt(name string) (rest string, again bool) {
	i := strings.LastIndex(name, " (attempt ")
	if i < 0 {
		return name, false
	}
	number, retried := strings.CutSuffix(strings.TrimSuffix(name[i+len(" (attempt "):], ")"), ", retried")
	if !lex.IsDigits(number) || !strings.HasSuffix(name, ")") {
		return name, false
	}
	return name[:i], retried
}

// listed takes a scenario of the list of warnings, or of failures.
func (c *cuke) listed(name, where string) {
	_, name, _ = strings.Cut(name, ": ")
	id := name
	if path, _, ok := strings.Cut(where, ":"); ok {
		id = path + " › " + name
	}
	came := tool.Skipped
	if c.failures {
		came = tool.Failed
	}
	c.tests.Listed(where, name, id, came)
}
