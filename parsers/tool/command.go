package tool

import (
	"slices"
	"strings"

	"cairn/parsers/text/shell"
)

// Command is the program that a command line runs, without wrappers such as "env" or "uv run".
type Command = shell.Command

// Command returns the command that was run.
func (in *Input) Command() Command { return in.tools.Unwrap(in.Argv, in.Shell) }

// CommandOf reads a command line that a runner printed.
func (in *Input) CommandOf(line string) Command { return in.tools.UnwrapShell(line, "sh") }

// StdinOf is the file that the command line gives one of the programs as its standard input: "mysql shop <
// schema.sql". It is "" if there is no such file, if its name is an expansion, or if more than one command runs one
// of the programs.
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

func ShellText(in *Input) string {
	if in.Shell != "" || len(in.Argv) == 0 {
		return in.Shell
	}
	line, _ := shell.ShellLine(shell.Named(in.Argv))
	return line
}
