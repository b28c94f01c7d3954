package golang

import (
	"slices"
	"strings"

	"cairn/parsers/tool"
)

// goSubArgs returns the arguments of "go SUB", or nil. In "go test -C dir", -C follows the name of the command.
func goSubArgs(argv []string, sub string) []string {
	if len(argv) < 2 || argv[0] != "go" || argv[1] != sub {
		return nil
	}
	return append([]string{}, argv[2:]...)
}

// Flags of go test, of go build and of test binaries ("go help testflag"). A flag of the first list takes its value
// from "=" or from the next argument. All arguments after a flag unknown to go test belong to the test binary.
const (
	goFlagsWithValue = " C asmflags bench benchtime blockprofile blockprofilerate count covermode coverpkg coverprofile cpu cpuprofile exec" +
		" fuzz fuzzcachedir fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags list memprofile memprofilerate mod modfile" +
		" mutexprofile mutexprofilefraction o outputdir overlay p parallel pgo pkgdir run shuffle skip tags timeout toolexec trace vet vettool "
	goFlagsAlone = " a artifacts asan benchmem buildvcs c compiler cover failfast fullpath i json linkshared modcacherw msan n race short trimpath v work x "
)

// goCommand is what the command line of go says.
type goCommand struct {
	known    bool     // false if the command line was not found: the other fields mean nothing
	patterns []string // the packages it names; empty: the one in its directory
	fuzzes   bool
	lists    bool // it lists tests and runs none
	vettool  bool
	verbose  bool
	chdir    string // the value of -C
}

// readGoCommand reads the only "go SUB" of the command line.
func readGoCommand(in *tool.Input, sub string) goCommand { return readGoArgs(goArgsOf(in, sub)) }

func readGoArgs(args []string) (c goCommand) {
	c.known = args != nil
	c.verbose = slices.ContainsFunc(args, isGoVerbose) // at any position: go test looks for -v even after flags that it does not know
	for i := 0; i < len(args); i++ {
		flag, isFlag := strings.CutPrefix(args[i], "-")
		if !isFlag {
			c.patterns = append(c.patterns, args[i])
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "test."), "=")
		withValue := strings.Contains(goFlagsWithValue, " "+name+" ")
		if !withValue && !strings.Contains(goFlagsAlone, " "+name+" ") {
			break
		}
		if withValue && !hasValue && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch name {
		case "fuzz":
			c.fuzzes = true
		case "list":
			c.lists = true
		case "vettool":
			c.vettool = true
		case "C":
			c.chdir = value
		}
	}
	return c
}

// isGoVerbose says whether arg makes go test name every test: -v, -test.v, -v=test2json, -json.
func isGoVerbose(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(arg, "-"), "test."), "=")
	return strings.HasPrefix(arg, "-") && (name == "v" || name == "json")
}

// goArgsOf returns the arguments of the only "go SUB" on the command line, or among the commands that make or just
// echoed.
func goArgsOf(in *tool.Input, sub string) (args []string) {
	c := in.Command()
	if args = goSubArgs(c.Argv, sub); args != nil {
		return args
	}
	for _, l := range c.Listed {
		found := goSubArgs(l.Argv, sub)
		if found != nil && args != nil {
			return nil
		}
		if found != nil {
			args = found
		}
	}
	if args == nil {
		args = goSubArgs(in.Echoed(), sub)
	}
	return args
}

// shownGoTest returns the arguments of "go test" in a line that shows a command: as make prints it, or after the marks
// of just, "set -x", Task and workflows ("$ ", "+ ", "##[group]Run ").
func shownGoTest(in *tool.Input, line string) []string {
	if !strings.Contains(line, "go test") {
		return nil
	}
	for _, mark := range []string{"$ ", "+ ", "> ", "##[group]Run ", "##[command]"} {
		line = strings.TrimPrefix(line, mark)
	}
	if rest, ok := strings.CutPrefix(line, "task: ["); ok {
		_, line, _ = strings.Cut(rest, "] ")
	}
	return goSubArgs(in.CommandOf(line).Argv, "test")
}

// goSubs returns the commands of go ("test", "vet") on the command line or echoed by make or just, each once.
func goSubs(in *tool.Input) (subs []string) {
	add := func(argv []string) {
		if len(argv) > 1 && argv[0] == "go" && !slices.Contains(subs, argv[1]) {
			subs = append(subs, argv[1])
		}
	}
	c := in.Command()
	add(c.Argv)
	for _, l := range c.Listed {
		add(l.Argv)
	}
	add(in.Echoed())
	return subs
}

// runsGoBinary says whether the command runs a binary made by "go test -c", known by its usual name or by its flags.
func runsGoBinary(in *tool.Input) bool {
	c := in.Command()
	return slices.ContainsFunc(append([]tool.Command{c}, c.Listed...), func(c tool.Command) bool { return isGoBinary(c.Argv) })
}

func isGoBinary(argv []string) bool {
	if len(argv) == 0 || argv[0] == "go" {
		return false
	}
	return strings.HasSuffix(argv[0], ".test") || slices.ContainsFunc(argv[1:], func(a string) bool { return strings.HasPrefix(a, "-test.") })
}
