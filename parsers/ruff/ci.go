package ruff

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// readRuffLines reads a format of one diagnostic a line. Such a format has no
// closing line: where it ends, it ends.
func readRuffLines(in *tool.Input, o *ruffOutput, read func(string) (result.Finding, bool)) *ruffDoc {
	d := newRuffDoc()
	d.whole = true
	for l := range in.Lines() {
		f, ok := read(l.Text)
		if !ok {
			d.lost += lex.Btoi(isRuffCommand(l.Text))
			o.line(l)
			continue
		}
		d.whole = d.whole && l.Ended
		d.covered = joinSpan(d.covered, result.Span{Start: l.Start, End: l.End})
		d.add(f, l.Start, l.End)
	}
	return d
}

// isRuffCommand: the line is a command for a log of continuous integration that names
// ruff or has the form of its own for Azure, so that ruff wrote its text.
func isRuffCommand(s string) bool {
	if strings.HasPrefix(s, ruffAzureStart) {
		_, code, ok := strings.Cut(s, ";code=")
		return ok && strings.Contains(code, ";]")
	}
	_, named, ok := strings.Cut(s, " title=")
	return ok && strings.HasPrefix(s, "::") && strings.HasPrefix(strings.ToLower(named[:min(len(named), 6)]), "ruff (")
}

func parseRuffGitHub(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		certain := o.named
		d := readRuffLines(in, o, func(s string) (result.Finding, bool) {
			if f, ok := readRuffGitHub(s); ok {
				certain = true
				return f, true
			}
			f, ok := readRuffAnnotation(s)
			certain = certain || ok && strings.Contains(f.Message, "`")
			return f, ok
		})
		d.seen = d.seen && certain
		return d
	})
}

func isRuffGitHub(line string) bool {
	s := strings.TrimSpace(line)
	if strings.HasPrefix(s, "::") {
		return true
	}
	_, ok := readRuffAnnotation(s)
	return ok
}

// readRuffAnnotation reads what the log of a workflow shows of such a command:
// "##[error]a.py:1:8: F401 message". Those of flake8 look the same, but hold no
// backticks.
func readRuffAnnotation(s string) (f result.Finding, ok bool) {
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

// readRuffGitHub reads a workflow command whose text repeats the place:
// "::error title=ruff (F401),file=/a.py,line=1,col=8,endLine=1,endColumn=10::a.py:1:8:
// F401 message%0A  help: advice". Where a diagnostic goes over several lines,
// only the text has the column.
func readRuffGitHub(s string) (f result.Finding, ok bool) {
	severity, rest, ok := strings.Cut(strings.TrimPrefix(s, "::"), " ")
	if !ok || !strings.HasPrefix(s, "::") || !strings.HasPrefix(rest, "title=ruff") && !strings.HasPrefix(rest, "title=Ruff") {
		return f, false
	}
	properties, text, ok := strings.Cut(rest, "::")
	if !ok {
		return f, false
	}
	file, where, ok := strings.Cut(properties, ",line=")
	_, file, hasFile := strings.Cut(file, ",file=")
	text, more, _ := strings.Cut(unescapeCommand(text), "\n")
	at, head, placed := readRuffPlaced(text)
	if !placed {
		at, head, placed = readRuffBare(where, text)
		severity = "error" // all were notices then
	}
	if !ok || !hasFile || !placed {
		return f, false
	}
	at.Path = unescapeCommand(file)
	_, end, _ := strings.Cut(where, "endLine=")
	at.EndLine = lex.LeadingNumber(end)
	if _, column, ok := strings.Cut(end, "endColumn="); ok {
		at.EndColumn = lex.LeadingNumber(column)
	}
	f = ruffFinding(head.code, head.message, at)
	if severity == "warning" {
		f.Severity = result.SevWarning
	} else if severity == "notice" {
		f.Severity = result.SevInfo
	}
	readRuffMore(&f, more)
	return f, true
}

// readRuffBare reads the text of 0.0.200, "(F401) message": only the properties
// "line=1,col=8,…" have the place.
func readRuffBare(where, text string) (at result.Location, h ruffHead, ok bool) {
	h.code, h.message, ok = strings.Cut(strings.TrimPrefix(text, "("), ") ")
	at.Line = lex.LeadingNumber(where)
	if _, column, placed := strings.Cut(where, ",col="); placed {
		at.Column = lex.LeadingNumber(column)
	}
	return at, h, ok && text[0] == '(' && isRuffCode(h.code)
}

// readRuffMore reads the advice and the further places of a workflow command.
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

// unescapeCommand resolves the escapes of a workflow command of GitHub.
func unescapeCommand(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	return strings.NewReplacer("%0A", "\n", "%0D", "\r", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

// ruffAzureStart begins a line for Azure Pipelines.
const ruffAzureStart = "##vso[task.logissue type=error;sourcepath="

func parseRuffAzure(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		return readRuffLines(in, o, readRuffAzure)
	})
}

// isScriptPath: nothing that ruff reads, but what other linters do.
func isScriptPath(file string) bool {
	switch path.Ext(file) {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue":
		return true
	}
	return false
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
	case !placed: // of a file that could not be read
		ok = code == ruffIO || code == ruffPanic
	case code != "":
		ok = isRuffCode(code) || isRuffName(code) && !isScriptPath(path) // tslint writes for Azure, too
	}
	return ruffFinding(code, message, result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}), ok
}
