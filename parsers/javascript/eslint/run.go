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

// eslint is the common part of all formats: facts about the run, and the text beside the problems.
type eslint struct {
	in      *tool.Input
	crash   *read.NodeCrash
	stops   []eslintStop
	stop    bool // the last of stops may continue
	blank   int  // number of empty lines since the last of stops
	named   bool // the command names eslint
	kin     bool // the output is of a linter that prints with its formatters
	sure    bool // a command that a runner echoes, or the format, shows that the output is eslint's
	foreign bool // rows of another linter were seen
	version string
	row     int // current line of the source, in the format mo
	fixes   int // number of problems that --fix would solve

	problems, errors int  // eslint's own counts
	claims           bool // eslint's counts include the errors

	begun, counted bool // begun: a problem follows the last closing line; counted: the last line of eslint's was a closing line
	cut, ended     bool // cut: a stream lacks its closing line; ended: a stream has one
}

func newESLint(in *tool.Input) *eslint {
	words := in.Shell + " " + strings.Join(in.Argv, " ")
	return &eslint{in: in, crash: read.NewNodeCrash(in, isESLintCommand), named: in.Tool == "eslint" || strings.Contains(words, "eslint")}
}

// aside takes a line that says why eslint stopped.
func (e *eslint) aside(s *read.Sink, l tool.Line) bool {
	if e.crash.See(l) {
		return true
	}
	if !e.stopLine(l) {
		e.echo(l.Text)
		return false
	}
	return s.Cover(l)
}

// stopped reports whether eslint said why it could not go on, or that it failed.
func (e *eslint) stopped() bool { return len(e.stops) > 0 || e.crash.Ran && e.crash.Runs }

// end adds a finding for each message that stopped eslint. It is called after the last line.
func (e *eslint) end(s *read.Sink) {
	for i := range e.stops {
		s.Add(e.stops[i].finding())
	}
	e.crash.Report(s.Report)
}

// endStream ends a stream.
func (e *eslint) endStream() {
	e.cut, e.ended = e.cut || e.begun && !e.counted, e.ended || e.counted
	e.begun, e.counted = false, false
	e.endStop()
}

// complete reports whether every stream with problems has its closing line.
func (e *eslint) complete() bool { return e.ended && !e.cut }

// counts adds to eslint's own counts.
func (e *eslint) counts(problems, errors int) {
	e.problems, e.errors, e.claims = e.problems+problems, e.errors+errors, true
}

const eslintFixable = " potentially fixable with the `--fix` option."

// fixableLine reads the number of problems that --fix would solve from the last line.
func (e *eslint) fixableLine(text string) {
	for word := range strings.FieldsSeq(text) {
		e.fixes += lex.Atoi(word)
	}
}

// document reads a format that is one document, and the messages beside it that stopped eslint.
func (e *eslint) document(document func(in *tool.Input) *tool.Report) *tool.Report {
	rep := document(e.in)
	if rep == nil {
		return nil
	}
	words := read.Text{Line: e.aside, Turn: func(*read.Sink) { e.endStop() }, End: e.end}
	return e.finish(read.Beside(func(*tool.Input) *tool.Report { return rep }, words)(e.in), rep.Complete)
}

// finish completes the report of a format. It returns nil if nothing was eslint's.
func (e *eslint) finish(rep *tool.Report, complete bool) *tool.Report {
	if rep == nil || e.isAnother(rep) {
		return nil
	}
	beside := len(e.stops) + lex.Btoi(e.crash.Ran && e.crash.Runs)
	problems, failures := len(rep.Findings)+rep.Dropped-beside, rep.Failures()-beside
	if problems < e.problems {
		rep.Doubt = "eslint counts more problems than could be read"
	}
	if e.claims && e.problems > 0 {
		if rep.Claimed = e.errors; rep.Dropped == 0 && failures > e.errors {
			rep.Doubt = "eslint counts fewer errors than were read"
		}
	}
	rep.Complete = complete || problems == 0 && len(rep.Findings) > 0 // eslint said why it did not lint
	if len(rep.Findings) == 0 && !complete {
		return nil
	}
	rep.Signed = rep.Signed || e.stopped() || slices.ContainsFunc(rep.Findings, isOwn)
	rep.Counts = tool.BySeverity(rep.Findings)
	rep.Version = cmp.Or(rep.Version, e.version)
	if e.fixes > 0 {
		result.SetExtra(&rep.Extra, "fixable", e.fixes)
	}
	e.means(rep)
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	return rep
}

// means sets the meaning of the exit code if eslint stopped.
func (e *eslint) means(rep *tool.Report) {
	for _, f := range rep.Findings {
		switch {
		case f.Kind == result.Panic:
			rep.Meaning = result.MeansInternal
			return
		case f.Kind == result.GenericFinding && f.Rule == "":
			rep.Meaning = result.MeansUsage
		}
	}
}

// eslintProblem returns a finding with the parts that every format has.
func eslintProblem(rule, message string, isError bool, at result.Location) result.Finding {
	message = strings.TrimSpace(message)
	first, _, more := strings.Cut(message, "\n")
	first = strings.TrimSpace(strings.ReplaceAll(first, "\r", " "))
	f := result.Finding{Severity: eslintSeverity(isError), Rule: rule, Message: withoutPlace(first, at.Line), At: &at}
	if more {
		f.Detail = message
	}
	return f
}

func eslintSeverity(isError bool) result.Severity {
	if isError {
		return result.SevError
	}
	return result.SevWarning
}

// withoutPlace removes " (1:13)" from a parser's message, which repeats the place of the problem: the identity of a
// finding must not change with its line.
func withoutPlace(message string, line int) string {
	i := strings.LastIndex(message, " (")
	if i < 0 || !isESLintFatal(message) || !strings.HasSuffix(message, ")") {
		return message
	}
	number, column, _ := strings.Cut(message[i+2:len(message)-1], ":")
	if !lex.IsDigits(number) || !lex.IsDigits(column) || lex.Atoi(number) != line {
		return message
	}
	return message[:i]
}

// isESLintFatal reports whether a message says that a file does not parse. It has no rule, whatever the message ends
// with.
func isESLintFatal(message string) bool { return strings.HasPrefix(message, "Parsing error: ") }

// isESLintRule reports whether text can be a rule, such as "no-var" or "@scope/plugin/rule.name".
func isESLintRule(text string) bool {
	for i := range len(text) {
		if c := text[i]; lex.Letter(c) == 0 && (c < '0' || c > '9') && strings.IndexByte("@/-_.", c) < 0 {
			return false
		}
	}
	return text != ""
}

// isRuleOf reports whether last is the rule behind a message, rather than its last word. In a parse error it is only
// for plugins with their own parser: vue/no-parsing-error, prettier/prettier.
func isRuleOf(message, last string) bool {
	return isESLintRule(last) && (!isESLintFatal(message) || strings.Contains(last, "/") && !strings.Contains(last, "."))
}
