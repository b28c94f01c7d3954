package read

import (
	"slices"
	"strings"

	"cairn/parsers/text/shell"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// PythonTrouble is a format of every tool written in Python: how the tool ends when it cannot do its work. It is
// read if a command names the tool.
//
//	prog: error: unrecognized arguments: --nope    argparse, optparse
//	Error: No such option '--nope'                 click, below "Usage: "
//	│ No such option: --nope │                     typer, below "╭─ Error ─"
//	Traceback (most recent call last):             the tool itself broke
func PythonTrouble(programs ...string) tool.Format { return pythonMessages(programs, false) }

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
	return ok && message != "" && s.Misuse(l, message)
}

// cutUsageError reads the line that says what is wrong with a command line.
func cutUsageError(text string, usage bool) (message string, ok bool) {
	if rest, has := strings.CutPrefix(text, "Error: "); has && usage {
		return rest, true
	}
	prog, rest, ok := strings.Cut(text, ": error: ")
	return rest, ok && prog != "" && (usage || !strings.Contains(prog, " ")) && !lex.IsDigits(lex.LastPart(prog)) && !strings.ContainsAny(prog, ":()\"")
}
