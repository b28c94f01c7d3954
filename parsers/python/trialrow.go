package python

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// trialRows reads the rows above the blocks, which name every test: those of the tree, and those of bwverbose and timing.
//
//	tests.test_mill
//	  MillTest
//	    test_dict ...                                                        [FAIL]
//	    test_loud ... what the test printed
//	                                                                           [OK]
//	tests.test_mill.MillTest.test_half ... [ERROR]
//	tests.test_mill.MillTest.test_slow ... [OK](0.118 secs)
//
// In the tree a verdict ends at a column that the row alone decides, so a verdict that a test prints is not taken.
//
// A row ends with its verdict, so what looks like a row before it was printed by the test.
type trialRows struct {
	tree []string // names of modules and classes above
	trialRow
	flat bool // the row has no tree
	pad  int  // how far its verdict stands from its row
}

type trialRow struct {
	of    string   // the test; "" where no row is open
	words []string // its verdicts: one that failed and left something behind has two
	at    tool.Line
}

// line gives the row that ends with this line.
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

// verdict takes "[OK]", "[FAILURE][ERROR]", "[OK](0.118 secs)" at the end of a line. Where no column tells, the last line holds.
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
			if !ok || strings.HasSuffix(before, " ") { // another row's column
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

// trialCame is what a word in brackets says.
func trialCame(word string) read.Outcome {
	return read.Outcome(lex.Means(word, "passed: OK; failed: FAIL, FAILURE; error: ERROR; skipped: SKIPPED; xfailed: TODO; xpassed: SUCCESS!?!"))
}
