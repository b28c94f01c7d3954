package python

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Django is run through manage.py, a script of the project's. The command "test" is left to unittest's reader.
var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("django", result.Lint, 1, "Django 3 to 6: manage.py and django-admin: check, migrate, makemigrations and what else is wrong")
	p.Matches = isDjango
	p.Programs = []string{"django-admin"}
	p.Reads(tool.Format{Name: "text", Starts: []string{"SystemCheckError: System check identified", "System check identified "}, Parse: read.IfFound(read.Text{Line: djangoLine}.Parse)})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"CommandError: "}, Usage: []string{"Unknown command: ", "No Django settings specified"}}.Parse})
})

// isDjango matches "django-admin check", "python manage.py migrate" and "./manage.py check", but not
// "manage.py test": the reader of the test runner reads that output.
func isDjango(argv []string) bool {
	if i := slices.IndexFunc(argv, func(a string) bool { return path.Base(a) == "manage.py" }); i >= 0 && i < 2 {
		argv = argv[i:]
	} else if !slices.Contains([]string{"django-admin", "django"}, argv[0]) {
		return false
	}
	return len(argv) < 2 || argv[1] != "test"
}

// djangoLine reads "shop.Item.fk: (fields.E300) text", a hint below it, "\tHINT: text", and the number of issues.
func djangoLine(s *read.Sink, l tool.Line) bool {
	object, rest, ok := strings.Cut(l.Text, ": (")
	rule, message, cut := strings.Cut(rest, ") ")
	switch {
	case ok && cut && !strings.Contains(object, " ") && isCheckID(rule):
		severity := result.SevError
		switch rule[strings.LastIndexByte(rule, '.')+1] {
		case 'W':
			severity = result.SevWarning
		case 'I', 'D':
			severity = result.SevInfo
		}
		f := result.Finding{Severity: severity, Rule: rule, Message: message}
		if object != "?" {
			f.ID = object
		}
		return s.Find(l, f)
	case strings.HasPrefix(l.Text, "System check identified "), strings.HasPrefix(l.Text, "SystemCheckError: "):
		s.Sign(l)
		return s.Break()
	case s.Last() != nil && strings.HasPrefix(l.Text, "\tHINT: "):
		return s.More(l)
	}
	s.Break()
	return false
}

// isCheckID reports whether s is the id of a system check: "fields.E300", "security.W001".
func isCheckID(s string) bool {
	app, code, ok := strings.Cut(s, ".")
	return ok && lex.IsIdentifier(app) && len(code) > 1 && strings.IndexByte("EWIDC", code[0]) >= 0 && lex.IsDigits(code[1:])
}

// unpicklable is a failure that Django's test runner could not pass on from a process of --parallel, which ends the run:
//
//	test_missing (visits.tests.VisitTests.test_missing) failed:
//
//	    DoesNotExist('Patient matching query does not exist.')
//
//	Unfortunately, tracebacks cannot be pickled, making it impossible for the
type unpicklable struct {
	head  tool.Line
	below result.Finding
}

func (u *unpicklable) line(s *read.Sink, l tool.Line) bool {
	switch test, ok := strings.CutSuffix(l.Text, " failed:"); {
	case ok:
		u.below, _ = cutUnittestHead("ERROR: " + test)
		u.head = l
	case u.below.ID == "" && len(s.Findings) == 1 && strings.HasPrefix(l.Text, "    python -m pip install "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevInfo, Message: "tracebacks need: " + l.Text[4:]})
	case u.below.ID == "":
	case strings.HasPrefix(l.Text, "    "):
		u.below.Message = strings.TrimLeft(u.below.Message+" "+l.Text[4:], " ")
	case strings.HasPrefix(l.Text, "Unfortunately, ") && strings.Contains(l.Text, " cannot be pickled, making it impossible"):
		u.below.Rule, _, _ = strings.Cut(u.below.Message, "(")
		s.Find(u.head, u.below)
		s.Doubt, u.below = "the tests' processes could not pass on their failures", result.Finding{}
	case l.Text != "":
		u.below = result.Finding{}
	}
	return false
}

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
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ran … using "}, Named: true, Parse: read.Fresh(func(g *greens) read.Text { return read.Text{Line: g.line, End: g.close, Closes: true} })})
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
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ran … failures, "}, Named: true, Parse: read.Fresh(func(z *zopeTests) read.Text { return read.Text{Line: z.line, End: z.endBlock, Closes: true} })})
	p.Reads(read.PythonUsage("zope-testrunner", "zope.testrunner"))
})

type zopeTests struct {
	caseBlock
	layers int // number of layers whose counts were read
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
	s.Scores(n, "failed: failures; error: errors; skipped: skipped")
	s.Score("passed", max(0, n["tests"]-bad-n["skipped"]))
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
