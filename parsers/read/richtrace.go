package read

import (
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// box reads the frame that rich draws around a traceback, as programs with typer, hatch and dagster print it. The
// exception follows below, wrapped to the width of the box:
//
//	╭──────────── Traceback (most recent call last) ────────────╮
//	│ /src/app.py:3 in main                                     │
//	│                                                           │
//	│ ❱ 3 │   load()                                            │
//	╰───────────────────────────────────────────────────────────╯
//	ValueError: bad row in
//	table 3
type box struct {
	open bool
	half string // the first part of a path that is wider than the box
}

// isBoxHead reports whether a line begins rich's box, drawn with "+" and "-" if Unicode is not available.
func isBoxHead(line string) bool {
	head, tail, ok := strings.Cut(line, " "+strings.TrimSuffix(traceHead, ":"))
	return ok && strings.ContainsAny(head, "╭+") && strings.Trim(head, " │╭─+-") == "" && strings.Trim(tail, "╮─+- │") == ""
}

// line takes a line of the box; at is the frame that the line names, or nil.
func (b *box) line(line string) (at *result.Location, ok bool) {
	text := strings.TrimLeft(line, " ")
	if strings.HasPrefix(text, "╰") || strings.HasPrefix(text, "+-") {
		b.open = false
		return nil, true
	}
	row, ok := lex.CutAnyPrefix(text, "│ ", "| ")
	if b.open = ok; !ok || row == "" || row[0] == ' ' {
		b.half = ""
		return nil, ok
	}
	row = b.half + strings.TrimRight(row, " │|")
	where, function, _ := strings.Cut(row, " in")
	path, number, placed := lex.CutLast(where, ":")
	if !placed || !lex.IsDigits(number) {
		b.half = ""
		if strings.HasPrefix(row, "/") && !strings.Contains(row, " ") {
			b.half = row
		}
		return nil, true
	}
	b.half = ""
	if strings.HasPrefix(path, "in ") { // of a module without a file
		path, function = "<frozen>", path[len("in "):]
	}
	return &result.Location{Path: path, Line: lex.Atoi(number), Function: strings.TrimSpace(function)}, true
}

// More takes a continuation of the exception's line: rich wraps it, and leaves the blank at which it does. A line
// that rich pads to the full width ends with several blanks.
func (t *Traceback) More(f *result.Finding, line string) bool {
	if !t.boxed || f == nil || strings.TrimSpace(line) == "" || !strings.HasSuffix(t.Last, " ") || strings.HasSuffix(t.Last, "  ") {
		return false
	}
	t.Last += line
	f.Message = lex.Clip(strings.TrimRight(f.Message, " ") + " " + strings.TrimRight(line, " "))
	return true
}

// PythonTrouble is a format of every tool written in Python: how the tool ends when it cannot do its work. It is
// read if a command names the tool.
//
//	prog: error: unrecognized arguments: --nope    argparse, optparse
//	Error: No such option '--nope'                 click, below "Usage: "
//	│ No such option: --nope │                     typer, below "╭─ Error ─"
//	Traceback (most recent call last):             the tool itself broke
func PythonTrouble(programs ...string) tool.Format { return pythonMessages(programs, false) }

// InPython declares PythonTrouble for a tool of one program, and the exit with which argparse and click refuse a
// command line.
func InPython(p *tool.Parser) {
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(PythonTrouble(p.Tool))
}

// PythonUsage is PythonTrouble without the traceback, for test runners, which print those of the tests.
func PythonUsage(programs ...string) tool.Format { return pythonMessages(programs, true) }

func pythonMessages(programs []string, usage bool) tool.Format {
	return tool.Format{Name: "messages", Parse: func(in *tool.Input) *tool.Report {
		if !isCommand(in, programs) {
			return nil // in make's output, these lines may be any tool's
		}
		p := &pythonEnd{files: place.NewFiles(in.Workspace), only: usage}
		return Text{Line: p.line}.Parse(in)
	}}
}

// isCommand reports whether the command line itself runs one of the programs.
func isCommand(in *tool.Input, programs []string) bool {
	c := in.Command()
	runs := func(argv []string) bool { return len(argv) > 0 && slices.Contains(programs, argv[0]) }
	return slices.Contains(programs, in.Tool) || runs(c.Argv) || slices.ContainsFunc(c.Listed, func(c shell.Command) bool { return runs(c.Argv) })
}

type pythonEnd struct {
	files *place.Files
	trace Traceback
	only  bool // read only errors about the usage
	usage bool // "Usage:" was printed
	box   bool // inside the box that typer draws
}

func (p *pythonEnd) line(s *Sink, l tool.Line) bool {
	if !p.only && p.trace.Line(l.Text) {
		if s.Cover(l); p.trace.Whole() {
			s.Find(l, p.trace.Crash(p.files))
			s.Meaning = result.MeansInternal
		}
		return true
	}
	if p.trace.More(s.kept(), l.Text) {
		return s.More(l)
	}
	text, wasUsage := l.Text, p.usage
	lower := strings.ToLower(text[:min(len(text), 7)])
	p.usage = p.usage || lower == "usage: "
	p.box = p.box && strings.HasPrefix(text, "│") || strings.HasPrefix(text, "╭─ Error ")
	message, ok := cutUsageError(text, wasUsage)
	if p.box && strings.HasPrefix(text, "│") {
		message, ok = strings.Trim(text, "│ "), true
	}
	return ok && message != "" && (p.box && joinsBox(s, l, message) || s.Misuse(l, message))
}

// cutUsageError reads the line that says what is wrong with a command line.
func cutUsageError(text string, usage bool) (message string, ok bool) {
	if rest, has := strings.CutPrefix(text, "Error: "); has && usage {
		return rest, true
	}
	prog, rest, ok := strings.Cut(text, ": error: ")
	return rest, ok && prog != "" && (usage || !strings.Contains(prog, " ")) && !lex.IsDigits(lex.LastPart(prog)) && !strings.ContainsAny(prog, ":()\"")
}
