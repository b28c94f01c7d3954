package parsers

import (
	"cairn/internal/guard"
	"cairn/outcomes"
	"cairn/parsers/internal/engine"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// This file is the boundary between what reads outputs and command lines and the command
// that is recorded: nothing here panics, whatever the code below it does. What a command
// line or a file says is then not known, and the result of an output is that of a program
// without a parser, with the reason in extra.broken.

// Session reads one output. Scan may run while the command is still running; Result is
// asked when its exit is known.
type Session struct {
	in     Input
	engine *engine.Session // nil if it could not be begun
	broken error           // why the output is not read
}

// New prepares a session for one output.
func New(in Input) *Session { return begin(table, in) }

func begin(table func() *engine.Table, in Input) *Session {
	s := &Session{in: in}
	s.try("the command line", func() { s.engine = engine.New(table(), in) })
	return s
}

// try does a step of the session, unless an earlier one broke off.
func (s *Session) try(what string, step func()) {
	if s.broken == nil {
		s.broken = guard.Do("reading "+what, step)
	}
}

// Scan reads the output once, to its end.
func (s *Session) Scan() { s.try("the output", func() { s.engine.Scan() }) }

// Truncate says, after Scan, that bytes are missing at the end.
func (s *Session) Truncate() {
	s.in.Truncated = true
	s.try("the output", func() { s.engine.Truncate() })
}

// AddArtifacts hands over, before Result, what the run wrote to files.
func (s *Session) AddArtifacts(list []Artifact) {
	s.try("files", func() { s.engine.AddArtifacts(list) })
}

// PlacesSeen says where reports may be, judged by what was printed, where the
// command line did not say. Call it after Scan.
func (s *Session) PlacesSeen() (places []Place) {
	s.try("the output", func() { places = s.engine.PlacesSeen() })
	return places
}

// Result is the answer, given how the command ended.
func (s *Session) Result(exit result.Exit) (r *result.ToolResult) {
	s.try("the output", func() { r = s.engine.Result(exit) })
	if s.broken != nil {
		return engine.Unread(s.in, exit, s.broken)
	}
	return r
}

// Outcomes is what every test came to, and what there is to say of that list. It is asked
// after Result; nil where no tests ran.
func (s *Session) Outcomes() (list outcomes.List, said *result.Outcomes) {
	s.try("the tests", func() { list, said = s.engine.Outcomes() })
	return list, said
}

// Parse is a whole session over an output that is at hand.
func Parse(in Input, exit result.Exit) *result.ToolResult {
	s := New(in)
	s.Scan()
	return s.Result(exit)
}

// ask asks something of a command line or a file. If that breaks off, the answer is
// otherwise: a session over the same command line says why.
func ask[T any](otherwise T, question func() T) (answer T) {
	if guard.Do("reading a command line", func() { answer = question() }) != nil {
		return otherwise
	}
	return answer
}

// CommandTool is the tool that a command names, whatever it printed: the
// parser's whose tool it runs, else the program. It goes into the command key,
// which must be the same for a run that printed nothing.
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

// OfCommand is the parser whose tool a command runs, whatever it printed; nil for most commands.
func OfCommand(argv []string, line string) *Parser {
	return ask(nil, func() *Parser { return table().Named(table().Command(argv, line).Argv) })
}

// IsReport says whether a file that begins so is a report that is understood.
func IsReport(head []byte) bool { return ask(false, func() bool { return tool.IsReport(head) }) }

// IsRecall says whether a command only shows what cairn has on record.
func IsRecall(argv []string, line string) bool {
	return ask(false, func() bool { return shell.IsRecall(argv, line) })
}

// WrittenBy says which files a command line will write that belong to the run.
func WrittenBy(argv []string, line string) []Written {
	return ask(nil, func() []Written { return table().Files().WrittenBy(argv, line) })
}

// WrittenByEnv says which reports an environment, as NAME=VALUE, tells the tools
// of a command line to write.
func WrittenByEnv(env []string) []Written {
	return ask(nil, func() []Written { return table().Files().WrittenByEnv(env) })
}

// RoleOf is what a file of that name is for, by the command line that wrote it.
func RoleOf(argv []string, line, name string) Role {
	return ask(RoleReport, func() Role { return table().Files().RoleOf(argv, line, name) })
}

// PlacesOf says where the programs of a command line may write reports unasked.
func PlacesOf(argv []string, line string) []Place {
	return ask(nil, func() []Place { return table().Files().PlacesOf(argv, line) })
}
