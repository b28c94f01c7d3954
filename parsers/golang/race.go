package golang

import "strings"

// goRace is one report of the race detector: the accesses that met, and where their goroutines came from.
//
//	==================
//	WARNING: DATA RACE
//	Write at 0x00c000018328 by goroutine 12:
//	  example.com/m.(*C).Inc()
//	      /src/m/c.go:5 +0x47
//
//	Previous read at 0x00c000018328 by goroutine 11:
//	…
//	Goroutine 12 (running) created at:
//	…
//	==================
type goRace struct {
	what   []string // of each stack: "write", "previous read"; "goroutine" for the stack where one was created
	stacks goTrace
	closed bool
}

const (
	maxRaceStacks = 16 // the detector prints four at most

	raceRule  = "=================="
	raceTitle = "WARNING: DATA RACE"
)

// line adds a line of the report and says whether the line belonged to it.
func (r *goRace) line(s string) bool {
	switch {
	case s == raceRule:
		r.closed = true
	case strings.HasPrefix(s, "  ") && !r.stacks.real():
	case strings.HasPrefix(s, "      "):
		r.stacks.place(s)
	case strings.HasPrefix(s, "  "):
		r.stacks.call(strings.TrimSpace(s))
	case strings.HasSuffix(s, ":") && len(r.what) < maxRaceStacks:
		r.stacks.open()
		what, _, access := strings.Cut(strings.ToLower(s), " at 0x") // without its address and the goroutine's number
		if !access {
			what = "goroutine"
		}
		r.what = append(r.what, what)
	default:
		return s == ""
	}
	return true
}

// vetRules finds the analyzer of go vet by the message: -json names it, text does not. Without it, the same diagnostic
// would have two identities. A mark may stand anywhere in the message; "^" binds it to the beginning, "$" to the end.
// No message of the compiler contains a mark (go 1.20 to 1.26, "go tool vet help").
var vetRules = []struct{ rule, marks string }{
	{"appends", "^append with no values"},
	{"asmdecl", "^[386] |^[amd64] |^[arm] |^[arm64] |^[loong64] |^[mips… |^[ppc64… |^[riscv64] |^[s390x] |^[wasm] "},
	{"assign", "^self-assignment of "},
	{"atomic", "^direct assignment to atomic value"},
	{"bools", "^redundant or: |^redundant and: |^suspect or: |^suspect and: "},
	{"buildtag", "//go:build line|//go:build comment|+build comment|+build line|build constraint: |in build constraint"},
	{"cgocall", "^possibly passing Go type with embedded pointer to C"},
	{"composites", " literal uses unkeyed fields"},
	{"copylocks", " passes lock by value: | copies lock value| copies lock: "},
	{"defers", "^call to time.Since is not deferred"},
	{"directive", "^//go:debug directive|//go:debug directive"},
	{"errorsas", "^second argument to errors.As "},
	{"framepointer", "^frame pointer is clobbered before saving"},
	{"hostport", " does not work with IPv6"},
	{"httpresponse", " before checking for errors"},
	{"ifaceassert", ": no type can implement both "},
	{"loopclosure", " captured by func literal"},
	{"lostcancel", " function is not used on all paths (possible context leak)|^the cancel… should be called, not discarded|^this return statement may be reached without using the "},
	{"nilfunc", "^comparison of function "},
	{"printf", "^missing ... in args forwarded to |^non-constant format string in call to | format %| call has arguments but no formatting directives" +
		"| error-wrapping directive %w| formatting directive %| does not take io.Writer but has first arg | arg list ends with redundant newline" +
		"| is a func value, not called| causes recursive call to | call needs | call has possible "},
	{"shift", " too small for shift of "},
	{"sigchanyzer", "^misuse of unbuffered os.Signal channel "},
	{"slog", " a string or a slog.Attr (|^call to … missing a final value|^call to … has a missing or misplaced value"},
	{"stdmethods", "^method … should have signature "},
	{"stdversion", " or later (module is | or later (file is "},
	{"stringintconv", " yields a string of one rune, not a string of digits"},
	{"structtag", "^struct field "},
	{"testinggoroutine", " from a non-test goroutine"},
	{"tests", " should be niladic| should return nothing| should not have type params| refers to unknown | has malformed example suffix: | has malformed name: " +
		"|^argument to Fuzz must |^fuzz target must |^fuzzing arguments can only |^the first parameter of a fuzz target | in call to (*testing.F).Add: "},
	{"timeformat", "2006-02-01 should be 2006-01-02"},
	{"unmarshal", " passes non-pointer"},
	{"unreachable", "^unreachable code$"},
	{"unsafeptr", "^possible misuse of unsafe.Pointer|^possible misuse of reflect."},
	{"unusedresult", "^result of … call not used"},
	{"waitgroup", "^WaitGroup.Add called from inside new goroutine"},
}

// goVetRule is the analyzer whose marks match the message, or "".
func goVetRule(message string) string {
	for _, r := range vetRules {
		for mark := range strings.SplitSeq(r.marks, "|") {
			if saysMark(message, mark) {
				return r.rule
			}
		}
	}
	return ""
}

// saysMark says whether a message matches a mark. The text before "…" begins the message, the text after it follows.
func saysMark(message, mark string) bool {
	begin, atStart := strings.CutPrefix(mark, "^")
	if !atStart {
		return strings.Contains(message, mark)
	}
	if whole, ok := strings.CutSuffix(begin, "$"); ok {
		return message == whole
	}
	begin, later, _ := strings.Cut(begin, "…")
	rest, ok := strings.CutPrefix(message, begin)
	return ok && strings.Contains(rest, later)
}
