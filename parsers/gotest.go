package parsers

import (
	"strings"

	"cairn/result"
)

// go test, text and -json (go 1.20 to 1.26; cmd/test2json and "go help
// testflag" are the specification).
//
// Both formats feed one core (goRun): the text reader turns lines into the
// same calls as the events of -json, so that equal runs give equal findings.
//
// A finding's id is "<import path>.<test>", as in
// "example.com/ledger/money.TestParse/negative": the import path ends at the
// first dot after the last slash before "Test", "Fuzz", "Example" or
// "Benchmark". Suite holds the import path and Name the test, so that
//
//	go test <suite> -run '^TestParse$/^negative$'
//
// runs it again. A package that failed without any test to blame has its
// import path as id.
//
// Counts are of leaves: a test with subtests is not counted. What passed and
// what was skipped is printed only by -v and -json, and is not guessed.
var _ = register(&Parser{
	Tool: "go-test", Family: "go", Kind: result.Test, Version: 2, ColumnUnit: "byte",
	About:   "go 1.20 to 1.26, text and -json",
	Matches: func(argv []string) bool { return goTestArgs(argv) != nil },
	Exits:   map[int]result.Meaning{2: result.MeansUsage},
	Formats: []Format{
		{Name: "json", Starts: []string{`{"Time":"`, `{"Action":"`, `{"ImportPath":"`}, Sniff: isGoEvent, Parse: parseGoTestJSON},
		{
			Name:   "text",
			Starts: []string{"=== RUN   ", "--- FAIL: ", "--- PASS: ", "--- SKIP: ", "FAIL\t", "ok  \t", "?   \t", "panic: test timed out after ", "testing: ", "usage: go test ", "no packages to test", "go: "},
			Sniff:  isGoTestLine, Parse: parseGoTestText,
		},
	},
})

// goTestArgs are the arguments of "go test", or nil. "go -C dir test" is not a
// command of go: -C stands behind the name.
func goTestArgs(argv []string) []string {
	if len(argv) < 2 || argv[0] != "go" || argv[1] != "test" {
		return nil
	}
	return append([]string{}, argv[2:]...)
}

// isGoTestLine confirms that a line is the go command's: other languages'
// runners print "--- FAIL" and "ok" too.
func isGoTestLine(line string) bool {
	switch s := strings.TrimLeft(line, " \t"); s[0] {
	case '-':
		_, ok := readGoReport(line)
		return ok
	case '=':
		return isGoTestName(strings.TrimSpace(s[len("=== RUN   "):]))
	case 'F', 'o', '?':
		_, ok := readGoTrailer(line)
		return ok
	}
	return true
}

// Flags of go test, of go build and of test binaries ("go help testflag"). The
// value of one of the first list may be the next argument. Behind a flag that
// go test does not know, everything is the test binary's.
const (
	goFlagsWithValue = " C asmflags bench benchtime blockprofile blockprofilerate count covermode coverpkg coverprofile cpu cpuprofile exec" +
		" fuzz fuzzcachedir fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags list memprofile memprofilerate mod modfile" +
		" mutexprofile mutexprofilefraction o outputdir overlay p parallel pgo pkgdir run shuffle skip tags timeout toolexec trace vet "
	goFlagsAlone = " a artifacts asan benchmem buildvcs c compiler cover failfast fullpath i json linkshared modcacherw msan n race short trimpath v work x "
)

// goCommand is what the command line of go test says.
type goCommand struct {
	known    bool     // the rest is meaningful
	patterns []string // the packages it names; none: the one in its directory
	fuzzes   bool
	chdir    string // the value of -C
}

func readGoCommand(in *Input) (c goCommand) {
	args := goTestOf(in)
	c.known = args != nil
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
		case "C":
			c.chdir = value
		}
	}
	return c
}

// goTestOf are the arguments of the one "go test" of the command line, or of
// the one that make or just says to have run.
func goTestOf(in *Input) (args []string) {
	c := unwrap(in.Argv, in.Shell)
	if args = goTestArgs(c.argv); args != nil {
		return args
	}
	for _, l := range c.listed {
		found := goTestArgs(l.argv)
		if found != nil && args != nil {
			return nil
		}
		if found != nil {
			args = found
		}
	}
	if args == nil {
		args = goTestArgs(in.echoed)
	}
	return args
}

func shellText(in *Input) string {
	if in.Shell != "" || len(in.Argv) == 0 {
		return in.Shell
	}
	line, _ := shellLine(named(in.Argv))
	return line
}
