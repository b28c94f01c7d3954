package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// caseRows reads the rows of -v, which name every test:
//
//	test_fill (tests.test_tank.TankTest.test_fill) ... ok
//	test_drain (tests.test_tank.TankTest.test_drain)
//	What its docstring says ... skipped 'later'
//	test_loud (tests.test_tank.TankTest.test_loud) ... what the test printed
//	FAIL
//
// The last verdict before the next row counts, since a test may print anything between the two parts of its row.
type caseRows struct {
	of     string       // the id in the last row; "" if no row is open
	part   string       // the id with the parameters of a subtest; "" for a test
	came   read.Outcome // the row's verdict; "" until one is read
	glued  read.Outcome // the verdict that ends the last line below the row, behind other text
	doc    bool         // the line with the docstring follows
	ms     int64
	told   map[read.Outcome]int // number of rows by outcome, since the last tally
	untold string               // the test of the last row that ended, if the row had no verdict
	blocks bool                 // failures are taken from the blocks only: in nose2's rows, subtests look like their test
}

// line takes a line outside of the blocks of failures, and reports whether it is part of a row.
func (r *caseRows) line(s *read.Sink, text string) bool {
	if head, rest, ok := cutCaseRow(text); ok {
		r.end(s)
		f, _ := cutUnittestHead("FAIL: " + head)
		r.of, r.doc = strings.TrimSuffix(f.ID, " "+f.Params), rest == ""
		if f.Params != "" {
			r.part = f.ID
		}
		if rest != "" {
			r.verdict(rest[len(rowDots):])
		}
		return true
	}
	if r.of == "" {
		return false
	}
	if r.doc {
		for rest := text; ; {
			i := strings.Index(rest, rowDots)
			if i < 0 {
				break
			}
			rest = rest[i+len(rowDots):]
			r.doc = false
			r.verdict(rest)
			if r.came != "" {
				break
			}
		}
		return !r.doc
	}
	came, ms, ok := caseVerdict(text)
	if ok && (r.came == "" || came != read.Skipped) { // "skipped 3 rows" may be a line that the test printed
		r.came, r.ms = came, ms
		return true
	}
	if text != "" {
		r.glued = gluedVerdict(text)
	}
	return false
}

const rowDots = " ... "

// verdict takes the text behind " ... ".
func (r *caseRows) verdict(rest string) {
	if came, ms, ok := caseVerdict(rest); ok {
		r.came, r.ms = came, ms
	} else {
		r.glued = gluedVerdict(rest)
	}
}

// end reports the test of the open row, and closes the row.
func (r *caseRows) end(s *read.Sink) {
	r.came = cmp.Or(r.came, r.glued)
	if r.of != "" && r.came != "" && !(r.blocks && r.came.Bad()) {
		if r.part != "" && r.came.Bad() {
			s.Part(r.of, r.part, r.came)
		} else {
			s.Ran(tool.Test{ID: r.of, Outcome: r.came, DurationMS: r.ms})
		}
		lex.Put(&r.told, r.came, r.told[r.came]+1)
	}
	untold := r.untold
	if r.of != "" {
		if untold = ""; r.came == "" {
			untold = r.of
		}
	}
	*r = caseRows{told: r.told, untold: untold, blocks: r.blocks}
}

// passed returns the number of tests that passed, from the number that ran and the number off with another
// outcome. A skip may be of a class or a subtest, and then is not among the tests that ran. So if all skips
// have rows, and the rows show more passed tests, their number is returned.
func (r *caseRows) passed(ran, off, skipped int) int {
	named := r.told[read.Passed]
	if low := ran - off; named > low && named <= low+skipped && r.told[read.Skipped] == skipped {
		return named
	}
	return max(0, ran-off)
}

// cutCaseRow reads "test_fill (tests.test_tank.TankTest.test_fill) ... ok". rest is " ... ok", or
// empty if a line with the docstring follows.
func cutCaseRow(text string) (head, rest string, ok bool) {
	text = strings.TrimPrefix(text, "  ") // a subtest's row is indented, and every row of xmlrunner
	i := strings.Index(text, " (")
	if i <= 0 || text[0] == ' ' {
		return "", "", false
	}
	end := len(text)
	if k := strings.Index(text[i:], ")"+rowDots); k > 0 {
		end = i + k + 1
	} else if k := strings.Index(text[i:], "]"+rowDots); k > 0 {
		end = i + k + 1
	} else if strings.HasSuffix(text, ") ...") {
		end = len(text) - len(" ...")
		text += " "
	}
	head = text[:end]
	f, ok := cutUnittestHead("FAIL: " + head)
	// A test may have printed a text that looks like a row behind the dots of its own row. Then it is not a row.
	glued := strings.Contains(f.Name, ".") && !strings.HasSuffix(f.Name, ".FunctionTestCase") || strings.HasSuffix(f.Name, lex.LastPart(f.ID))
	return head, text[end:], ok && (!glued || strings.HasSuffix(f.ID, f.Name))
}

// caseVerdict reads the text behind the dots, which may have a duration: "ok (0.001s)".
func caseVerdict(text string) (came read.Outcome, ms int64, ok bool) {
	word, took, timed := strings.Cut(text, " (")
	if timed {
		if ms, timed = lex.Millis(strings.TrimSuffix(took, ")")); timed {
			text = word
		}
	}
	if came = read.Outcome(lex.Means(text, "passed: ok; failed: FAIL; error: ERROR; xfailed: expected failure; xpassed: unexpected success")); came != "" {
		return came, ms, true
	}
	return read.Skipped, ms, lex.IsOneOf(text, "skipped skip") || lex.HasAnyPrefix(text, "skipped ", "SKIP: ")
}

// unendedCases reads a run in which a test ended the program: letters, or the rows of -v, without "Ran 3 tests in
// 0.1s".
func unendedCases() tool.Format {
	return tool.Format{Name: "unended", Starts: []string{"test…) ... FAIL", "test…) ... ERROR"}, Named: true, Parse: read.Unended{
		Ends: isUnittestEnd,
		Failed: func(text string) int {
			if badRow(text) != "" {
				return 1
			}
			return read.Marks(".FEsxu", "FE")(text)
		},
		Name: badRow,
		Open: openRow,
	}.Parse}
}

// openRow returns the id of the test whose row text begins, perhaps with its docstring on the next line, and does not end.
func openRow(text, before string) string {
	head, rest, ok := cutCaseRow(text)
	if !ok && strings.HasSuffix(text, " ...") {
		return before
	}
	f, _ := cutUnittestHead("FAIL: " + head)
	if rest = strings.TrimSpace(rest); !ok || rest != "" && rest != "..." {
		return ""
	}
	return f.ID
}

// badRow returns the id of the failed test whose row text is; "" for any other line.
func badRow(text string) string {
	head, rest, ok := cutCaseRow(text)
	if !ok || rest == "" {
		return ""
	}
	if came, _, ok := caseVerdict(rest[len(rowDots):]); !ok || !came.Bad() {
		return ""
	}
	f, _ := cutUnittestHead("FAIL: " + head)
	return f.ID
}

// gluedVerdict returns the verdict behind a text that the test printed without an end of line: "…connectedok".
func gluedVerdict(text string) read.Outcome {
	for _, word := range [...]string{"ok", "FAIL", "ERROR", "expected failure", "unexpected success"} {
		if strings.HasSuffix(text, word) {
			came, _, _ := caseVerdict(word)
			return came
		}
	}
	return ""
}
