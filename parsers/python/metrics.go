package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("refurb", func(p *tool.Parser) {
	p.Is("refurb", result.Lint, 1, "refurb 1 and 2: text and github")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: func(d *read.Diagnostic) bool {
		rule, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "["), "]: ")
		if ok && strings.HasPrefix(d.Message, "[") {
			d.Rule, d.Message = rule, message
		}
		return ok
	}, Other: refurbLine}.Parse})
	p.Reads(read.PythonTrouble("refurb"))
})

// refurbLine reads GitHub's form, and the errors of refurb itself and of mypy, which refurb runs.
func refurbLine(s *read.Sink, l tool.Line) bool {
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "Refurb ") {
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: strings.TrimPrefix(w.Title, "Refurb "), Message: w.Message, At: &w.At})
	}
	message, ok := strings.CutPrefix(l.Text, "refurb: ")
	if path, why, found := strings.Cut(l.Text, ": error: "); !ok && found && !strings.Contains(path, " ") {
		return s.Refuse(l, result.Finding{Kind: result.GenericFinding, Message: why, At: &result.Location{Path: path}})
	}
	return ok && s.Misuse(l, message)
}

// vermin names the features that need a newer Python in two forms, and the target versions that are too old:
//
//	!2, 3.10     /src/v.py
//	  pattern matching requires !2, 3.10
//	/src/v.py:2::!2:3.10:pattern matching
//	Target versions not met:   3.6-
var _ = Room.Add("vermin", func(p *tool.Parser) {
	p.Is("vermin", result.Lint, 1, "vermin 1.x: --target, --violations, --format parsable")
	needs := func(f *result.Finding) {
		f.Rule, f.Message = "requires", strings.Replace(f.Message, " require ", " requires ", 1)
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{line}::{actual}:{expected}:{message}", Fit: func(f *result.Finding) {
			needs(f)
			f.Message += " requires " + f.Actual + ", " + f.Expected
			f.Actual, f.Expected = "", ""
		}},
		{Form: "{}::{}:{}.{}:", As: read.Skip}, // the sum for a file, or for all files
		{Form: "  {message}", Fit: needs},
		{Form: "Target versions not met:{message}", Fit: func(f *result.Finding) {
			f.At, f.Rule, f.Message = nil, "target", "Target versions not met: "+strings.TrimSpace(f.Message)
		}},
		{Form: "No files specified to analyze!", As: read.Misuse}, {Form: "Invalid target: {}", As: read.Misuse},
		{Form: "Minimum required versions:{}", As: read.Skip}, {Form: "Incompatible versions:{}", As: read.Skip}, {Form: "Tips:", As: read.Skip}, {Form: "- {}", As: read.Skip},
		{Form: "(disable using:{}", As: read.Skip}, {Form: "Detecting python files{}", As: read.Skip}, {Form: "Analyzing using {}", As: read.Skip},
		{Form: "{}.{}  {path}", As: read.InPath},
	}}.Parse})
	p.Reads(read.PythonTrouble("vermin"))
})

// vulture exits with 1 if it could not read a file, and with 3 if it found dead code.
var _ = Room.Add("vulture", func(p *tool.Parser) {
	p.Is("vulture", result.Lint, 1, "vulture 2.0 to 2.14: default, --sort-by-size, --make-whitelist")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: vultureLine}.Parse})
	read.InPython(p)
})

func vultureLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if name, rest, ok := strings.Cut(text, "  # "); ok && strings.HasSuffix(rest, ")") { // --make-whitelist
		what, where, _ := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
		text = where + ": " + what + " '" + strings.TrimPrefix(name, "_.") + "'"
	}
	if path, ok := strings.CutPrefix(text, "Error: "); ok && strings.HasSuffix(path, " could not be found.") {
		return s.Misuse(l, path)
	}
	at, message, ok := place.Cut(text)
	if !ok {
		return false
	}
	f := result.Finding{Rule: "invalid-syntax", Message: message, At: &at}
	if i := strings.LastIndex(message, " ("); i > 0 && strings.Contains(message[i:], "% confidence") {
		f.Message = message[:i]
	}
	if words := strings.SplitN(f.Message, " ", 3); len(words) > 1 && (words[0] == "unused" || words[0] == "unreachable" || words[0] == "unsatisfiable") {
		f.Severity, f.Rule = result.SevWarning, words[0]+"-"+words[1]
	}
	return s.Find(l, f)
}

var _ = Room.Add("xenon", func(p *tool.Parser) {
	p.Is("xenon", result.Lint, 1, "xenon 0.9: ranks of complexity")
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR:xenon:"}, Parse: read.Rows{Rows: []read.Row{
		{Form: `{severity}:xenon:block "{path}:{line} {id}" {message}`, Fit: func(f *result.Finding) { f.Message = "block " + f.Message }},
		{Form: "{severity}:xenon:cannot parse {path}: {message} (<unknown>, line {line})", Fit: xenonFile},
		{Form: "{severity}:xenon:cannot parse {path}: {message}", Fit: xenonFile},
		{Form: "{severity}:xenon:module '{path}' {message}", Fit: func(f *result.Finding) { f.Message = "module " + f.Message }},
		{Form: "{severity}:xenon:{message}"},
	}}.Parse})
	read.InPython(p)
})

func xenonFile(f *result.Finding) { f.Message = "cannot parse: " + f.Message }

