package golang

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The go command without tests (go 1.20 to 1.26, text and -json): what the compilers, linkers and vet print under
// "# pkg", errors found before packages are loaded, and the output of go vet -json.
//
// No format is one document, and none has a closing line: only the exit code
// says whether the output is complete.
//
// Which tool a finding belongs to is decided in this order:
//
//   - If the command line names one command of go, such as go build or go vet, and no
//     other, all findings are that tool's.
//   - Otherwise the diagnostics of vet (those of its analyzers, and "vet: …" of
//     its type checker) are go-vet's, and the rest is go-build's. Without a command
//     line, only text that no other program prints is believed.
//
// The findings of a compiler or of the go command have the source go-build and those of an analyzer the source go-vet,
// also where go test prints them: they have the same fingerprints wherever they are read. The rule of a vet diagnostic
// is its analyzer; the text format does not name it, see vetRules.
var (
	_ = goTool(goBuildTool, result.Build, "go build and install 1.20 to 1.26, text and -json", tool.Format{Name: "json", Starts: []string{`{"ImportPath":"`}, Sniff: isGoEvent})
	_ = goTool(goVetTool, result.Lint, "go vet 1.20 to 1.26, text and -json", tool.Format{Name: "json", Starts: []string{`"posn": "`}})
	_ = goTool("go", result.Build, "go run, generate, fmt, list, mod, get, work 1.20 to 1.26")
)

func goTool(name string, kind result.Kind, what string, formats ...tool.Format) bool {
	return Room.Add("go", func(p *tool.Parser) {
		p.Is(name, kind, 2, what)
		p.Family, p.ColumnUnit = "go", "byte"
		p.Matches = func(argv []string) bool { return len(argv) > 1 && argv[0] == "go" && toolOfGo(argv[1]) == name }
		p.Exits = map[int]result.Meaning{2: result.MeansUsage}
		starts := goTextStarts()
		if name == "go" {
			p.Interprets = func(argv []string) bool { return argv[1] == "run" }
			starts = slices.Concat(starts, []string{"panic: ", "fatal error: "}) // of a program that dies
		}
		for _, f := range append(formats, tool.Format{Name: "text", Starts: starts, Sniff: isGoText}) {
			f.Parse = parseGo(name)
			p.Reads(f)
		}
	})
}

// goTextStarts: a line may begin with a path, and so with any byte that is not blank.
var goTextStarts = sync.OnceValue(func() []string {
	starts := append([]string{"# ", "package ", "vet: ", "flag provided but not defined: -", "go …: unknown command"}, goLoadStarts...)
	for c := byte('!'); c < 0xf5; c++ {
		if c < 0x7f || c >= 0xc2 {
			starts = append(starts, string([]byte{c})+"….go:")
		}
	}
	return starts
})

// isGoText tells lines of the go command from other lines with the same beginning.
func isGoText(line string) bool {
	if pkg, ok := strings.CutPrefix(line, "# "); ok {
		pkg, variant, _ := strings.Cut(pkg, " [")
		return isImportPath(pkg) && (variant == "" || strings.HasSuffix(variant, "]"))
	}
	if strings.HasPrefix(line, "vet: ") || strings.HasPrefix(line, "flag provided but ") || startsGoTrace(line) || isGoLoad(line) || strings.HasPrefix(line, "go ") && isGoUsage(line) {
		return true
	}
	at, _, ok := cutGoPosition(line)
	return ok && line[0] != ' ' && line[0] != '\t' && strings.HasSuffix(at.Path, ".go")
}

// mine reads the command line, and says whether the output may contain findings of this tool.
func (r *goOutput) mine(subs []string) bool {
	var own, others []string
	for _, sub := range subs {
		if t := toolOfGo(sub); t == r.tool {
			own = append(own, sub)
		} else if !slices.Contains(others, t) {
			others = append(others, t)
		}
	}
	r.named = len(own) > 0
	r.sole = r.named && len(others) == 0
	if len(own) == 1 {
		r.argv = readGoCommand(r.in, own[0])
		r.runs = lex.IsOneOf(own[0], "run generate")
	}
	r.dirs.start = r.argv.chdir
	r.hidden = lex.IsOneOf(r.in.Command().Program(), goRunners)
	if r.tool == "go" {
		return r.sole
	}
	if r.named || r.tool == goVetTool {
		return true
	}
	return len(others) != 1 || others[0] == "go-test"
}

// toolOfGo is the parser for a command of go, which may not exist. "go tool" runs other programs.
func toolOfGo(sub string) string {
	if sub == "tool" {
		return ""
	}
	return cmp.Or(lex.Means(sub, "go-build: build, install; go-vet: vet; go-test: test"), "go")
}

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
func readGoCommand(in *tool.Input, sub string) goCommand {
	c := readGoArgs(goArgsOf(in, sub))
	for _, l := range in.Command().Listed { // several, as in a loop
		if args := goSubArgs(l.Argv, sub); args != nil && !c.known {
			if c.verbose = slices.ContainsFunc(args, isGoVerbose); !c.verbose {
				break
			}
		}
	}
	return c
}

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
		c.fuzzes, c.lists, c.vettool = c.fuzzes || name == "fuzz", c.lists || name == "list", c.vettool || name == "vettool"
		if name == "C" {
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
