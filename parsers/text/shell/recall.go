package shell

import "slices"

// IsRecall says whether a command only shows what cairn has on record, as it
// is or through filters: capturing it again would record a record.
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

// filters are programs that do nothing but pass on, in part, what they read.
var filters = []string{"head", "tail", "grep", "egrep", "fgrep", "rg", "jq", "sort", "uniq", "wc", "cut", "cat", "tr", "less", "more",
	"column", "fold", "nl", "rev", "tac", "sha256sum", "diff"}

func doesMore(argv []string) bool { return !slices.Contains(filters, Named(argv)[0]) }

// pipeline splits a line into the simple commands of its one pipeline.
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
