package junit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Lints reads documents that linters wrote. Their cases are findings: the rule is the failure's type or the case's
// name, and the place is in the failure's message, in its text, or in a name. It returns nil if a failed case is no
// such finding.
func Lints(in *tool.Input) *tool.Report {
	if run := runOf(in); !run.foreign {
		return run.lints()
	}
	return nil
}

// OwnLints is Lints for a linter with a dialect of its own (tool.Dialect). A failed case that is no finding is left
// out, and the report says so.
func OwnLints(in *tool.Input) *tool.Report { return runOf(in).lints() }

// lints is the report of documents that are all a linter's; otherwise nil.
func (run *junitRun) lints() *tool.Report {
	if run.documents == 0 || !run.isLinters() {
		return nil
	}
	rep := run.linted
	rep.Findings = slices.Clone(rep.Findings)
	rep.Complete, rep.Covered = !run.cut, run.rep.Covered
	rep.Doubt = run.rep.Doubt
	rep.Counts = tool.BySeverity(rep.Findings)
	return &rep
}

func (run *junitRun) isLinters() bool {
	return (run.lintCases > 0 || run.foreign) && run.lintCases == run.badCases
}

// onlyCounts reports whether a linter wrote the document, and no more findings are kept.
func (run *junitRun) onlyCounts() bool {
	return run.foreign && len(run.linted.Findings) >= run.linted.Most()
}

// lint adds the findings of a failed case, if a linter wrote it.
func (r *junitReader) lint(end int64) {
	t := &r.test
	r.run.badCases++
	if r.run.badCases-1 != r.run.lintCases {
		return // an earlier case was a test
	}
	if len(t.outcomes) > 0 && r.run.onlyCounts() {
		r.run.lintCases++
		r.run.linted.Drop(t.outcomes[0].stated(), 1)
		return
	}
	for i := range t.outcomes {
		all := r.lintRows(&t.outcomes[i])
		if f, ok := r.lintFinding(&t.outcomes[i]); len(all) == 0 && ok {
			if all = read.Apart(&f); len(all) == 0 {
				f.Message, _, _ = strings.Cut(f.Message, "\n")
				all = []result.Finding{f}
			}
		}
		if len(all) == 0 {
			if r.run.foreign {
				r.run.lintCases++
				r.run.doubt("a case of the report could not be read")
			}
			return
		}
		if n := len(r.suites) - 1; n >= 0 { // the suite counts rows, not cases
			r.suites[n].seen.join(junitTally{tests: len(all) - 1, bad: len(all) - 1, whys: len(all) - 1})
		}
		for _, f := range all {
			if f.RawSpan = (&result.Span{Start: t.start, End: end}); len(r.run.linted.Findings) >= r.run.linted.Most() {
				r.run.linted.Drop(f.Severity, 1)
			} else {
				r.run.linted.Add(f)
			}
		}
	}
	r.run.lintCases += lex.Btoi(len(t.outcomes) > 0)
}

// stated is the severity in a text such as "line 3, col 7, Warning - text (rule)".
func (o *junitOutcome) stated() result.Severity {
	words, _, _ := strings.Cut(o.text.head.String(), " - ")
	_, word, _ := lex.CutLast(words, ", ")
	return cmp.Or(read.SeverityOf(word), result.SevError)
}

// lintRows reads a case that is named after its file, and whose text has a row for each finding, as cpplint writes
// it:
//
//	<testcase name="src/a.cc"><failure>8: Use int64_t [runtime/int] [4]
//	9: Missing space after , [whitespace/comma] [3]
//
// A row with line 0 is about the whole file. If the case names no file, each row does. It returns nil unless all
// rows are findings.
func (r *junitReader) lintRows(o *junitOutcome) (all []result.Finding) {
	path := xmltext.Meant(r.test.name)
	named := place.IsFile(path)
	for _, row := range o.text.lines() {
		if d, ok := read.CutDiagnostic(row); !named && ok && d.Word != "" {
			d.Message, d.Rule = read.Brackets.Cut(d.Message)
			all = append(all, result.Finding{Kind: result.Diagnostic, Severity: read.SeverityOf(d.Word), Rule: d.Rule, Message: d.Message, At: &d.At})
			continue
		}
		number, text, ok := strings.Cut(row, ": ")
		text, confidence := read.Brackets.Cut(text)
		text, rule := read.Brackets.Cut(text)
		if !named || !ok || !lex.IsDigits(number) || !lex.IsDigits(confidence) || !strings.Contains(rule, "/") {
			return nil
		}
		at := &result.Location{Path: path, Line: lex.Atoi(number)}
		all = append(all, result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: rule, Message: strings.TrimSpace(text), At: at})
	}
	return all
}

