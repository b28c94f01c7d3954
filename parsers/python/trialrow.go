package python

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// trialRows reads the rows that name every test, above the blocks: a tree, or the rows of bwverbose and timing.
//
//	tests.test_mill
//	  MillTest
//	    test_dict ...                                                        [FAIL]
//	    test_loud ... what the test printed
//	                                                                           [OK]
//	tests.test_mill.MillTest.test_half ... [ERROR]
//	tests.test_mill.MillTest.test_slow ... [OK](0.118 secs)
//
// In the tree, a verdict ends at a column that depends only on the row, so a verdict that a test prints is not taken.
//
// A row ends with its verdict, so a line above the verdict that looks like a row was printed by the test.
type trialRows struct {
	tree []string // modules and classes that the row is below
	trialRow
	flat bool // the row is not in a tree
	pad  int  // width of the space for the verdict, in characters
}

type trialRow struct {
	of    string   // the test; "" if no row is open
	words []string // its verdicts: two for a test that failed and left its reactor unclean
	at    tool.Line
}

// line takes a line, and returns the previous row if the line begins another.
func (r *trialRows) line(l tool.Line) (ended trialRow) {
	name := strings.TrimLeft(l.Text, " ")
	depth := (len(l.Text) - len(name)) / 2
	name, rest, row := strings.Cut(name, " ... ")
	if (r.of != "" && len(r.words) == 0) || !isDotted(name) || depth > len(r.tree) {
		if r.of != "" {
			r.verdict(l, l.Text)
		}
		return ended
	}
	ended, r.trialRow = r.trialRow, trialRow{}
	if r.tree = append(r.tree[:depth], strings.Clone(name)); row {
		r.of, r.flat = strings.Join(r.tree, "."), depth == 0
		r.pad = trialWidth - utf8.RuneCountInString(l.Text[:len(l.Text)-len(rest)])
		r.verdict(l, rest)
	}
	return ended
}

// verdict takes "[OK]", "[FAILURE][ERROR]" or "[OK](0.118 secs)" from the end of a line. Outside of a tree, no column
// is known, so the last such line is the verdict.
func (r *trialRows) verdict(l tool.Line, text string) {
	if r.flat {
		if i := strings.LastIndex(text, "]("); i >= 0 && strings.HasSuffix(text, " secs)") {
			text = text[:i+1]
		}
	}
	var words []string
	for strings.HasSuffix(text, "]") {
		i := strings.LastIndexByte(text, '[')
		if i < 0 || trialCame(text[i+1:len(text)-1]) == "" {
			break
		}
		words = append(words, strings.Clone(text[i+1:len(text)-1]))
		if text = text[:i]; !r.flat {
			before, ok := strings.CutSuffix(text, strings.Repeat(" ", max(r.pad-len(words[0])-len("[]"), 0)))
			if !ok || strings.HasSuffix(before, " ") { // not this row's column: the test printed it
				return
			}
			break
		}
	}
	switch {
	case len(words) == 0:
	case r.flat:
		r.words, r.at = words, l
	default:
		r.words, r.at = append(r.words, words...), l
	}
}

// trialCame returns the outcome for a verdict without its brackets; "" for any other word.
func trialCame(word string) read.Outcome {
	return read.Outcome(lex.Means(word, "passed: OK; failed: FAIL, FAILURE; error: ERROR; skipped: SKIPPED; xfailed: TODO; xpassed: SUCCESS!?!"))
}
