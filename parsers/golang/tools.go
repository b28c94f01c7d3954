package golang

import (
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
	_ = Room.Add("go", func(p *tool.Parser) {
		p.Is(goBuildTool, result.Build, 2, "go build and install 1.20 to 1.26, text and -json")
		p.Family, p.ColumnUnit = "go", "byte"
		p.Matches = func(argv []string) bool { return goSubArgs(argv, "build") != nil || goSubArgs(argv, "install") != nil }
		p.Exits = map[int]result.Meaning{2: result.MeansUsage}
		p.Reads(tool.Format{Name: "json", Starts: []string{`{"ImportPath":"`}, Sniff: isGoEvent, Parse: parseGo(goBuildTool)})
		p.Reads(tool.Format{Name: "text", Starts: goTextStarts(), Sniff: isGoText, Parse: parseGo(goBuildTool)})
	})
	_ = Room.Add("go", func(p *tool.Parser) {
		p.Is(goVetTool, result.Lint, 2, "go vet 1.20 to 1.26, text and -json")
		p.Family, p.ColumnUnit = "go", "byte"
		p.Matches = func(argv []string) bool { return goSubArgs(argv, "vet") != nil }
		p.Exits = map[int]result.Meaning{2: result.MeansUsage}
		p.Reads(tool.Format{Name: "json", Starts: []string{`"posn": "`}, Parse: parseGo(goVetTool)})
		p.Reads(tool.Format{Name: "text", Starts: goTextStarts(), Sniff: isGoText, Parse: parseGo(goVetTool)})
	})
	_ = Room.Add("go", func(p *tool.Parser) {
		p.Is("go", result.Build, 2, "go run, generate, fmt, list, mod, get, work 1.20 to 1.26")
		p.Family, p.ColumnUnit = "go", "byte"
		p.Matches = func(argv []string) bool { return len(argv) > 1 && argv[0] == "go" && isOtherGo(argv[1]) }
		p.Interprets = func(argv []string) bool { return argv[1] == "run" }
		p.Exits = map[int]result.Meaning{2: result.MeansUsage}
		p.Reads(tool.Format{Name: "text", Starts: slices.Concat(goTextStarts(), goTraceStarts), Sniff: isGoText, Parse: parseGo("go")})
	})
)

// goTraceStarts begin the trace of a Go program that dies.
var goTraceStarts = []string{"panic: ", "fatal error: "}

// isOtherGo says whether sub is a command of go that neither builds nor tests nor vets packages, or does not exist.
// "go tool" is excluded, since it runs other programs.
func isOtherGo(sub string) bool { return !lex.IsOneOf(sub, "build install test vet tool") }

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

// toolOfGo is the parser for a command of go.
func toolOfGo(sub string) string {
	switch {
	case sub == "build" || sub == "install":
		return goBuildTool
	case sub == "vet":
		return goVetTool
	case sub == "test":
		return "go-test"
	case isOtherGo(sub):
		return "go"
	}
	return ""
}
