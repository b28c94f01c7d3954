package tool

import "slices"

// Evidence says what it proves that a format matched.
type Evidence uint8

const (
	// Signature means that only this tool prints the lines that the format starts with.
	Signature Evidence = iota
	// Shape means that other tools print lines of this form too. The findings count as the tool's only if a command
	// names the tool, or if the report holds a line that only the tool prints (Report.Signed). Otherwise they are
	// kept under the name of the program that was run, and the result is heuristic.
	Shape
)

// Runs returns a Parser.Matches that accepts the given program names.
func Runs(programs ...string) func(argv []string) bool {
	return func(argv []string) bool { return slices.Contains(programs, argv[0]) }
}

// RunsSub returns a Parser.Matches that accepts subcommands of a program, such as "terraform validate". Flags
// before the subcommand are skipped.
func RunsSub(program string, subs ...string) func(argv []string) bool {
	return func(argv []string) bool {
		if argv[0] != program {
			return false
		}
		for _, a := range argv[1:] {
			if a == "" || a[0] != '-' {
				return slices.Contains(subs, a)
			}
		}
		return false
	}
}