// lintFinding reads an outcome in the forms that linters use:
//
//	<testcase name="govet" classname="a.go:3:7"><failure message="a.go:3:7: printf: text" type="">
//	<testcase name="Rule.Name at src/A.php (3:7)"><failure type="error" message="text">
//	<testcase name="F401, text" file="a.py"><failure message="a.py:3:7: F401 text">
//	<testcase name="a.lua:1" classname="a.lua"><failure type="W211" message="a.lua:3:7: text">
//	<testcase name="Lint/Syntax" classname="a"><failure type="Lint/Syntax" message="Lint/Syntax: text">src/a.rb:3:7
//	<testcase name="E3006 Title"><failure type="text" message="text at a.yaml:3:7">
//	<testcase name="a.py-1"><error message="text" type="pylint Error">a.py:1: [unused-import(pylint), run] text
//	<testcase name="/p/a.feature"><error message="text" type="gherkin-lint-error">/p/a.feature:3 (indentation) text
//	<testcase name="[HIGH][CKV_AWS_20] text"><failure message="text" type="failure">File: /main.tf: 1-4
//	<testcase name="no-eval" classname="a.py" file="a.py" line="3"><failure type="WARNING" message="text">
//	<testcase name="FIELD_NAME_3_7"><failure message="a.proto:3:7:text" type="FIELD_NAME">
//	<testcase name="missing-import:L3" classname="a.py" file="a.py" line="3"><failure type="missing-import" message="text">
//	<testcase name="struct" file="a.yaml" line="3"><error message="text" type="struct">Severity: error
//	<testsuite name="a.js"><testcase name="no-var"><failure message="text">line 3, col 7, Warning - text (no-var)
//	<testsuite name="/p/a.css"><testcase name="net.csslint.IDs"><error message="text">3:7:#id { }
//	<testsuite name="/p/a.css"><testcase name="block-no-empty"><failure type="error" message="text (block-no-empty)">On line 3, column 7 in /p/a.css
//	<testcase name="Lint a.md"><failure type="MD018" message="text">text at line 3, column 7
//	<testcase name="colons:3:7" classname="a.yaml"><failure message="text" type="colons">3:7 text
//	<testcase name="RULE" classname="a"><failure message="text" type="error">line 3, col 7
//	<testcase name="a:3:7" classname="pylint" file="a.py" line="3"><failure type="warning" message="rule">W1514:text
func (r *junitReader) lintFinding(o *junitOutcome) (f result.Finding, ok bool) {
	t := &r.test
	name, class := xmltext.Meant(t.name), xmltext.Meant(t.class)
	if pkg := r.suite().pkg; pkg != "" {
		name = strings.TrimPrefix(name, pkg+".") // "org.ty.unresolved-reference"
	}
	message := strings.TrimSpace(cmp.Or(o.message, strings.Join(o.text.lines(), "\n")))
	at, rest, placed := place.Cut(message)
	f = result.Finding{Kind: result.Diagnostic, Severity: result.SevError, RawSeverity: o.class, Rule: name, Message: message}
	if position, ok := strings.CutPrefix(name, o.class); ok && o.class != "" && position != "" && strings.Trim(position, "_:L0123456789") == "" {
		if name = o.class; placed { // positions are no part of a rule: they change with the lines above
			f.Rule, f.RawSeverity, f.At, f.Message = name, "", &at, rest
			return f, at.Line > 0 && rest != ""
		}
	}
	if isRuleName(o.class) {
		f.Rule, f.RawSeverity = o.class, ""
	}
	if severity := read.SeverityOf(f.RawSeverity); severity != "" {
		f.Severity = severity
	}
	switch rule, where, named := cutNamed(name); {
	case name != "" && t.line > 0 && place.IsFile(xmltext.Meant(t.file)) && (name == o.class || class == xmltext.Meant(t.file) && read.SeverityOf(o.class) != ""):
		f.Rule = name
		lintAttributes(&f, t, o)
	case t.line > 0 && place.LastColons(name) != nil:
		code, text, told := strings.Cut(lex.FirstOf(o.text.lines()), ":")
		if digits := code[min(1, len(code)):]; !told || !lex.IsDigits(digits) {
			return f, false
		}
		f.Severity = cmp.Or(read.SeverityOf(o.class), result.SevWarning)
		f.Rule, f.RuleName, f.Message, f.At = code, f.Message, text, &result.Location{Path: xmltext.Meant(t.file), Line: t.line}
	case lintPlaced(&f, o), lintOfFile(&f, name, o), r.lintStated(&f, name, class, o):
	case named:
		f.Rule, f.At = rule, &where
	case place.LastColons(class) != nil:
		if f.At = place.LastColons(class); placed {
			f.Message = rest
		}
	case placed && at.Line > 0 && class == at.Path+":"+strconv.Itoa(at.Line):
		f.At, f.Message = &at, rest
	case placed && at.Line > 0 && (isRuleName(o.class) || isRuleName(firstWord(name)) || place.IsFile(name)):
		f.At = &at
		f.Rule, f.Message = ruleBefore(rest, f.Rule, firstWord(name))
	case placeBehind(message) != nil && isRuleName(firstWord(name)):
		f.Rule, f.At = firstWord(name), placeBehind(message)
		f.Message = message[:strings.LastIndex(message, " at ")]
	case isRuleName(o.class):
		for _, line := range o.text.lines() {
			if f.At == nil {
				f.At = place.LastColons(strings.TrimSpace(line))
			}
		}
		f.Message = strings.TrimPrefix(f.Message, f.Rule+": ")
	default:
		r.lintLine(&f, name, o)
	}
	return f, f.At != nil && f.At.Line > 0 && f.Message != "" && f.Message[0] != '\n'
}