// pyflakes does not name rules, so its findings have a message only.
var _ = Room.Add("pyflakes", func(p *tool.Parser) {
	p.Is("pyflakes", result.Lint, 1, "pyflakes 2.2 to 3.4")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pyflakesLine}.Parse})
	read.InPython(p)
})

// pyflakesLine reads "a.py:3:1: 'os' imported but unused", a syntax error with its
// source and caret below it, and "a.py: No such file or directory".
func pyflakesLine(s *read.Sink, l tool.Line) bool {
	at, source := "<stdin>", l.Text
	if rest, ok := strings.CutPrefix(l.Text, at); ok {
		source = "stdin" + rest
	}
	if d, ok := read.CutDiagnostic(source); ok && (s.Last() == nil || l.Stream != tool.Stderr || !strings.HasPrefix(l.Text, " ")) {
		if source != l.Text {
			d.At.Path = at
		}
		return s.Find(l, result.Finding{Message: d.Message, At: &d.At})
	}
	if path, ok := strings.CutSuffix(l.Text, ": No such file or directory"); ok && l.Stream == tool.Stderr {
		return s.Find(l, result.Finding{Message: "No such file or directory", At: &result.Location{Path: path}})
	}
	return s.Last() != nil && l.Stream == tool.Stderr && s.More(l)
}

var _ = Room.Add("interrogate", func(p *tool.Parser) {
	p.Is("interrogate", result.Lint, 1, "interrogate 1.x: the verdict, -v by file, -vv by object; -q prints nothing")
	p.Reads(tool.Format{Name: "text", Starts: []string{"RESULT: FAILED (minimum: "}, Named: true, Parse: parseInterrogate})
	p.Reads(read.PythonTrouble("interrogate"))
})

func parseInterrogate(in *tool.Input) *tool.Report {
	base, file, head := "", "", -1 // head is the index of the finding for the file's own row; it spans the file's other rows too
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if dir, ok := strings.CutPrefix(strings.Trim(l.Text, "= "), "Coverage for "); ok {
			base = strings.TrimSuffix(dir, "/") + "/"
			return true
		}
		text := strings.Trim(l.Text, "- ")
		if verdict, ok := strings.CutPrefix(text, "RESULT: "); ok && strings.Contains(verdict, " (minimum: ") {
			if s.Sign(l); strings.HasPrefix(verdict, "FAILED") {
				s.Find(l, result.Finding{Rule: "fail-under", Message: "docstring coverage " + strings.TrimPrefix(verdict, "FAILED ")})
			}
			return true
		}
		cells := strings.Split(strings.Trim(l.Text, "| "), "|")
		if len(cells) != 2 || !strings.HasPrefix(l.Text, "| ") {
			return false
		}
		name, status := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
		path, isFile := strings.CutSuffix(name, " (module)")
		if isFile {
			file, head = base+path, -1
		}
		object, line, _ := strings.Cut(strings.TrimSuffix(name, ")"), " (L")
		switch {
		case status != "MISSED":
		case isFile:
			s.Find(l, result.Finding{Severity: result.SevInfo, Rule: "missing", Message: "(module)", At: &result.Location{Path: file}})
			head = len(s.Findings) - 1
		case lex.IsDigits(line) && len(line) < 8:
			s.Find(l, result.Finding{Severity: result.SevInfo, Rule: "missing", Message: object, At: &result.Location{Path: file, Line: lex.Atoi(line)}})
			if head >= 0 && head < len(s.Findings) {
				s.Findings[head].RawSpan.End = max(s.Findings[head].RawSpan.End, l.End)
			}
		}
		return true
	}}.Parse(in)
}

var _ = Room.Add("pydocstyle | pep257", func(p *tool.Parser) {
	p.Is("pydocstyle", result.Lint, 1, "pydocstyle 4 to 6.3: default, --explain, --source, --count")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*docstyle).line)})
	p.Reads(read.PythonTrouble("pydocstyle", "pep257"))
})

// docstyle reads a place on one line and the finding on the next:
//
//	a.py:11 in public class `Packet`:
//	        D101: Missing docstring in public class
type docstyle struct{ at *result.Location }

func (d *docstyle) line(s *read.Sink, l tool.Line) bool {
	if text, ok := strings.CutPrefix(l.Text, "        D"); ok && d.at != nil {
		code, message, _ := strings.Cut("D"+text, ": ")
		if isFlakeCode(code) {
			s.Find(l, result.Finding{Rule: code, Message: message, At: d.at})
			d.at = nil
			return true
		}
	}
	if strings.HasSuffix(l.Text, ":") {
		if at, rest, ok := place.Cut(l.Text); ok && (strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "at ")) {
			at.Function, _, _ = strings.Cut(strings.TrimPrefix(rest[strings.IndexByte(rest, '`')+1:], rest), "`")
			d.at = &at
			return s.Cover(l)
		}
	}
	if path, ok := strings.CutPrefix(l.Text, "WARNING: Error in file "); ok {
		path, why, _ := strings.Cut(path, ": ")
		return s.Find(l, result.Finding{Rule: "invalid-syntax", Message: strings.TrimSuffix(why, "."), At: &result.Location{Path: path}})
	}
	if why, ok := strings.CutPrefix(l.Text, "ERROR: "); ok && l.Stream == tool.Stderr {
		return s.Misuse(l, why)
	}
	return false
}
