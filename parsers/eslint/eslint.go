package eslint

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslint, versions 7 to 10, with the formatters it has, those that were its own
// until 9 (unix, compact, checkstyle, junit, tap, visualstudio, codeframe), and
// others that are used: sarif, pretty, which is xo's, and those of standard, next
// and Create React App.
//
// # The formats
//
// The default, stylish, prints for each file an empty line, its absolute path
// and a table of rows, and at the end how many problems there were:
//
//	/home/dev/shop/src/a.js
//	   1:10  error    Missing semicolon              semi
//	  12:5   warning  Unexpected console statement   no-console
//
//	✖ 2 problems (1 error, 1 warning)
//
// It takes the full stop off a message. A message of several lines goes on at
// the beginning of the next line, with the rule at its very end, and may hold
// empty lines. What has no rule (a file that does not parse, an unused
// directive) ends with its message. A clean run prints nothing.
//
// Problems go to stdout; what kept eslint from looking, and that there were too
// many warnings, to stderr.
//
// # What is believed
//
// The counts of the closing line, of each file in JSON, the closing tag, the
// plan of TAP.
//
// # What a finding is
//
// The rule as eslint names it. The message is the first line: what plugins put
// below quotes the source with its line numbers, and stands in the detail.
// Columns count UTF-16 units. "ESLint found too many warnings" is a finding of
// its own, for it alone explains the exit code then.
var _ = Room.Add("eslint eslint_d", func() *tool.Parser {
	return &tool.Parser{
		Tool: "eslint", Kind: result.Lint, Version: 4, ColumnUnit: "utf16",
		About:   "eslint 7 to 10: stylish, json, json-with-metadata, unix, compact, checkstyle, junit, tap, sarif, visualstudio, codeframe, pretty (xo), standard, next lint, react-scripts",
		Matches: isESLintCommand,
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Files: []tool.Files{{
			Flags: append(tool.OutputFlags("eslint", "-o", "--output-file"), tool.OutputFlags("eslint_d", "-o", "--output-file")...), Variables: []string{"ESLINT_JUNIT_OUTPUT"},
		}},
		JUnit: &tool.Dialect{Own: true, Suite: func(tag *tool.SuiteTag) bool { return tag.Package == "org.eslint" }},
		Formats: []tool.Format{
			{Name: "json", Evidence: tool.Shape, Starts: eslintJSONStarts, Parse: parseESLintJSON},
			{Name: "sarif", Starts: []string{`"name": "ESLint"`}, Parse: parseESLintSARIF},
			{Name: "checkstyle", Starts: []string{"<?xml…<checkstyle ", "<checkstyle "}, Sniff: sniffESLintCheckstyle, Parse: parseESLintXML},
			{Name: "junit", Starts: []string{`<testsuite package="org.eslint"`}, Parse: parseESLintXML},
			{Name: "tap", Starts: []string{"ruleId: "}, Parse: parseESLintTAP},
			{Name: "unix", Starts: eslintPathStarts("…[Error", "…[Warning"), Sniff: sniffESLintUnix, Parse: parseESLintUnix},
			{Name: "compact", Starts: eslintPathStarts("…, Error - ", "…, Warning - "), Sniff: sniffESLintCompact, Parse: parseESLintCompact},
			{Name: "visualstudio", Starts: eslintPathStarts("…): error ", "…): warning "), Sniff: sniffESLintStudio, Parse: parseESLintStudio},
			{Name: "standard", Starts: eslintPathStarts("…)"), Sniff: sniffStandard, Parse: parseStandard},
			{Name: "codeframe", Starts: []string{"error: … at ", "warning: … at "}, Sniff: sniffESLintFrame, Parse: parseESLintFrames},
			{Name: "pretty", Starts: []string{"✖  ", "⚠  ", "×  ", "‼  "}, Sniff: sniffPretty, Parse: parseESLintPretty},
			{Name: "next", Starts: nextStarts(), Sniff: sniffNext, Parse: parseNext},
			{Name: "cra", Starts: []string{"Line …:  "}, Sniff: sniffCRA, Parse: parseCRA},
			{Name: "text", Evidence: tool.Shape, Starts: eslintTextStarts(), Sniff: sniffESLintText, Parse: parseESLintStylish},
		},
	}
}, tool.WritesFiles)

func isESLintCommand(argv []string) bool { return argv[0] == "eslint" || argv[0] == "eslint_d" }

