package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// green runs unittest's cases and shows each failure without the traceback's head:
//
//	Failure in tests.test_mill.MillTest.test_grind
//	  File "/src/tests/test_mill.py", line 7, in test_grind
//	    self.assertEqual(grind(2), 5)
//	AssertionError: 4 != 5
//
//	Ran 8 tests in 0.278s using 2 processes
//
//	FAILED (errors=1, failures=2, passes=2, skips=1, unexpected_successes=1)
//
// If green cannot import a module, it ends with a traceback of its own, whose message quotes the module's traceback.
var _ = Room.Add("green", func(p *tool.Parser) {
	p.Is("green", result.Test, 1, "green 3 and 4: dots, -v to -vvv, -q")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ran … using "}, Named: true, Parse: parseGreen})
	p.Reads(read.PythonTrouble("green"))
})

const greenCounts = "failed: failures; error: errors; skipped: skips; passed: passes; xfailed: expected_failures; xpassed: unexpected_successes"

type greens struct {
	caseBlock
	ran       bool
	surprises int    // unexpected successes that were named
	module    string // the last module in the tree of -v
	class     string // the last class there
}

func parseGreen(in *tool.Input) *tool.Report {
	g := &greens{caseBlock: newCaseBlock(in)}
	return read.Text{Line: g.line, End: g.close, Closes: true}.Parse(in)
}

func (g *greens) line(s *read.Sink, l tool.Line) bool {
	word, id, headed := strings.Cut(l.Text, " in ")
	headed = headed && (word == "Failure" || word == "Error") && isDotted(strings.Fields(strings.Replace(id, "N/A", "NA", 1) + " .")[0]) // "green.loader.N/A.poolRunner" stands for a module that could not be loaded
	switch {
	case headed:
		g.close(s)
		g.trace, g.inBlock = read.Traceback{}, true
		s.Find(l, badCase(word, id))
	case strings.HasPrefix(l.Text, "Captured std") && strings.Contains(l.Text, " for "), strings.HasPrefix(l.Text, "Skipped "):
		g.close(s)
	case isUnittestEnd(l.Text):
		g.close(s)
		g.ran, s.Tested = true, s.Tested || !strings.HasPrefix(l.Text, "Ran 0 ")
	case g.ran && (isVerdict(l.Text) || l.Text == "No Tests Found"):
		_, list, _ := strings.Cut(l.Text, " (")
		tallyWords(s, list, greenCounts)
		tellUnnamed(s, l, s.Counts["xpassed"]-g.surprises)
		s.NoTests = !s.Tested
		s.Close(l)
	case g.inBlock:
		g.take(s, l)
	default:
		return g.outcome(s, l)
	}
	return true
}

// outcome reads the tree of -v. No other part of the output names an unexpected success.
func (g *greens) outcome(s *read.Sink, l tool.Line) bool {
	name := strings.TrimLeft(l.Text, " ")
	switch test, surprise := strings.CutPrefix(l.Text, "u   "); {
	case surprise && g.class != "" && isDotted(test):
		f := badCase("u", g.module+"."+g.class+"."+test)
		f.Message = "unexpected success"
		s.Find(l, f)
		s.Break()
		g.surprises++
	case isDotted(l.Text):
		g.module, g.class = strings.Clone(l.Text), ""
	case len(l.Text)-len(name) == 2 && isDotted(name):
		g.class = strings.Clone(name)
	default:
		return false
	}
	return true
}
