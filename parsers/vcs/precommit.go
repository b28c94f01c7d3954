package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pre-commit prek", func(p *tool.Parser) {
	p.Is("pre-commit", result.Generic, 1, "pre-commit 2 to 4 and prek: hooks that failed, mistakes of the configuration")
	p.Runner, p.Heads = true, true
	p.Exits = map[int]result.Meaning{3: result.MeansInternal, 130: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "text", Starts: []string{"- hook id: "}, Named: true, Parse: read.Lines((*hooks).line)})
})

var _ = Room.Add("lefthook", func(p *tool.Parser) {
	p.Is("lefthook", result.Generic, 1, "lefthook 1.5 to 2: jobs of a hook that failed, mistakes of the configuration")
	p.Runner, p.Heads = true, true
	failed := func(f *result.Finding) {
		f.Kind, f.Message = result.BuildError, strings.TrimSuffix("job failed: "+f.Message, ": ")
	}
	p.Reads(tool.Format{Name: "text", Starts: []string{"│ 🥊 lefthook "}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "│ 🥊 lefthook {}", As: read.Skip}, {Form: "┃  {} ❯{}", As: read.Skip}, // above what a job prints
		{Form: "exit status {}", As: read.Skip}, {Form: "  ──{}", As: read.Skip}, {Form: "╰─{}", As: read.Skip},
		{Form: "summary: {}", As: read.Close}, {Form: "✔️ {} ({} seconds)", As: read.Skip},
		{Form: "🥊 {id}: {message} ({} seconds)", As: read.Failure, Fit: failed}, {Form: "🥊 {id} ({} seconds)", As: read.Failure, Fit: failed},
		{Form: "Error: hook {}", As: read.Misuse}, {Form: "Error: validation failed for {}", As: read.Misuse},
	}}.Parse})
})

// hooks reads the results of the hooks in a run:
//
//	flake8...............................................Failed
//	- hook id: flake8
//	- exit code: 1
//
//	a.py:1:1: F401 'os' imported but unused
type hooks struct {
	name    string // the hook whose head, "flake8....Failed", was read
	head    tool.Line
	failed  bool
	trouble bool // an error of pre-commit itself is being read
}

func (h *hooks) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if name, state, ok := cutHook(text); ok {
		h.name, h.head, h.failed, h.trouble = name, l, state == "Failed", false
		s.Count(map[string]string{"Passed": "passed", "Failed": "failed", "Skipped": "skipped"}[state], 1)
		s.Sign(l)
		return s.Break()
	}
	switch {
	case h.name != "" && strings.HasPrefix(text, "- "):
		return h.fact(s, l, text)
	case strings.HasPrefix(text, "An error has occurred: "), strings.HasPrefix(text, "An unexpected error has occurred: "):
		_, why, _ := strings.Cut(text, ": ")
		rule, message, _ := strings.Cut(why, ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.TrimSuffix(rule, ":"), Message: message})
		s.Meaning, h.trouble = result.MeansUsage, true
		if strings.HasPrefix(text, "An unexpected") {
			s.Meaning = result.MeansInternal
		}
	case strings.HasPrefix(text, "==> "), strings.HasPrefix(text, "=====> "):
		h.explain(s, l, text)
	case strings.HasPrefix(text, "No hook with id "), strings.HasPrefix(text, "[ERROR] "):
		s.Misuse(l, strings.TrimPrefix(text, "[ERROR] "))
	case strings.HasPrefix(text, "[WARNING] "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: text[len("[WARNING] "):]})
	case strings.HasPrefix(text, "[INFO] "):
	case h.trouble && s.Last() != nil:
		h.yaml(s.Last(), text)
		s.More(l)
	case h.failed && s.Last() != nil:
		return h.said(s, text)
	default:
		return false
	}
	return true
}

// cutHook reads "name....Failed" and "name....(no files to check)Skipped".
func cutHook(text string) (name, state string, ok bool) {
	for _, state = range [...]string{"Passed", "Failed", "Skipped"} {
		rest, has := strings.CutSuffix(text, state)
		if !has {
			continue
		}
		if i := strings.LastIndex(rest, ".("); i > 0 && strings.HasSuffix(rest, ")") {
			rest = rest[:i+1]
		}
		name = strings.TrimRight(rest, ".")
		return name, state, name != "" && len(rest)-len(name) >= 3
	}
	return "", "", false
}

