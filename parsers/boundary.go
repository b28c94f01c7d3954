package parsers

import (
	"slices"

	"cairn/internal/guard"
	"cairn/outcomes"
	"cairn/parsers/internal/engine"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// This file is the boundary between the code that reads outputs and command lines and the code that records a
// command: nothing here panics, whatever the code below does. After a panic, what a command line or a file says is
// unknown, and an output gets the result of a program without a parser, with the reason in extra.broken.

// Session reads one output. Scan may run while the command is still running; call Result after the command has
// ended.
type Session struct {
	in     Input
	engine *engine.Session // nil if starting it failed
	broken error           // why the output cannot be read
}

// New prepares a session for one output.
func New(in Input) *Session { return begin(table, in) }

func begin(table func() *engine.Table, in Input) *Session {
	s := &Session{in: in}
	s.try("the command line", func() { s.engine = engine.New(table(), in) })
	return s
}

// try runs a step of the session, unless an earlier one broke off.
func (s *Session) try(what string, step func()) {
	if s.broken == nil {
		s.broken = guard.Do("reading "+what, step)
	}
}

// Scan reads the output once, to its end.
func (s *Session) Scan() { s.try("the output", func() { s.engine.Scan() }) }

// Truncate notes, after Scan, that bytes are missing at the end.
func (s *Session) Truncate() {
	s.in.Truncated = true
	s.try("the output", func() { s.engine.Truncate() })
}

// AddArtifacts adds files that the run wrote. Call it before Result.
func (s *Session) AddArtifacts(list []Artifact) {
	s.try("files", func() { s.engine.AddArtifacts(list) })
}

// PlacesSeen returns where reports may be, judged by the output, if the command line does not say. Call it after
// Scan.
func (s *Session) PlacesSeen() (places []Place) {
	s.try("the output", func() { places = s.engine.PlacesSeen() })
	return places
}

// Result returns the result, given how the command ended.
func (s *Session) Result(exit result.Exit) (r *result.ToolResult) {
	s.try("the output", func() { r = s.engine.Result(exit) })
	if s.broken != nil {
		return engine.Unread(s.in, exit, s.broken)
	}
	return r
}

// Outcomes returns the outcome of every test, and an account of that list. Call it after Result; both are nil if no
// tests ran.
func (s *Session) Outcomes() (list outcomes.List, said *result.Outcomes) {
	s.try("the tests", func() { list, said = s.engine.Outcomes() })
	return list, said
}

// Parse reads an output that is complete, and returns its result.
func Parse(in Input, exit result.Exit) *result.ToolResult {
	s := New(in)
	s.Scan()
	return s.Result(exit)
}

// ask answers a question about a command line or a file. If question panics, the answer is otherwise; a session
// over the same command line reports the reason.
func ask[T any](otherwise T, question func() T) (answer T) {
	if guard.Do("reading a command line", func() { answer = question() }) != nil {
		return otherwise
	}
	return answer
}

// CommandTool is the name of the tool that a command runs: the parser's tool or, without a parser, the program. It
// depends on the command alone, since it is part of the command key, which must be the same for a run that printed
// nothing.
func CommandTool(name string, argv []string, line string) string {
	if name != "" {
		return name
	}
	return ask(engine.Program(argv, line), func() string {
		c := table().Command(argv, line)
		if p := table().Named(c.Argv); p != nil {
			return p.Tool
		}
		return c.Program()
	})
}

// OfCommand is the parser of the tool that a command runs; nil for most commands.
func OfCommand(argv []string, line string) *Parser {
	return ask(nil, func() *Parser { return table().Named(table().Command(argv, line).Argv) })
}

// ShowsDocuments reports whether a command only shows source code, manuals or commits: see shell.Command.
func ShowsDocuments(argv []string, line string) bool {
	return ask(false, func() bool { return table().Command(argv, line).ShowsDocuments() })
}

// Retried reports whether exit code 0 of a command line means that it ran the command argv until it succeeded.
func Retried(of []string, line string, argv []string) bool {
	return ask(false, func() bool {
		return table().Command(of, line).Retried(true, func(l []string) bool { return slices.Equal(l, table().Command(argv, "").Argv) })
	})
}

// AsksForText reports whether a command was called for what it prints: see shell.Command.
func AsksForText(argv []string, line string) bool {
	return ask(false, func() bool { return table().Command(argv, line).AsksForText() })
}

// IsScript reports whether a command runs a program or a script of the project: by its path, an interpreter, or a
// program such as npm that starts it.
func IsScript(argv []string) bool {
	return ask(false, func() bool {
		if len(argv) == 0 {
			return false
		}
		program := shell.Named(argv)[0]
		return shell.RunsOthers(program) || shell.Interprets(program) || table().Command(argv, "").IsScript()
	})
}

// IsReport reports whether a file that begins with head is a report in a format that cairn reads.
func IsReport(head []byte) bool { return ask(false, func() bool { return tool.IsReport(head) }) }

// IsRecall reports whether a command only shows what cairn has recorded.
func IsRecall(argv []string, line string) bool {
	return ask(false, func() bool { return shell.IsRecall(argv, line) })
}

// WrittenBy returns the files of the run that a command line will write.
func WrittenBy(argv []string, line string) []Written {
	return ask(nil, func() []Written { return table().Files().WrittenBy(argv, line) })
}

// WrittenByEnv returns the reports that an environment, a list of NAME=VALUE, tells the tools to write.
func WrittenByEnv(env []string) []Written {
	return ask(nil, func() []Written { return table().Files().WrittenByEnv(env) })
}

// RoleOf is the role of a file of that name, by the command line that wrote it.
func RoleOf(argv []string, line, name string) Role {
	return ask(RoleReport, func() Role { return table().Files().RoleOf(argv, line, name) })
}

// PlacesOf returns where the programs of a command line may write reports by default.
func PlacesOf(argv []string, line string) []Place {
	return ask(nil, func() []Place { return table().Files().PlacesOf(argv, line) })
}
