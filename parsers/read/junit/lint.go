package junit

import (
	"cmp"
	"slices"
	"strings"
	"sync"

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

// lintForm is a form in which linters write a finding: what the parts of a case say, as read.Form has it. An empty
// form says nothing about its part. A rule, a message and a path that stand in several parts are the same in all.
type lintForm struct {
	name, class, kind, message string
	text                       []string // each describes a line of the text, or the text
}

var lintForms = sync.OnceValue(func() (all [][]*read.Form) {
	for _, l := range [...]lintForm{
		{name: "{rule}", text: []string{"line {line}, col {column}, {severity} - {message} ({rule})"}},
		{name: "{rule}", text: []string{"line {line}, col {column}, {severity} - {message}"}},
		{text: []string{"line {line}, col {column}, {severity} - {message}"}},
		{name: "{rule}_{line}_{column}", kind: "{rule}", message: "{path}:{line}:{column}:{message}"},
		{name: "{rule}:{line}:{column}", kind: "{rule}", message: "{message}"},
		{name: "{rule}:L{line}", kind: "{rule}", message: "{message}"},
		{name: "{}:{line}:{}", kind: "{severity}", message: "{rule_name}", text: []string{"{rule}:{message}", "{path}:{line}:{}"}},
		{name: "{rule}", kind: "{rule}", message: "{message}", text: []string{"Severity: {severity}", "Line: {line}", "Column: {column}"}},
		{name: "{rule}", class: "{path}", kind: "{severity}", message: "{message}"},
		{name: "[{}][{rule}] {message}", text: []string{"File: {path}: {line}-{end_line}"}},
		{name: "{rule} at {path} ({line}:{column})", kind: "{severity}", message: "{message}"},
		{name: "{rule}, {message}", kind: "{severity}", message: "{path}:{line}:{column}: {rule} {message}"},
		{name: "{rule} {}", message: "{message} at {path}:{line}:{column}"},
		{name: "{rule}", class: "{path}:{line}:{column}", message: "{path}:{line}:{column}: {message}"},
		{name: "{rule}", class: "{path}:{line}", message: "{path}:{line}: {message}"},
		{name: "{path}:{line}", kind: "{rule}", message: "{path}:{line}:{column}: {message}"},
		{name: "{rule}", kind: "{rule}", message: "{rule}: {message}", text: []string{"{path}:{line}:{column}"}},
		{message: "{message}", text: []string{"{path}:{line}: [{rule}({}] {message}"}},
		{message: "{message}", text: []string{"{path}:{line}: [{rule}] {message}"}},
		{message: "{message}", text: []string{"{path}:{line} ({rule}) {message}"}},
		{name: "{rule}", kind: "{severity}", message: "{message} ({rule})", text: []string{"On line {line}, column {column} in {path}"}},
		{name: "{rule}", message: "{message}", text: []string{"line {line}, col {column}, {message}"}},
		{name: "{rule}", message: "{message}", text: []string{"line {line}, column {column}, {message}"}},
		{name: "net.protolint.{rule}", class: "{path}", kind: "{severity}", message: "{message}", text: []string{"line {line}, col {column}"}},
		{name: "Lint {path}", kind: "{rule}", text: []string{"{message} at line {line}, column {column}"}},
		{name: "{rule}", message: "{message}", text: []string{"{line}:{column}:{}"}},
		{text: []string{"[{path}:{line}] - {message} (Confidence: {}"}},
		{text: []string{"[{path}:{line}] - {message}"}},
		{name: "Line {line}: {message}", text: []string{"Line {}: {message}({path}:{line})"}},
	} {
		var forms []*read.Form
		for _, text := range append([]string{l.name, l.class, l.kind, l.message}, l.text...) {
			forms = append(forms, read.FormOf(text))
		}
		all = append(all, forms)
	}
	return all
})

// lintFinding reads an outcome in the first form that describes it.
func (r *junitReader) lintFinding(o *junitOutcome) (f result.Finding, ok bool) {
	t := &r.test
	name, class, lines := xmltext.Meant(t.name), xmltext.Meant(t.class), o.text.lines()
	if pkg := r.suite().pkg; pkg != "" {
		name = strings.TrimPrefix(name, pkg+".") // "org.ty.unresolved-reference"
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	parts := []string{name, class, o.class, cmp.Or(strings.TrimSpace(o.message), text)}
	path := ""
	for _, file := range []string{xmltext.Meant(t.file), r.suite().name, class} {
		if path == "" && place.IsFile(strings.ReplaceAll(file, " ", "")) {
			path = file
		}
	}
	for _, forms := range lintForms() {
		f = result.Finding{Kind: result.Diagnostic, Severity: result.SevError}
		if t.line > 0 && path != "" {
			f.At = &result.Location{Path: path, Line: t.line}
		}
		if lintMatches(&f, forms, parts, append(lines, text), path) && f.At != nil && f.At.Line > 0 && (f.At.Path == path || f.At.Path == class || place.IsFile(f.At.Path)) {
			return f, true
		}
	}
	if r.run.foreign && strings.HasSuffix(path, ".ipynb") { // ruff gives no places in the cells of a notebook
		return result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: name, Message: parts[3], At: &result.Location{Path: path}}, true
	}
	return f, false
}

// lintMatches fills a finding with what forms read in the parts of a case, and in its text.
func lintMatches(f *result.Finding, forms []*read.Form, parts, lines []string, path string) bool {
	for i, form := range forms {
		if form == nil {
			continue
		}
		tried := lines
		if i < len(parts) {
			tried = parts[i : i+1]
		}
		if !slices.ContainsFunc(tried, func(text string) bool {
			m, ok := form.Match(strings.TrimLeft(text, " "))
			if !ok {
				return false
			}
			var g result.Finding
			if m.Fill(&g, path); f.Rule != "" && g.Rule != "" && f.Rule != g.Rule || !strings.HasPrefix(f.Message, g.Message) && !strings.HasPrefix(g.Message, f.Message) {
				return false
			}
			whole := f.Message
			if m.Fill(f, path); len(whole) > len(f.Message) {
				f.Message = whole // of a document that is cut
			}
			return true
		}) {
			return false
		}
	}
	return true
}
