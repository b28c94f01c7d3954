package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
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
	if lex.HasAnyPrefix(message, "unknown command ", "unknown flag: ", "unknown shorthand flag: ", "required flag(s) ", "flag needs an argument: ", "invalid argument ", "unrecognized argument: ", "unrecognised flag ") {
		return true
	}
	return strings.HasPrefix(message, `"`) && (strings.Contains(message, `" requires `) || strings.Contains(message, `" accepts `)) || strings.HasSuffix(message, " is not a recognised command") // `"helm lint" requires at least 1 argument`
}

// showsOwn returns a Matches function for programs whose subcommand "logs" prints other programs' lines: errors in
// those lines are not the program's own.
func showsOwn(programs string) func(argv []string) bool {
	runs := tool.Runs(strings.Fields(programs)...)
	return func(argv []string) bool {
		if !runs(argv) {
			return false
		}
		words := 0
		for _, a := range argv[1:] {
			if strings.HasPrefix(a, "-") {
				continue
			}
			if a == "logs" {
				return false
			}
			if words++; words == 3 { // docker -H HOST compose logs
				break
			}
		}
		return true
	}
}
