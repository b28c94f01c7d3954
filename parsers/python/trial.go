package python

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// trial, Twisted's runner, prints a reason once, and below it all tests that ended for this reason:
//
//	===============================================================================
//	[FAIL]
//	Traceback (most recent call last):
//	  File "/src/tests/test_mill.py", line 7, in test_grind
//	    self.assertEqual(grind(2), 5)
//	builtins.AssertionError: 4 != 5
//
//	tests.test_mill.MillTest.test_grind
//	-------------------------------------------------------------------------------
//	Ran 7 tests in 0.124s
//
//	FAILED (failures=2, errors=1, successes=4)
//
// If the run ends before these blocks, the rows above ("    test_grind ...   [FAIL]") give the failures.
var _ = Room.Add("trial", func(p *tool.Parser) {
	p.Is("trial", result.Test, 1, "trial of Twisted 18 and later: verbose, bwverbose, text, timing, -j")
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAILED (…successes=", "PASSED (…successes="}, Named: true, Sniff: isTrialSignature, Parse: read.Fresh(func(t *trials) read.Text { return read.Text{Line: t.line, End: t.end, Closes: true} })})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: trialTrouble}.Parse})
})

const trialWidth = 79

const trialCounts = "failed: failures; error: errors; skipped: skips; passed: successes; xfailed: expectedfailures; xpassed: unexpectedsuccesses"

func isTrialRule(line string) bool {
	return len(line) == trialWidth && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// isTrialSignature reports whether a line is a verdict with "successes=", which only trial prints:
// unittest has "unexpected successes=".
func isTrialSignature(line string) bool {
	return isTrialVerdict(line) && (strings.Contains(line, "(successes=") || strings.Contains(line, ", successes="))
}

func isTrialVerdict(line string) bool {
	word, list, counted := strings.Cut(line, " (")
	return (word == "FAILED" || word == "PASSED") && (!counted || strings.Contains(list, "="))
}

// trialTrouble reads an error of trial itself, "/usr/bin/trial: option --nope not recognized".
func trialTrouble(s *read.Sink, l tool.Line) bool {
	prog, why, ok := strings.Cut(l.Text, ": ")
	if !ok || prog != "trial" && !strings.HasSuffix(prog, "/trial") {
		return false
	}
	return s.Misuse(l, why)
}

type trials struct {
	caseBlock
	word  string         // the block's verdict, such as "FAIL"; "" outside of a block
	why   result.Finding // the block's reason
	brief bool           // --tbformat=emacs: the exception is above its frames
	told  bool           // the names of the block's tests have begun
	rows  trialRows
	early []tool.Line      // the lines of the failed rows …
	bad   []result.Finding // … and their findings, used if no block names the test
	ran   bool
}

func (t *trials) line(s *read.Sink, l tool.Line) bool {
	switch {
	case isTrialRule(l.Text):
		t.rowEnds(s, t.rows.trialRow)
		t.rows, t.word = trialRows{}, ""
		return true
	case strings.HasPrefix(l.Text, "[") && strings.HasSuffix(l.Text, "]") && lex.IsOneOf(l.Text[1:len(l.Text)-1], "FAIL ERROR SKIPPED TODO SUCCESS!?!"):
		t.word, t.told, t.brief, t.why = l.Text[1:len(l.Text)-1], false, false, result.Finding{}
		t.trace, t.below = read.Traceback{}, nil
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "Ran ") && isUnittestEnd(l.Text):
		t.ran = true
		s.Tested = s.Tested || !strings.HasPrefix(l.Text, "Ran 0 ")
		s.NoTests = !s.Tested
		return true
	case t.ran && isTrialVerdict(l.Text):
		t.ran = false
		_, list, _ := strings.Cut(l.Text, " (")
		tallyWords(s, list, trialCounts)
		return s.Close(l)
	case t.word == "":
		t.rowEnds(s, t.rows.line(l))
		return false
	}
	return t.block(s, l)
}

// block takes a line below "[FAIL]": the reason, then the tests that ended for this reason.
func (t *trials) block(s *read.Sink, l tool.Line) bool {
	if t.briefly(l.Text) || t.trace.Line(l.Text) {
		if t.trace.Whole() {
			t.why = t.raised(s)
			if !t.brief {
				t.below = nil
			}
		}
		return true
	}
	if !isDotted(l.Text) || !strings.Contains(l.Text, ".") && !t.blank() {
		lex.Keep(&t.below, maxBelow, l.Text)
		return true
	}
	if came := trialCame(t.word); !came.Bad() && came != read.XPassed {
		if t.told = t.told || t.blank(); t.told {
			s.Retold(tool.Test{ID: l.Text, Outcome: came}) // --reporter=text names the test nowhere else
		}
		return true
	}
	f := badCase(t.word, strings.Clone(l.Text))
	f.Rule, f.Message, f.At, f.Frames = t.why.Rule, t.why.Message, t.why.At, t.why.Frames
	if t.word == "SUCCESS!?!" {
		f.Message = "unexpected success"
	} else {
		below := t.below
		t.tell(&f)
		t.below = below // tell cleared it, and the block's next test needs it
	}
	return s.Find(l, f)
}

// briefly reads "Traceback: <class 'ValueError'>: bad" and the frames below it, "/src/mill.py:7:grind".
func (t *trials) briefly(line string) bool {
	if head, thrown, ok := strings.Cut(line, ": <class '"); ok && strings.HasPrefix(head, "Traceback") {
		t.trace, t.brief = read.Traceback{Last: strings.Replace(thrown, "'>", "", 1)}, true
		return true
	}
	at, method, ok := place.Cut(line)
	if ok = ok && t.brief && at.Column == 0 && lex.IsIdentifier(method) && len(t.trace.Frames) < lex.MaxFrames; ok {
		t.trace.Frames = append(t.trace.Frames, at)
	}
	return ok
}

// blank reports whether the previous line was empty.
func (t *trials) blank() bool { return len(t.below) > 0 && t.below[len(t.below)-1] == "" }

// rowEnds reports the test of a row. If it failed, a finding is kept in case no block follows with the reason.
func (t *trials) rowEnds(s *read.Sink, row trialRow) {
	for _, word := range row.words {
		came := trialCame(word)
		if !came.Bad() && !strings.Contains(row.of, ".") { // a name without "." is a module, and a module's row counts only if loading failed
			continue
		}
		s.Ran(tool.Test{ID: row.of, Outcome: came})
		if (came.Bad() || came == read.XPassed) && len(t.bad) < s.Most() {
			t.bad = append(t.bad, badCase(word, row.of))
			t.early = append(t.early, row.at)
		}
	}
}

// end adds the failures of rows that no block names.
func (t *trials) end(s *read.Sink) {
	t.rowEnds(s, t.rows.trialRow)
	for i, f := range t.bad {
		if slices.ContainsFunc(s.Findings, func(g result.Finding) bool { return g.ID == f.ID }) {
			continue
		}
		if f.Message = "failed"; f.RawSeverity == "SUCCESS!?!" {
			f.Message = "unexpected success"
		}
		s.Find(t.early[i], f)
	}
}

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
