package infra

import (
	"strings"

	"cairn/parsers/tool"
)

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
