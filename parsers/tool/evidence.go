package tool

import "slices"

// Evidence is what it proves that a format matched.
type Evidence uint8

const (
	// Signature: only this tool prints the lines that the format starts with.
	Signature Evidence = iota
	// Shape: other tools print lines of this form too. What is found counts as
	// the tool's where a command names the tool, or where the report holds a
	// line that only the tool prints (Report.Signed). Otherwise the findings
	// are kept under the program that was run, and the result is heuristic.
	Shape
)

// Runs is a Parser's Matches for a tool that is known by the name of its program.
func Runs(programs ...string) func(argv []string) bool {
	return func(argv []string) bool { return slices.Contains(programs, argv[0]) }
}

// RunsSub is Matches for a program's subcommand: "terraform validate". Flags
// before it are passed by.
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
