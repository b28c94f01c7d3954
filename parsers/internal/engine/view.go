package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// failsInView handles a part of an output that a pipe left ("| head -20", "| tail -5", "| grep -E 'fail|✖'") and in
// which the tool's own parser recognises nothing: the part may hold the head of a failed test, or a runner's
// statement that a test failed, while the exit code 0 is the pipe's. Only lines that runners print for failures
// count, not what a passing test may print, such as the name of an exception. The parts are returned unchanged if
// there is no such line, or if a tool has reported its tests' outcomes.
func (s *Session) failsInView(parts []*claim, exit result.Exit) []*claim {
	if failing(exit) || s.stats.binary {
		return parts
	}
	p, ok := s.viewed()
	if !ok || slices.ContainsFunc(parts, func(m *claim) bool { return m.tellsVerdict(p) }) {
		return parts
	}
	text, at := s.failSign(p)
	if text == "" {
		return parts
	}
	m := &claim{parser: p, format: &tool.Format{Name: "text"}, stream: term.Stdout, report: tool.NewReport()}
	if p == nil {
		m.parser, m.shape = s.program(nil), true
	}
	for _, known := range parts {
		if known.parser == m.parser {
			m = known
		}
	}
	f := result.Finding{Kind: result.GenericFinding, Severity: result.SevFailure, Message: text, RawSpan: &at}
	if m.report.Add(f); !m.shape {
		m.report.Doubt = "only part of the output is there"
	}
	if slices.Contains(parts, m) {
		return parts
	}
	return append(parts, m)
}

// tellsVerdict reports whether the part has failures, or all that the viewed tool had to say; if the tool is
// unknown (nil), any part may be its own.
func (m *claim) tellsVerdict(viewed *tool.Parser) bool {
	rep := m.report
	return rep.Claimed > 0 || rep.Failures() > 0 || rep.Complete && rep.Tested && !rep.NoTests && (viewed == nil || m.parser == viewed)
}

// viewed is the tool of whose output the command line shows a part: one that tests or builds, or nil if a program
// of the project or a task runner was run, so that any tool may have printed the output. ok is false for searches
// and version control, which show other people's text.
func (s *Session) viewed() (p *tool.Parser, ok bool) {
	for _, named := range s.named {
		if !s.command.Shortened(named.Matches) {
			continue
		}
		switch {
		case named.Kind == result.Test, named.Kind == result.Build && !named.Runner, named.Kind == result.Generic && named.Fails != nil:
			return named, true
		case named.Runner:
			ok = true
		}
	}
	return nil, ok || s.command.ShortenedOwn() || s.command.Shortened(func(argv []string) bool { return shell.RunsOthers(argv[0]) })
}

// failSign is the first line, with its place, that only a failure has: in a form that many runners share, or in one
// that the tool declares.
func (s *Session) failSign(p *tool.Parser) (text string, at result.Span) {
	eye := scan.NewScanner()
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		eye.Look(&l)
		line := bytes.TrimSpace(l.Text[:min(len(l.Text), maxSign)])
		alarm := l.Alarm >= 0 || inRow(line)
		if fails := says(p, line) || alarm && failForm().Match(line); !fails || excusedForm().Match(line) {
			return true
		}
		text, at = strings.ToValidUTF8(string(line), ""), result.Span{Start: l.Start, End: l.End}
		return false
	})
	return text, at
}

// says reports whether the tool prints such a line only for a failure.
func says(p *tool.Parser, line []byte) bool {
	return p != nil && slices.ContainsFunc(p.Fails, func(start string) bool { return bytes.HasPrefix(line, []byte(start)) })
}

// inRow reports whether the line begins with a digit, as in "1) adds (CartTest)": such a line needs no alarm word.
func inRow(line []byte) bool { return len(line) > 0 && line[0] >= '0' && line[0] <= '9' }

// maxSign is how many bytes of a line are examined.
const maxSign = 300

// failForm matches the forms in which test runners name what failed:
//
//	✖ adds up (7.5ms)            not ok 3 - adds up            --- FAIL: TestAdd (0.00s)
//	FAIL src/cart.test.js        [  FAILED  ] Area.Square      2/2 Test #2: level ...***Failed
//	9 - regex (Failed)           1) test adds (CartTest)       Failures:
//	<failure message="…">        12 tests, 3 failed            "failures": 3
//	12 tests failed              # { total: 3, fail: 1 }
var failForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.Join([]string{
		`[✖✗✘✕×❌]\s+\S`, `not ok\b`, `--- FAIL: `, `(?:::group::)?FAIL(?:ED|URE)?[:\s]\s*\S*[./:]\S`, `FAIL$`,
		`\[  FAILED  \]`, `\d+ FAILED TESTS?$`, `.*\*\*\*(?:Failed|Exception|Timeout|Not Run)\b`,
		`\d+ - .+ \((?:Failed|Not Run|Timeout|SEGFAULT|Subprocess aborted|NUMERICAL|ILLEGAL)\)$`,
		`(?:Failures|Failed examples|Failed tests|failures):$`, `=+ (?:FAILURES|ERRORS) =+$`, `[-⎯═ ]*Failed (?:Tests|Suites) \d`,
		`(?:Failure|Error): test_?\w+\(`, `\d+\) test .+ \(\w`, "(?:# *)?`.*' failed(?: with status \\d+)?$", `\d+\.\s{2,}\w*Error\b`,
		`<(?:failure|error)[ >]`, `<testsuites? [^>]*(?:failures|errors)="[1-9]`, `"(?:failures|failed|numFailedTests|numFailedTestSuites)": ?[1-9]`,
		`\d+ (?:examples?|tests?|scenarios?|specs?)\b.*\b[1-9]\d* fail`, `test cases?: .*\b[1-9]\d* failed`, `\d+%: Checks: \d+, .*(?:Failures|Errors): [1-9]`,
		`panic: `, `fatal error: `, `(?:Segmentation fault|Aborted)(?: \(core dumped\))?$`,
		`assertions: .*\b[1-9]\d* failed`, `# \{ total: .*\bfail: [1-9]`, `[1-9]\d* tests? failed$`, `[1-9]\d* failed$`,
		`[1-9]\d* errors? (?:was|were) not a part of any test`, `(?:\S+ )+compiled with [1-9]\d* errors?\b`, `[1-9]\d* warnings? and [1-9]\d* errors?$`,
		`cc1\w*: all warnings being treated as errors$`,
	}, "|") + ")")
})

// excusedForm matches a failure that the runner itself excuses, or a count of zero.
var excusedForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)# *(todo|skip)\b|\bproblems? \(|\b(0|no|ignored) +(\w+ +)?(fail(ed|ing|ures?)?|errors?)\b`)
})
