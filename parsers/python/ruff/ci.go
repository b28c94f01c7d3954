package ruff

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffLines reads a format with one diagnostic per line, by cut. The format has no closing line, so the
// output is complete if its last line has an end.
func ruffLines(r *ruff, cut func(string) (result.Finding, bool)) func(in *tool.Input) *tool.Report {
	broken := false
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		f, ok := cut(l.Text)
		if !ok {
			r.lost += lex.Btoi(isRuffCommand(l.Text))
			return false
		}
		broken = broken || !l.Ended
		return s.Find(l, f)
	}, End: func(s *read.Sink) {
		if !broken {
			s.EndHere()
		}
	}}.Parse
}

// isRuffCommand reports whether ruff wrote a command for the log of a CI: "::error title=ruff (F401),…", or
// a command for Azure with a code.
func isRuffCommand(s string) bool {
	if strings.HasPrefix(s, ruffAzureStart) {
		_, code, ok := strings.Cut(s, ";code=")
		return ok && strings.Contains(code, ";]")
	}
	_, named, _ := strings.Cut(s, " title=")
	return strings.HasPrefix(s, "::") && lex.HasAnyPrefix(named, "ruff (", "Ruff (")
}

func readRuffGitHub(r *ruff) func(in *tool.Input) *tool.Report {
	r.sure = r.named
	return ruffLines(r, func(text string) (f result.Finding, ok bool) {
		if f, ok = cutRuffGitHub(text); !ok {
			f, ok = cutRuffAnnotation(text)
			r.sure = r.sure || ok && strings.Contains(f.Message, "`")
			return f, ok
		}
		r.sure = true
		return f, true
	})
}

func isRuffGitHub(line string) bool {
	s := strings.TrimSpace(line)
	if strings.HasPrefix(s, "::") {
		return true
	}
	_, ok := cutRuffAnnotation(s)
	return ok
}

// cutRuffAnnotation reads a workflow command as the workflow's log shows it: "##[error]a.py:1:8: F401 message".
// flake8's look the same, except that they have no backticks.
func cutRuffAnnotation(s string) (f result.Finding, ok bool) {
	text := place.CutAnnotation(s)
	at, h, ok := readRuffPlaced(text)
	if len(text) == len(s) || !ok {
		return f, false
	}
	f = ruffFinding(h.code, h.message, at)
	f.Fixable = h.fixable
	if strings.HasPrefix(s, "##[warning]") {
		f.Severity = result.SevWarning
	}
	return f, true
}

// cutRuffGitHub reads a workflow command whose text repeats the place: "::error title=ruff
// (F401),file=/a.py,line=1,col=8,endLine=1,endColumn=10::a.py:1:8: F401 message%0A  help: advice". If the place spans
// several lines, only the text has the column.
func cutRuffGitHub(line string) (f result.Finding, ok bool) {
	w, ok := read.CutWorkflow(line)
	if !ok || !strings.HasPrefix(w.Title, "ruff") && !strings.HasPrefix(w.Title, "Ruff") {
		return f, false
	}
	text, more, _ := strings.Cut(w.Message, "\n")
	at, head, placed := readRuffPlaced(text)
	severity := read.SeverityOf(w.Word)
	if !placed { // 0.0.200: "(F401) message", always as a notice
		head.code, head.message, placed = strings.Cut(strings.TrimPrefix(text, "("), ") ")
		placed = placed && text[0] == '(' && isRuffCode(head.code)
		at, severity = w.At, result.SevError
	}
	at.Path, at.EndLine, at.EndColumn = w.At.Path, w.At.EndLine, w.At.EndColumn
	f = ruffFinding(head.code, head.message, at)
	f.Severity = severity
	readRuffMore(&f, more)
	return f, placed
}

// readRuffMore reads the lines below the first in a workflow command's text: advice, and further places.
func readRuffMore(f *result.Finding, more string) {
	for line := range strings.Lines(more) {
		line = strings.TrimSpace(line)
		if help, ok := strings.CutPrefix(line, "help: "); ok {
			ruffHelp(f, help)
			continue
		}
		spot, label, ok := strings.Cut(line, ": ")
		if at, placed := ruffPlace(spot); ok && placed {
			at.Label = label
			f.Locations = append(f.Locations, at)
		}
	}
}

// ruffAzureStart is the beginning of a line for Azure Pipelines.
const ruffAzureStart = "##vso[task.logissue type=error;sourcepath="

func readRuffAzures(r *ruff) func(in *tool.Input) *tool.Report {
	return ruffLines(r, func(text string) (result.Finding, bool) {
		f, ok := readRuffAzure(text)
		r.sure = r.sure || ok
		return f, ok
	})
}

// isScriptPath reports whether a file is JavaScript or TypeScript, which other linters read but not ruff.
func isScriptPath(file string) bool {
	return lex.IsOneOf(path.Ext(file), ".ts .tsx .mts .cts .js .jsx .mjs .cjs .vue")
}

