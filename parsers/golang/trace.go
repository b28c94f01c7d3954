package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Bounds of a trace. The runtime prints at most 100 frames of a goroutine, 50 of them the outermost; of 10,000
// goroutines, the first ones explain a failure as well as all.
const (
	maxGoroutines    = 256
	maxGoFrames      = 128
	maxTraceHeadline = 200 // lines from "panic: …" to the first goroutine
)

// goTrace is what the Go runtime prints when a program dies: a headline, and the stacks of at least one goroutine.
type goTrace struct {
	headline   []string // "panic: …" or "fatal error: …" and the lines up to the stacks
	goroutines []goroutine
	frame      string // function whose position comes on the next line
}

// goroutine is one stack, innermost call first.
type goroutine struct {
	frames []result.Location
	maker  string // the function that started it
}

// startsGoTrace says whether a line can begin a trace. Only the lines after it show whether the trace is real.
func startsGoTrace(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || isGoSignal(line)
}

// isGoSignal accepts "SIGQUIT: quit".
func isGoSignal(line string) bool {
	rest, ok := strings.CutPrefix(line, "SIG")
	name, _, found := strings.Cut(rest, ": ")
	return ok && found && name != "" && len(name) <= len("STKFLT") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ12") == ""
}

// newGoTrace begins a trace with its first line.
func newGoTrace(line string) *goTrace { return &goTrace{headline: []string{line}} }

// real says whether stacks followed the headline, as they always do in a trace of the runtime.
func (t *goTrace) real() bool { return len(t.goroutines) > 0 }

// line adds the next line of the output. Lines of any other form are skipped: another goroutine may
// have been printing while this one died.
func (t *goTrace) line(s string) {
	if len(s) > lex.MaxLogLine {
		s = strings.Clone(s[:lex.MaxLogLine])
	}
	switch {
	case strings.HasPrefix(s, "goroutine ") && strings.HasSuffix(s, "]:"):
		t.open()
	case !t.real():
		if len(t.headline) < maxTraceHeadline && s != "runtime stack:" {
			t.headline = append(t.headline, s)
		}
	case strings.HasPrefix(s, "\t"):
		t.place(s)
	default:
		t.call(s)
	}
}

func (t *goTrace) open() {
	t.frame = ""
	lex.Keep(&t.goroutines, maxGoroutines, goroutine{})
}

// call takes the first of the two lines of a frame, the function.
func (t *goTrace) call(s string) {
	t.frame, s = "", strings.ReplaceAll(s, "%2e", ".") // in "gopkg.in/yaml%2ev3.resolve" the dot is escaped
	if maker, ok := strings.CutPrefix(s, "created by "); ok {
		maker, _, _ = strings.Cut(maker, " in goroutine ")
		t.frame = maker
		t.goroutines[len(t.goroutines)-1].maker = maker
		return
	}
	if i := goArgs(s); i > 0 && strings.HasSuffix(s, ")") {
		t.frame = s[:i]
	}
}

// goArgs is the index of the parenthesis that opens the arguments of "pkg.(*T).F(0x1, …)".
func goArgs(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// place takes the second line of a frame: "\t/src/a.go:12 +0x1f fp=0x…".
func (t *goTrace) place(s string) {
	at, ok := frame.Go(s)
	if !ok || t.frame == "" {
		return
	}
	at.Function, t.frame = t.frame, ""
	g := &t.goroutines[len(t.goroutines)-1]
	lex.Keep(&g.frames, maxGoFrames, at)
}

// message is the headline in one line: the value of the first panic without what the runtime adds about recovering.
func (t *goTrace) message() string {
	s := t.headline[0]
	if s == "panic: " { // the value begins with a line break
		s += cmp.Or(mockLine(t.headline[1:]), firstWords(t.headline[1:]))
	}
	for _, mark := range []string{" [recovered, repanicked]", " [recovered]"} {
		s = strings.TrimSuffix(s, mark)
	}
	return strings.TrimSpace(s)
}

// firstWords is the first line that is not blank.
func firstWords(lines []string) string {
	for _, s := range lines {
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// recovered says whether package testing caught the panic, reported the test as failed, and panicked again.
func (t *goTrace) recovered() bool {
	return slices.ContainsFunc(t.headline, func(s string) bool {
		return strings.HasSuffix(s, "[recovered, repanicked]") || strings.HasSuffix(s, "[recovered]")
	})
}

// nested are the panics after the first one, such as one in a deferred function. Up to Go 1.22
// a value that was panicked again is printed twice.
func (t *goTrace) nested() []string {
	var all []string
	for _, s := range t.headline[1:] {
		s, ok := strings.CutPrefix(s, "\tpanic: ")
		if !ok {
			continue
		}
		s, _, _ = strings.Cut(s, " [recovered")
		if "panic: "+s != t.message() {
			all = append(all, "panic: "+s)
		}
	}
	return all
}

// running are the tests listed below "running tests:" when the time limit was reached. Up to
// Go 1.20 that line is not indented.
func (t *goTrace) running() []string {
	var names []string
	begun := false
	for _, s := range t.headline {
		switch i := strings.LastIndex(s, " ("); {
		case strings.TrimSpace(s) == "running tests:":
			begun = true
		case begun && i > 0 && s[0] == '\t':
			names = append(names, strings.TrimSpace(s[:i]))
		}
	}
	return names
}

// timedOut says whether package testing ended the process because its time limit was reached.
func (t *goTrace) timedOut() bool {
	return strings.HasPrefix(t.headline[0], "panic: test timed out after ")
}

// goTestFunc gives the test function that a function of a stack belongs to:
// "example.com/m/p_test.TestX.func1.2" is TestX of example.com/m/p.
func goTestFunc(function, pkg string) string {
	rest, ofPackage := strings.CutPrefix(function, pkg)
	name, ok := strings.CutPrefix(strings.TrimPrefix(rest, "_test"), ".")
	name, _, _ = strings.Cut(name, ".")
	if !ofPackage || !ok || !isGoTestName(name) {
		return ""
	}
	return name
}

// isGoTestName says whether go test would run a function of this name.
func isGoTestName(name string) bool {
	if rest, ok := lex.CutAnyPrefix(name, "Test", "Fuzz", "Example", "Benchmark"); ok {
		return rest == "" || rest[0] < 'a' || rest[0] > 'z'
	}
	return false
}

// entry is the function that package testing called: that of a test, or the
// closure of a subtest. Tests in package p_test are given as p's.
func (g *goroutine) entry() string {
	for i := 1; i < len(g.frames); i++ {
		if strings.HasPrefix(g.frames[i].Function, "testing.tRunner") && !strings.HasPrefix(g.frames[i-1].Function, "testing.") {
			return strings.Replace(g.frames[i-1].Function, "_test.", ".", 1)
		}
	}
	return ""
}

// testFunc is the test function in the first stack that has one.
func (t *goTrace) testFunc(pkg string) string {
	for i := range t.goroutines {
		if name := t.goroutines[i].testFunc(pkg); name != "" {
			return name
		}
	}
	return ""
}

// testFunc is the test function that a goroutine runs or was started by.
func (g *goroutine) testFunc(pkg string) string {
	for _, f := range g.frames {
		if name := goTestFunc(f.Function, pkg); name != "" {
			return name
		}
	}
	return goTestFunc(g.maker, pkg)
}
