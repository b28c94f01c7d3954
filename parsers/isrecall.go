package parsers

import "slices"

// IsRecall says whether a command only shows what cairn has on record, as it
// is or through filters: capturing it again would record a record.
func IsRecall(argv []string, shell string) bool {
	if len(argv) > 0 {
		if line, ok := shellLine(named(argv)); ok {
			shell = line
		}
	}
	if shell == "" {
		return asksCairn(unwrap(argv, ""))
	}
	stages, ok := pipeline(shell)
	return ok && asksCairn(unwrap(stages[0], "")) && !slices.ContainsFunc(stages[1:], doesMore)
}

func asksCairn(c command) bool {
	return len(c.argv) > 1 && c.argv[0] == "cairn" && c.argv[1] != "capture"
}

// filters are programs that do nothing but pass on, in part, what they read.
var filters = []string{"head", "tail", "grep", "egrep", "fgrep", "rg", "jq", "sort", "uniq", "wc", "cut", "cat", "tr", "less", "more",
	"column", "fold", "nl", "rev", "tac", "sha256sum", "diff"}

func doesMore(argv []string) bool { return !slices.Contains(filters, named(argv)[0]) }

// pipeline splits a line into the simple commands of its one pipeline.
func pipeline(line string) (stages [][]string, ok bool) {
	words, ok := shellWords(line)
	if !ok || slices.ContainsFunc(words, func(w word) bool { return w.expands }) {
		return nil, false
	}
	var stage []word
	for _, w := range append(words, word{operator: "|"}) {
		if w.operator != "|" && w.operator != "|&" {
			stage = append(stage, w)
			continue
		}
		argv, _, ok := simpleWords(stage)
		if !ok {
			return nil, false
		}
		stages, stage = append(stages, argv), nil
	}
	return stages, true
}
