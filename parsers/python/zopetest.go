package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// zope.testrunner runs unittest's cases in layers, and prints the counts of each layer:
//
//	Failure in test test_weigh (tests.test_crate.CrateTest.test_weigh)
//	Traceback (most recent call last):
//	AssertionError: 3 != 4
//
//	  Ran 5 tests with 1 failures, 1 errors and 1 skipped in 0.001 seconds.
//
// A module that cannot be imported is reported before the tests: "Module: brk.test_imp".
var _ = Room.Add("zope-testrunner zope.testrunner | zope-testrunner3", func(p *tool.Parser) {
	p.Is("zope.testrunner", result.Test, 1, "zope.testrunner 4 and later: text with any -v, -c")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ran … failures, "}, Named: true, Parse: parseZope})
	p.Reads(read.PythonUsage("zope-testrunner", "zope.testrunner"))
})

type zopeTests struct {
	caseBlock
	layers int // number of layers whose counts were read
}

func parseZope(in *tool.Input) *tool.Report {
	z := &zopeTests{caseBlock: newCaseBlock(in)}
	return read.Text{Line: z.line, End: z.endBlock, Closes: true}.Parse(in)
}

func (z *zopeTests) line(s *read.Sink, l tool.Line) bool {
	if f, ok := cutZopeHead(l.Text); ok {
		z.close(s)
		z.trace, z.inBlock = read.Traceback{}, true
		return s.Find(l, f)
	}
	total := strings.HasPrefix(l.Text, "Total: ")
	switch ran, ok := strings.CutPrefix(strings.TrimPrefix(l.Text, "Total: "), "  Ran "); {
	case ok || total && strings.Contains(l.Text, " tests, "):
		z.close(s)
		z.tally(s, strings.NewReplacer(" with ", ", ", " and ", ", ").Replace(strings.TrimPrefix(ran, "Total: ")), total)
		if s.Sign(l); total {
			s.Close(l)
		}
	case strings.HasPrefix(l.Text, "Tearing down left over layers:"):
		z.close(s)
		s.Close(l) // the last layer has ended
	case strings.HasPrefix(l.Text, "Test-modules with "), strings.HasPrefix(l.Text, "Tests with "):
		z.close(s)
	case !z.inBlock:
		return strings.HasPrefix(l.Text, "Running ") && strings.HasSuffix(l.Text, " tests:")
	case z.trace.Whole() && len(z.below) > 1 && l.Text == "" && z.below[len(z.below)-1] == "" && z.below[len(z.below)-2] == "":
		z.close(s) // two empty lines end a block
	default:
		z.take(s, l)
	}
	return true
}

// tally takes the counts of a layer, "5 tests, 1 failures, 1 errors, 1 skipped in …", or the total of
// several layers, which replaces the sum of the layers.
func (z *zopeTests) tally(s *read.Sink, text string, total bool) {
	n := read.Counts(text)
	bad := n["failures"] + n["errors"]
	if total && z.layers > 0 {
		clear(s.Counts)
		s.Claimed = 0
	}
	z.layers++
	s.Count("failed", n["failures"])
	s.Count("error", n["errors"])
	s.Count("skipped", n["skipped"])
	s.Count("passed", max(0, n["tests"]-bad-n["skipped"]))
	s.Claim(bad)
	s.Tested = s.Tested || n["tests"] > 0
	s.NoTests = !s.Tested && bad == 0
}

// cutZopeHead reads the head of a block: "Module: brk.test_imp" or "Error in test test_x (a.T)".
func cutZopeHead(line string) (f result.Finding, ok bool) {
	if module, ok := strings.CutPrefix(line, "Module: "); ok && isDotted(module) {
		f = badCase("Error", module)
		f.Name = module
		return f, true
	}
	word, rest, ok := strings.Cut(line, " in test ")
	if !ok || !lex.IsOneOf(word, "Failure Error") {
		return f, false
	}
	name, class, ok := strings.Cut(rest, " (")
	class, params, closed := strings.Cut(class, ")")
	if !ok || !closed || !isDotted(class) {
		f = badCase(word, rest) // a doctest's file or a function, without a class
		return f, rest != ""
	}
	f = badCase(word, unittestID(name, class))
	if f.Params = strings.TrimSpace(params); f.Params != "" {
		f.ID += " " + f.Params
	}
	return f, true
}
