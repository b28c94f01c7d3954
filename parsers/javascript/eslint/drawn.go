package eslint

import (
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Formatters of other authors that print a problem in several lines or several problems in one: friendly, mo and
// teamcity.

const rulesPage = "eslint.org/docs/rules/"

// drawn returns a reader of one of these formats. line reports whether a line is the formatter's.
func drawn(line func(e *eslint, s *read.Sink, l tool.Line) (own bool)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		e := newESLint(in)
		rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool { return line(e, s, l) || e.aside(s, l) },
			Turn: func(*read.Sink) { e.endStop() }, End: e.end}.Parse(in)
		return e.finish(rep, e.claims)
	}
}

// friendlyHead reads a line with a mark and the address of the rule's page. In some versions the message follows.
func friendlyHead(text string) (rule, message string, isError, ok bool) {
	mark, rest, two := strings.Cut(strings.TrimSpace(text), "  ")
	page, message, _ := strings.Cut(rest, " ")
	_, rule, ok = strings.Cut(page, rulesPage)
	if rule == "null" {
		rule = ""
	}
	return rule, strings.TrimSpace(message), mark != "⚠", ok && two && lex.IsOneOf(mark, "✘ ⚠ ✖")
}

// friendly reads a problem in several lines, and the counts:
//
//	✘  http://eslint.org/docs/rules/no-undef
//
//	   'foo' is not defined
//
//	   src/a.js:2:15
//	   > 2 | foo()
//
//	✘ 33 problems (26 errors, 7 warnings)
func friendly(e *eslint, s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rule, message, isError, ok := friendlyHead(text); ok {
		return s.Find(l, eslintProblem(rule, message, isError, result.Location{}))
	}
	f := s.Last()
	switch counts := read.Counts(text); {
	case counts["problem"]+counts["problems"] > 0 && lex.HasAnyPrefix(text, "✘ ", "⚠ ", "✖ "):
		e.counts(counts["problem"]+counts["problems"], counts["error"]+counts["errors"])
		return s.Break()
	case e.claims: // the table with the number of violations of each rule
		return strings.Contains(text, rulesPage) || text == "Errors:" || text == "Warnings:"
	case f == nil || text == "":
		return false
	case f.Message == "":
		f.Message = text
	case f.At.Path == "":
		if at := place.LastColons(text); at != nil {
			*f.At = *at
		}
	}
	return s.More(l)
}

// mo reads the line with the path of a file, "1:" above the arrows to a line, and at the end of each arrow
// "└─ ✖ text. [ rule ]". The format has no columns.
func mo(e *eslint, s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, _, fire := strings.Cut(text, " 🔥 ")
	_, rest, arrow := strings.Cut(text, "└─ ")
	counts := read.Counts(text)
	number, bare := strings.CutSuffix(text, ":")
	switch mark, message, two := strings.Cut(rest, " "); {
	case fire:
		s.Path = strings.Clone(path)
	case s.Path == "":
		return false
	case bare && lex.IsDigits(number):
		e.row = lex.Atoi(number)
	case arrow && two && lex.IsOneOf(mark, "✖ ⚠"):
		message, tail, _ := lex.CutLast(message, " [ ")
		rule, _, _ := strings.Cut(tail, " ]")
		s.Find(l, eslintProblem(rule, message, mark == "✖", result.Location{Path: s.Path, Line: e.row}))
	case len(counts) == 1:
		n := counts["error"] + counts["errors"]
		e.counts(n+counts["warning"]+counts["warnings"], n)
	}
	return true
}

// violations begins the name that the formatter teamcity gives to the test of a file.
const violations = "ESLint Violations: "

var violationForms = sync.OnceValue(func() []*read.Form {
	return forms("line {line}, col {column}, {message} ({rule})", "line {line}, col {column}, {message}")
})

// violated reads the format teamcity, a message for each file, with a line for each of its problems:
//
//	##teamcity[testFailed name='ESLint Violations: src/a.js' message='line 1, col 1, text (rule)|nline …']
//	##teamcity[testStdOut name='ESLint Violations: src/a.js' out='warning: line 2, col 7, text (rule)']
func violated(e *eslint, s *read.Sink, l tool.Line) bool {
	if _, ok := teamcity.Message(l.Text); !ok {
		return false
	}
	n := lex.Atoi(teamcity.Attribute(l.Text, "value"))
	switch teamcity.Attribute(l.Text, "key") {
	case "ESLint Error Count":
		e.counts(n, n)
	case "ESLint Warning Count":
		e.counts(n, 0)
	}
	path, ok := strings.CutPrefix(teamcity.Attribute(l.Text, "name"), violations)
	said := teamcity.Attribute(l.Text, "message") + teamcity.Attribute(l.Text, "out")
	for line := range strings.SplitSeq(said, "\n") {
		line, warns := strings.CutPrefix(line, "warning: ")
		for _, form := range violationForms() {
			var f result.Finding
			if m, matches := form.Match(line); ok && matches {
				m.Fill(&f, path)
				s.Find(l, eslintProblem(f.Rule, f.Message, !warns, *f.At))
				break
			}
		}
	}
	return s.Break()
}
