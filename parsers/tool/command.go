package tool

import (
	"slices"
	"strings"

	"cairn/parsers/text/shell"
)

// Command is what a command line says is being run, wrappers such as "env" or
// "uv run" taken off.
type Command = shell.Command

// Command is what was run.
func (in *Input) Command() Command { return in.tools.Unwrap(in.Argv, in.Shell) }

// CommandOf reads a command line that a runner printed.
func (in *Input) CommandOf(line string) Command { return in.tools.UnwrapShell(line, "sh") }

// StdinOf is the file that the command line gives one of the programs as its standard input:
// "mysql shop < schema.sql". Without such a file it is "", and also where its name is not known or
// more than one command runs them.
func (in *Input) StdinOf(programs ...string) (name string) {
	runs := 0
	for _, c := range in.tools.CommandsOf(in.Argv, in.Shell) {
		if len(c.Argv) == 0 || !slices.Contains(programs, in.tools.Unwrap(c.Argv, "").Program()) {
			continue
		}
		runs++
		for _, r := range c.Redirects {
			if strings.TrimPrefix(r.Op, "0") == "<" && !shell.Expanded(r.Target) {
				name = shell.Below(c.Dir, r.Target)
			}
		}
	}
	if runs != 1 {
		return ""
	}
	return name
}