// fact reads "- key: value" below the head of a hook. A failed hook is a finding, with the id that runs it again.
func (h *hooks) fact(s *read.Sink, l tool.Line, text string) bool {
	key, value, _ := strings.Cut(text[len("- "):], ": ")
	defer s.Reach(l)
	switch {
	case key == "hook id":
		if h.failed {
			s.Find(h.head, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: value, Message: "hook failed: " + h.name})
			s.Cover(l)
		}
		return true
	case key == "exit code" && s.Last() != nil:
		s.Last().Message += ", exit code " + value
		return true
	case key == "files were modified by this hook" && s.Last() != nil:
		s.Last().Message += ", files were modified by this hook"
		return true
	}
	return key == "duration"
}

// said keeps the first lines that a failed hook printed as the finding's detail. It returns false: the lines are left
// to the readers of other tools.
func (h *hooks) said(s *read.Sink, text string) bool {
	f := s.Last()
	if text == "" || strings.Count(f.Detail, "\n") >= 8 {
		return false
	}
	if strings.HasPrefix(text, "Executable `") && strings.HasSuffix(text, "` not found") {
		f.Message += ": " + text
	}
	f.Detail = strings.TrimPrefix(f.Detail+"\n"+text, "\n")
	return false
}

// yaml reads a line of an error of YAML in the configuration: the place, or text of the message.
func (h *hooks) yaml(f *result.Finding, text string) {
	if at, ok := read.YAMLMark(text); ok {
		if f.At != nil {
			f.At.Line, f.At.Column = at.Line, at.Column
		}
	} else if !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "Check the log at ") && text != "" {
		f.Message += ": " + text
	}
}

// explain reads the steps that lead to an error in the configuration, "==> File …". The last step, "=====> …", is the
// message.
func (h *hooks) explain(s *read.Sink, l tool.Line, text string) {
	if s.Last() == nil {
		s.Refuse(l, result.Finding{Kind: result.GenericFinding, Rule: "InvalidConfigError"})
	}
	f := s.Last()
	if why, last := strings.CutPrefix(text, "=====> "); last {
		f.Message = why
	} else if path, file := strings.CutPrefix(text, "==> File "); file {
		f.At = &result.Location{Path: path}
	} else if f.Message == "" {
		f.Message = text
	}
	s.More(l)
}

// hookPrograms lists the programs of the package pre-commit-hooks. Each checks its file arguments for one problem.
const hookPrograms = "" +
	"check-json check-yaml check-toml check-xml check-ast check-builtin-literals check-docstring-first check-added-large-files check-case-conflict " +
	"check-merge-conflict check-symlinks check-executables-have-shebangs check-shebang-scripts-are-executable check-vcs-permalinks debug-statement-hook " +
	"destroyed-symlinks detect-private-key detect-aws-credentials double-quote-string-fixer end-of-file-fixer file-contents-sorter fix-byte-order-marker " +
	"forbid-new-submodules mixed-line-ending name-tests-test pretty-format-json requirements-txt-fixer sort-simple-yaml trailing-whitespace-fixer"

var _ = Room.Add(hookPrograms, func(p *tool.Parser) {
	p.Is("pre-commit-hooks", result.Lint, 1, "pre-commit-hooks 4 to 6: each of its programs, run by itself")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		h := new(hookOutput)
		return read.Patch{Says: result.Finding{Rule: "unformatted", Message: "would reformat", Fixable: true}, Other: h.line}.Parse(in)
	}})
	p.Reads(read.PythonTrouble(strings.Fields(hookPrograms)...))
})

// hookOutput reads a hook's line about a file. An error of YAML has its place below the message:
//
//	while parsing a flow sequence
//	  in "pch/a.yaml", line 1, column 4
//	expected ',' or ']', but got '<stream end>'
//	  in "pch/a.yaml", line 2, column 1
type hookOutput struct {
	yaml  string    // the last line, which may be the message of an error of YAML
	at    tool.Line // that line
	trace read.Traceback
}