// readRuffAzure reads "##vso[task.logissue type=error;sourcepath=/a.py;linenumber=1;
// columnnumber=8;code=F401;]message".
func readRuffAzure(s string) (f result.Finding, ok bool) {
	rest, ok := strings.CutPrefix(s, ruffAzureStart)
	if !ok {
		return f, false
	}
	properties, message, ok := strings.Cut(rest, ";]")
	properties, code, _ := strings.Cut(properties, ";code=")
	path, line, placed := strings.Cut(properties, ";linenumber=")
	_, column, hasColumn := strings.Cut(line, ";columnnumber=")
	switch {
	case !ok || message == "" || placed != hasColumn:
		return f, false
	case !placed: // a file that could not be read
		ok = code == ruffIO || code == ruffPanic
	case code != "":
		ok = isRuffCode(code) || isRuffName(code) && !isScriptPath(path) // tslint writes for Azure, too
	}
	return ruffFinding(code, message, result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}), ok
}

// readRuffJUnit reads --output-format junit, in which each testcase is a diagnostic.
func readRuffJUnit(r *ruff) func(in *tool.Input) *tool.Report {
	r.sure = true
	return read.Fitted(junit.OwnLints, func(f *result.Finding) {
		span := f.RawSpan
		*f = ruffFinding(strings.TrimPrefix(f.Rule, "org.ruff"), f.Message, *f.At) // a syntax error has no rule
		f.RawSpan = span
	})
}

// ruffPanic is the rule of a crash. Since 0.13, a file on which ruff panicked has a finding with this rule on stdout,
// and stderr only asks to report the crash. Before, stderr has the file, and the reason below it:
//
//	error: Panicked while linting a.py: This indicates a bug in Ruff. If you could open an issue at:
//
//	    https://github.com/…
//
//	...with the relevant file contents, …
//
//	panicked at crates/ruff_diagnostics/src/edit.rs:42:9:
//	Prefer `Fix::deletion`
//	Backtrace: …
//
// A crash outside of a file begins with "error: Ruff crashed". Rust's text about the thread follows.
const ruffPanic = "panic"

// ruffPanics lists the texts before the path of a file on which ruff panicked.
var ruffPanics = [...]string{"error: Panicked while linting ", "error: Panicked while formatting ", "warning: Linting panicked "}

// panicked is the text before the place in ruff's own source.
const panicked = "panicked at "

func (n *ruffNotice) crashed() bool {
	return strings.HasPrefix(n.head, "thread '") || n.crashedItself()
}

// crashedItself reports whether the notice is about a crash, and shows that the program is ruff.
func (n *ruffNotice) crashedItself() bool {
	return lex.HasAnyPrefix(n.head, "error: Ruff crashed", "error: Panic during ") || lex.HasAnyPrefix(n.head, ruffPanics[:]...) ||
		strings.HasPrefix(n.head, "thread '") && strings.Contains(n.head, panicked+"crates/ruff")
}

// asksOnly reports whether the notice only asks to report a crash, whose finding is on stdout.
func (n *ruffNotice) asksOnly() bool { return strings.HasPrefix(n.head, "error: Panic during ") }

// ruffCrashLines lists the beginnings of lines of a crash that are not indented.
var ruffCrashLines = []string{"https://", "...", "thread '", panicked, "stack backtrace:", "Backtrace:", "note: ", "fatal runtime error: "}

// crashLine reports whether a line continues the notice of a crash.
func (n *ruffNotice) crashLine(s string) bool {
	return s == "" || s[0] == ' ' || lex.HasAnyPrefix(s, ruffCrashLines...) || n.messageNext()
}

// messageNext reports whether the last line was "panicked at …:", so that the message follows.
func (n *ruffNotice) messageNext() bool {
	last := n.head
	if len(n.text) > 0 {
		last = n.text[len(n.text)-1]
	}
	return strings.Contains(last, panicked) && strings.HasSuffix(last, ":")
}

// crash returns the finding of a crash.
func (n *ruffNotice) crash() result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: ruffPanic, Message: n.panicMessage()}
	if rest, ok := lex.CutAnyPrefix(n.head, ruffPanics[:]...); ok {
		path, _, _ := strings.Cut(rest, ": This indicates ")
		f.At = &result.Location{Path: path, Line: 1, Column: 1}
	}
	return f
}

// panicMessage returns the panic's message: the line below "panicked at …:" or, before
// Rust 1.73, the quoted text behind "panicked at ".
func (n *ruffNotice) panicMessage() string {
	lines := append([]string{n.head}, n.text...)
	for i, s := range lines {
		_, what, ok := strings.Cut(s, panicked)
		switch {
		case ok && strings.HasPrefix(what, "'"):
			what, _, _ = strings.Cut(what[1:], "', ")
			return what
		case ok && strings.HasSuffix(s, ":") && i+1 < len(lines) && lines[i+1] != "":
			return lines[i+1]
		case strings.HasSuffix(s, " has overflowed its stack"):
			return "stack overflow"
		}
	}
	message, _, _ := strings.Cut(strings.TrimPrefix(n.head, "error: "), ". If you could ")
	return message
}
