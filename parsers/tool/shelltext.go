package tool

import "cairn/parsers/text/shell"

func ShellText(in *Input) string {
	if in.Shell != "" || len(in.Argv) == 0 {
		return in.Shell
	}
	line, _ := shell.ShellLine(shell.Named(in.Argv))
	return line
}