// hookWords lists the beginnings of lines that end with a path, and the message of each.
var hookWords = [...]struct{ head, says string }{
	{"Fixing strings in ", "Fixing strings"}, {"Fixing ", "Fixing"}, {"Sorting ", "Sorting"}, {"Private key found: ", "Private key found"},
	{"Case-insensitivity conflict found: ", "Case-insensitivity conflict"},
}

func (p *hookOutput) line(s *read.Sink, l tool.Line) bool {
	where, inFile := strings.CutPrefix(l.Text, `  in "`)
	if at, _, ok := place.Cut(`"` + where); inFile && ok && strings.HasPrefix(p.yaml, "while ") {
		return true // the place of "while parsing …"; the error follows
	} else if inFile && ok && p.yaml != "" {
		s.Find(p.at, result.Finding{Message: p.yaml, At: &at})
		s.More(l)
		p.yaml = ""
		return true
	}
	if f := s.Last(); f != nil && (l.Text == "" || strings.HasPrefix(l.Text, " ") || strings.HasPrefix(l.Text, "\t")) {
		s.More(l)
		p.why(f, strings.TrimPrefix(strings.TrimPrefix(l.Text, "    "), "\t"))
		return true
	}
	p.yaml, p.at, p.trace = l.Text, l, read.Traceback{}
	f, ok := cutHookLine(l.Text)
	if ok {
		s.Find(l, f)
	}
	return ok || strings.HasPrefix(l.Text, "while ")
}

// why reads a line of the traceback of check-ast for a file that is no Python. The last frame is the place in the file.
func (p *hookOutput) why(f *result.Finding, text string) {
	if !p.trace.Line(text) || !p.trace.Whole() || f.At == nil {
		return
	}
	f.Rule, f.Message = p.trace.Class(), strings.TrimPrefix(p.trace.Last, p.trace.Class()+": ")
	if n := len(p.trace.Frames); n > 0 && p.trace.Frames[n-1].Path == f.At.Path {
		f.At.Line = p.trace.Frames[n-1].Line
	}
}

// cutHookLine returns the finding of a line that names a file.
func cutHookLine(text string) (f result.Finding, ok bool) {
	for _, w := range hookWords {
		if path, is := strings.CutPrefix(text, w.head); is && path != "" {
			return result.Finding{Message: w.says, At: &result.Location{Path: path}}, true
		}
	}
	if d, is := read.CutDiagnostic(text); is {
		return result.Finding{Message: d.Message, At: &d.At}, true
	}
	for _, says := range [...]string{" does not match pattern ", " exceeds "} {
		if path, rest, is := strings.Cut(text, says); is {
			path, size, _ := strings.Cut(path, " (")
			return result.Finding{Message: strings.TrimSpace(strings.TrimSuffix(size, ")") + says + rest), At: &result.Location{Path: path}}, true
		}
	}
	path, message, ok := strings.Cut(text, ": ")
	if where, is := strings.CutSuffix(text, " - Could not parse ast"); is {
		path, message, ok = where, "Could not parse ast", true
	}
	if !ok || strings.ContainsAny(path, " \"'()") || message == "" || !strings.ContainsAny(path, "./") && !lex.IsIdentifier(path) || strings.HasSuffix(path, "Error") {
		return f, false
	}
	f = result.Finding{Message: message, At: &result.Location{Path: path}}
	if at := positionIn(message); at.Line > 0 {
		f.At.Line, f.At.Column = at.Line, at.Column
	}
	return f, true
}

// positionIn returns the line and column in "line 1 column 9" or "line 1, column 5" in a message.
func positionIn(message string) (at result.Location) {
	_, rest, ok := strings.Cut(message, "line ")
	if !ok {
		return at
	}
	at.Line = lex.LeadingNumber(rest)
	if _, column, has := strings.Cut(rest, "column "); has {
		at.Column = lex.LeadingNumber(column)
	}
	return at
}
