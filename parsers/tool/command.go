package tool

import "cairn/parsers/text/shell"

// Command is what a command line says is being run, wrappers such as "env" or
// "uv run" taken off.
type Command = shell.Command

// Command is what was run.
func (in *Input) Command() Command { return in.tools.Unwrap(in.Argv, in.Shell) }

// CommandOf reads a command line that a runner printed.
func (in *Input) CommandOf(line string) Command { return in.tools.UnwrapShell(line, "sh") }
