package recall

import (
	"strings"

	"cairn/manifest"
)

// CommandLine is a capture's command as a POSIX shell would take it: words that
// are more than plain characters are quoted.
func CommandLine(rec *manifest.Record) string {
	if rec.Shell != "" {
		return rec.Shell
	}
	words := make([]string, len(rec.Argv))
	for i, arg := range rec.Argv {
		words[i] = Quoted(arg)
	}
	return strings.Join(words, " ")
}

// plainBytes mean nothing to a shell, wherever they stand in a word.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+:,./-_"

// Quoted is a word as a POSIX shell takes it.
func Quoted(arg string) string {
	if arg != "" && strings.Trim(arg, plainBytes) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