// eslintPathStarts begin a line that begins with an absolute path, as all of
// eslint's do, or with the "<text>" of --stdin.
func eslintPathStarts(later ...string) (starts []string) {
	for _, more := range later {
		starts = append(starts, "/"+more, "<text>"+more)
		for c := byte('A'); c <= 'Z'; c++ {
			starts = append(starts, string([]byte{c})+`:\`+more, string([]byte{c | 0x20})+`:\`+more)
		}
	}
	return starts
}

// eslintRun is what every format ends in.
type eslintRun struct {
	in      *tool.Input
	rep     *tool.Report
	trouble [2]eslintTrouble // of each stream
	crash   *read.NodeCrash
	named   bool // the command names eslint
	sure    bool // so does what a runner echoes, or the format
	alike   bool // the command is another linter
	foreign bool // rows of another linter were seen
}

func newESLintRun(in *tool.Input) *eslintRun {
	words := in.Shell + " " + strings.Join(in.Argv, " ")
	r := &eslintRun{in: in, rep: tool.NewReport(), crash: read.NewNodeCrash(in, isESLintCommand), named: in.Tool == "eslint" || strings.Contains(words, "eslint")}
	for i := range r.trouble {
		r.trouble[i].named = r.named
	}
	r.alike = isESLintAlike(in)
	return r
}

// own covers a line. Lines come in order but for those of a message whose end
// had to be seen first.
func (r *eslintRun) own(l tool.Line) {
	if n := len(r.rep.Covered); n > 0 && r.rep.Covered[n-1].End == l.Start {
		r.rep.Covered[n-1].End = l.End
		return
	}
	r.rep.Covered = append(r.rep.Covered, result.Span{Start: l.Start, End: l.End})
}

// aside takes a line that says why eslint stopped.
func (r *eslintRun) aside(l tool.Line) bool {
	if r.crash.See(l) {
		return true
	}
	if !r.trouble[l.Stream-tool.Stdout].line(l) {
		r.echo(l.Text)
		return false
	}
	r.own(l)
	return true
}

// stopped: eslint said why it could not go on, or that it failed.
func (r *eslintRun) stopped() bool {
	return len(r.trouble[0].found)+len(r.trouble[1].found) > 0 || r.crash.Ran && r.crash.Runs
}

// problem adds a finding that ends at end.
func (r *eslintRun) problem(rule, message string, isError bool, at result.Location, l tool.Line, end int64) {
	if r.rep.Full(eslintSeverity(isError)) {
		return
	}
	f := eslintProblem(rule, message, isError, at, l)
	f.RawSpan.End = max(f.RawSpan.End, end)
	r.rep.Add(f)
}

// eslintProblem is a finding with what every format tells.
func eslintProblem(rule, message string, isError bool, at result.Location, l tool.Line) result.Finding {
	message, detail := eslintHeadline(message)
	message = withoutPlace(message, at.Line)
	f := result.Finding{
		Kind: result.Diagnostic, Severity: eslintSeverity(isError), Rule: rule, Message: message, Detail: detail, At: &at,
		RawSpan: &result.Span{Start: l.Start, End: l.End},
	}
	return f
}

// withoutPlace takes " (1:13)" off a parser's message, which says again where the
// problem is: the identity of a finding must not move with its line.
func withoutPlace(message string, line int) string {
	i := strings.LastIndex(message, " (")
	if i < 0 || !isESLintFatal(message) || !strings.HasSuffix(message, ")") {
		return message
	}
	number, column, ok := strings.Cut(message[i+2:len(message)-1], ":")
	if !ok || !lex.IsDigits(number) || !lex.IsDigits(column) || lex.Atoi(number) != line {
		return message
	}
	return message[:i]
}

func eslintSeverity(isError bool) result.Severity {
	if isError {
		return result.SevError
	}
	return result.SevWarning
}

// eslintHeadline is the first line of a message and, if there are more, all of it.
func eslintHeadline(message string) (first, all string) {
	message = strings.TrimSpace(message)
	first, _, more := strings.Cut(message, "\n")
	if more {
		all = message
	}
	return strings.TrimSpace(strings.ReplaceAll(first, "\r", " ")), all
}

// finish is the report: problems, then what stopped eslint. It is nil where
// nothing was eslint's.
func (r *eslintRun) finish(complete bool) *tool.Report {
	if r.isAnother() {
		return nil
	}
	rep := r.rep
	problems := len(rep.Findings) + rep.Dropped
	rep.Complete = complete
	rep.Signed = rep.Signed || r.stopped() || slices.ContainsFunc(rep.Findings, isOwn)
	for _, f := range rep.Findings {
		rep.Counts[string(f.Severity)]++
	}
	for i := range r.trouble {
		r.trouble[i].report(rep)
	}
	if r.crash.Report(rep) {
		rep.Counts["error"]++
		rep.Meaning = result.MeansInternal
	}
	if len(rep.Findings) == 0 && !complete {
		return nil
	}
	if problems == 0 && len(rep.Findings) > 0 {
		rep.Complete = true // it said why it did not look
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	return rep
}

// counted compares the report with what eslint counts.
func (r *eslintRun) counted(problems, errors int) {
	r.missing(problems)
	if problems == 0 {
		return
	}
	r.rep.Claimed = errors
	if r.rep.Dropped == 0 && r.rep.Failures() > errors {
		r.rep.Doubt = "eslint counts fewer errors than were read"
	}
}

// missing doubts a report in which fewer problems were read than eslint counts.
func (r *eslintRun) missing(counted int) {
	if got := len(r.rep.Findings) + r.rep.Dropped; got < counted {
		r.rep.Doubt = "eslint counts more problems than could be read"
	}
}
