package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// callsWrong ends what a program says that reads its command line with Go's cobra, as
// kubectl and helm do: where that line is the only trouble, it did nothing.
func callsWrong(s *read.Sink) {
	if len(s.Findings) == 1 && isMiscall(s.Findings[0].Message) {
		s.Findings[0].Kind, s.Meaning = result.GenericFinding, result.MeansUsage
	}
}

func isMiscall(message string) bool {
	if lex.HasAnyPrefix(message, "unknown command ", "unknown flag: ", "unknown shorthand flag: ", "required flag(s) ", "flag needs an argument: ", "invalid argument ") {
		return true
	}
	return strings.HasPrefix(message, `"`) && (strings.Contains(message, `" requires `) || strings.Contains(message, `" accepts `)) // "helm lint" requires …
}
