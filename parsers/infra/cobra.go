package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// callsWrong marks the run as misuse if its only finding is an error of the command line, in the words of Go's
// cobra, which kubectl and helm use: the program then did nothing.
func callsWrong(s *read.Sink) {
	if len(s.Findings) == 1 && isMiscall(s.Findings[0].Message) {
		s.Findings[0].Kind, s.Meaning = result.GenericFinding, result.MeansUsage
	}
}

func isMiscall(message string) bool {
	if lex.HasAnyPrefix(message, "unknown command ", "unknown flag: ", "unknown shorthand flag: ", "required flag(s) ", "flag needs an argument: ", "invalid argument ") {
		return true
	}
	return strings.HasPrefix(message, `"`) && (strings.Contains(message, `" requires `) || strings.Contains(message, `" accepts `)) // `"helm lint" requires at least 1 argument`
}