// lintAttributes reads the place in the attributes of a case, and the severity and the column in its text.
func lintAttributes(f *result.Finding, t *junitCase, o *junitOutcome) {
	if f.At = (&result.Location{Path: xmltext.Meant(t.file), Line: t.line}); f.RawSeverity == f.Rule {
		f.RawSeverity = ""
	}
	for _, line := range o.text.lines() {
		switch label, value, _ := strings.Cut(line, ": "); label {
		case "Severity":
			if severity := read.SeverityOf(value); severity != "" {
				f.Severity, f.RawSeverity = severity, value
			}
		case "Column":
			f.At.Column = lex.Atoi(value)
		}
	}
}

// lintPlaced reads a text that repeats the place, and a rule in brackets or parentheses, before the message.
func lintPlaced(f *result.Finding, o *junitOutcome) bool {
	at, rest, ok := place.Cut(lex.FirstOf(o.text.lines()))
	rule, found := strings.CutSuffix(rest, " "+o.message)
	if !ok || !found || o.message == "" || at.Line == 0 || len(rule) < 3 || rule[:1]+rule[len(rule)-1:] != "[]" && rule[:1]+rule[len(rule)-1:] != "()" {
		return false
	}
	rule, _, _ = strings.Cut(rule[1:len(rule)-1], ",") // "[unused-import(pylint), run]"
	f.Rule, _, _ = strings.Cut(rule, "(")
	f.At, f.RawSeverity = &at, ""
	return true
}

// lintOfFile reads a case "[HIGH][CKV_AWS_20] text" whose failure has a line "File: /main.tf: 1-4".
func lintOfFile(f *result.Finding, name string, o *junitOutcome) bool {
	level, rest, _ := strings.Cut(strings.TrimPrefix(name, "["), "][")
	rule, message, ok := strings.Cut(rest, "] ")
	if !ok || !strings.HasPrefix(name, "[") || strings.Contains(rule, " ") {
		return false
	}
	for _, line := range o.text.lines() {
		if where, has := strings.CutPrefix(line, "File: "); has {
			path, lines, _ := lex.CutLast(where, ": ")
			from, to, _ := strings.Cut(lines, "-")
			f.Rule, f.Message, f.RawSeverity = rule, message, strings.ToLower(level)
			f.At = &result.Location{Path: path, Line: lex.Atoi(from), EndLine: lex.Atoi(to)}
			return f.At.Line > 0
		}
	}
	return false
}

// placeBehind is the place at the end of "text at a.yaml:3:7".
func placeBehind(message string) *result.Location {
	i := strings.LastIndex(message, " at ")
	if i < 0 {
		return nil
	}
	return place.LastColons(message[i+len(" at "):])
}

// cutNamed reads "Rule.Name at src/A.php (3:7)".
func cutNamed(name string) (rule string, at result.Location, ok bool) {
	rule, where, ok := strings.Cut(name, " at ")
	path, position, found := strings.Cut(strings.TrimSuffix(where, ")"), " (")
	line, column, both := strings.Cut(position, ":")
	at = result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
	return rule, at, ok && found && both && at.Line > 0 && !strings.Contains(rule, " ")
}

// ruleBefore removes the rule from a message that begins with it.
func ruleBefore(message, rule, named string) (string, string) {
	code := firstWord(message)
	if rest := strings.TrimLeft(strings.TrimPrefix(message, code), ": "); rest != "" && code != "" && (code == named || code == rule) {
		return code, rest
	}
	if isRuleName(rule) {
		return rule, message
	}
	return "", message
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.TrimRight(word, ",:")
}

// isRuleName reports whether a word is a rule, such as "F401", "no-undef" and "Lint/Syntax", and not an exception's
// class or a severity.
func isRuleName(word string) bool {
	return word != "" && strings.ContainsAny(word, "0123456789-/") && !strings.ContainsAny(word, " .:\\") && exceptionClass(word) == ""
}
