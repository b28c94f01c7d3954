package shell

import "slices"

// IsRecall reports whether a command only shows what cairn has recorded, directly or through filters. Capturing
// such a command would record a record.
func IsRecall(argv []string, shellText string) bool {
	if len(argv) > 0 {
		if line, ok := ShellLine(Named(argv)); ok {
			shellText = line
		}
	}
	if shellText == "" {
		return asksCairn(Tools(nil).Unwrap(argv, ""))
	}
	stages, ok := pipeline(shellText)
	return ok && asksCairn(Tools(nil).Unwrap(stages[0], "")) && !slices.ContainsFunc(stages[1:], doesMore)
}

func asksCairn(c Command) bool {
	return len(c.Argv) > 1 && c.Argv[0] == "cairn" && c.Argv[1] != "capture"
}

// filters are programs that only pass on parts of what they read.
var filters = []string{"head", "tail", "grep", "egrep", "fgrep", "rg", "jq", "sort", "uniq", "wc", "cut", "cat", "tr", "less", "more",
	"column", "fold", "nl", "rev", "tac", "sha256sum", "diff"}

func doesMore(argv []string) bool { return !slices.Contains(filters, Named(argv)[0]) }

// pipeline splits a line that is one pipeline into its simple commands.
func pipeline(text string) (commands [][]string, ok bool) {
	l, _ := readLine(text)
	s, ok := l.single()
	if !ok || s.expands {
		return nil, false
	}
	for _, stmt := range stages(s.stmt) {
		c, ok := l.simple(stmt)
		if !ok || !plain(stmt) || len(c.argv) == 0 || c.expands {
			return nil, false
		}
		commands = append(commands, c.argv)
	}
	return commands, true
}
