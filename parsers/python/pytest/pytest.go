// Package pytest understands what pytest prints on a terminal, in every style of
// traceback and with its common plugins, and its JUnit XML.
package pytest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Declare reads pytest, versions 4 to 9, as the terminal reporter prints it.
//
// # The format
//
// A run is a sequence of sections, each opened by a rule: a title between
// equally many "=", as wide as the terminal (80 columns in a pipe, COLUMNS is
// honoured). The order is: "test session starts", progress, ERRORS, FAILURES,
// XFAILURES, "warnings summary", PASSES, XPASSES, what plugins add, "short test
// summary info", and the closing line of counts, which -q prints without a
// rule and -qq not at all. -q leaves out the first section.
//
// ERRORS and FAILURES hold one block per report, opened by a rule of "_"; a
// block ends with captured output, each part opened by a rule of "-".
// --tb=line has no block rules, --tb=no no blocks.
//
// # Which text is pytest's
//
// The closing counts say how many findings there must be. Blocks have the failures' text; the summary has the node ids
// that re-run them. Both list the same reports in the same order, so lines of one can be paired with the other. A test
// may print text that looks like any of this: a block whose rule is in captured output counts only if the summary lists
// it, and a summary or a line of counts that is followed by more blocks was not the real one.
//
// # What a finding is
//
// The id is the node id as the summary prints it, relative to the directory
// that pytest ran in. The message is the first line of the last exception of
// the chain, from the block: the summary's is cut to the width. "assert" appears
// without "AssertionError: ", which pytest adds or leaves out with the --tb
// style. The rule is the class of the exception without its module. The place
// is the deepest frame in the workspace. A failed subtest is a finding of its
// own, and its test is not counted again.
func Declare(p *tool.Parser) {
	p.Is("pytest", result.Test, 4, "pytest 4–9, terminal output in every --tb style, with xdist, subtests, doctest and cov")
	p.Matches = isPytest
	// https://docs.pytest.org/en/stable/reference/exit-codes.html
	p.Filter = tool.Filter{Again: func(id string, own []string) []string { return []string{own[0], id} }}
	p.Exits = map[int]result.Meaning{2: result.MeansInterrupted, 3: result.MeansInternal, 4: result.MeansUsage, 5: result.MeansNoTests}
	p.JUnit = dialect
	p.Supersede = withoutFiles
	p.TestOf = func(id string) string {
		test, _ := cutOldSubtest(id)
		return test
	}
	p.Files = []tool.Files{{
		Flags: tool.ReportFlags("--junitxml", "--junit-xml"), Arguments: []string{"PYTEST_ADDOPTS"},
		Shared: true, Programs: []string{"pytest", "py.test"}, Printed: reportPrinted,
	}}
	p.Reads(tool.Format{Name: "text", Prints: testPrints, Starts: starts, Sniff: sniff, Parse: parse})
	p.Reads(tool.Format{Name: "unended", Parse: read.Unended{ // with -q, only the tests' letters come before the end
		Ends:   func(text string) bool { return text != "" && !isProgress(text) && sniff(text) },
		Failed: read.Marks(letters, "FEu"),
	}.Parse})
}

func isPytest(argv []string) bool { return lex.IsOneOf(argv[0], "pytest py.test pytest-3") }

// starts begin lines of pytest: "=" opens every section, digits are the counts of -q, letters the progress of -qq; the
// others are ways to end without any of these.
var starts = []string{
	"=", "1… in ", "2… in ", "3… in ", "4… in ", "5… in ", "6… in ", "7… in ", "8… in ", "9… in ", "no tests ran in ", "no tests collected",
	".…%]", "F…%]", "E…%]", "s…%]", "x…%]", "X…%]", "u…%]", ",…%]", "Fatal Python error: ", ".…Aborted", "F…Aborted", ".…Segmentation fault", "F…Segmentation fault", "ERROR: ",
	"INTERNALERROR> ", "Traceback (most recent call last):", "ImportError while loading conftest ", "Error while loading plugin ", "!", sugarStart, "~…~ Stack of ", "+…+ Timeout ",
}

func sniff(line string) bool {
	if title, ok := cutRule(line, '=', 0); ok {
		_, counts := cutCounts(title)
		return counts || sectionOf(title) != unknown
	}
	switch line[0] {
	case 'I', 'T':
		return true
	case '+':
		return isTimeoutRule(line)
	case '!', '~':
		_, ok := cutRule(line, line[0], 0)
		return ok
	}
	if lex.HasAnyPrefix(line, "ERROR: ", "Error while loading plugin ") || strings.Contains(line, "Fatal Python error: ") {
		return true
	}
	if strings.HasSuffix(line, "%]") {
		return isProgress(line)
	}
	if _, word, _ := strings.Cut(line, " "); word == "" || word[0] < 'a' || 'z' < word[0] {
		return false // most lines that begin with a digit are a log's, with a date
	}
	_, ok := cutCounts(line)
	return ok
}

// asksOnly says whether pytest was asked to show something instead of running tests.
func asksOnly(argv []string) bool {
	return slices.ContainsFunc(argv, func(a string) bool {
		a, _, _ = strings.Cut(a, "=")
		return lex.IsOneOf(a, "--fixtures --funcargs --fixtures-per-test --setup-plan --setupplan --cache-show --markers --collect-only --collectonly --co")
	})
}

// quietTwice says whether -q was given twice, so that pytest prints no counts.
func quietTwice(argv []string) bool {
	n := 0
	for _, a := range argv {
		switch {
		case a == "--quiet":
			n++
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--"):
			flags := a[:len(a)-len(strings.TrimLeft(a, "qvxls-"))] // text after a flag with a value is no flag
			n += strings.Count(flags, "q") - strings.Count(flags, "v")
		}
	}
	return n >= 2
}

// reportPrinted finds the name of the JUnit file that pytest wrote, which the configuration may ask for.
func reportPrinted(line string) (report string, ran bool) {
	_, name, ok := strings.Cut(line, "- generated xml file: ")
	return strings.TrimRight(name, " -"), ok
}
