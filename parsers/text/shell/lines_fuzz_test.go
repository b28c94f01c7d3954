package shell

import (
	"testing"

	"cairn/parsers/text/term"
)

// brokenLines are command lines that no shell takes, or that end too early.
var brokenLines = []string{
	"a; b >", "a && b >", "a >", "a > ; b", "a | b >", "a > | tail", "a 2>", "> x", ">", "a <<", "a &>", "cd x && >", "set -e; >", "(a >", "a > )", "a >&",
}

// A line that no shell takes is the shell's own. Reading it does not fail.
func TestBrokenLines(t *testing.T) {
	for _, line := range brokenLines {
		useLine(line)
	}
	for _, line := range []string{"a; b >", "a > ; b", "a <<", "a 2>"} {
		if c := tools.UnwrapShell(line, "sh"); !c.Opaque {
			t.Errorf("%q is read as %v", line, c.Listed)
		}
	}
}

// A "+ " with nothing behind it shows no command.
func TestEmptyEcho(t *testing.T) {
	for _, lines := range [][]string{{"+ cd build", "+ "}, {"+ cd build", "+"}, {"> "}, {"nox > "}, {"task: [a] "}, {"py: commands["}} {
		seeLines(lines...)
	}
}

// useLine asks all that is asked of a command line.
func useLine(line string) {
	matches := func(argv []string) bool { return argv[0] == "b" || argv[0] == "pytest" }
	for _, c := range []Command{tools.UnwrapShell(line, "sh"), tools.Unwrap([]string{"sh", "-c", line}, ""), tools.Unwrap([]string{line, line}, "")} {
		c.Program()
		c.ExitOf()
		c.DirOf(matches)
		c.EndCut()
		c.EndShown(matches)
		c.Searches()
		c.Picked(matches)
		c.Unheard(matches)
		c.EndsElsewhere(matches)
		c.Shortened(matches)
		c.ShortenedOwn()
		c.EndsTimed()
		c.StatusTold(line, line)
	}
	tools.CommandsOf(nil, line)
	tools.CommandsOf([]string{"timeout", "5", "sh", "-c", line}, "")
	IsRecall(nil, line)
}

// seeLines asks all that is asked of lines of an output.
func seeLines(lines ...string) {
	d, at := &Directories{Tools: tools}, int64(0)
	for i, line := range lines {
		l := &term.RawLine{Stream: term.Stdout + term.Stream(i%2), Start: at, End: at + int64(len(line)) + 1, Text: []byte(line)}
		at = l.End
		d.See(l)
		ShowsCommand(l.Text)
		useLine(CutEcho(line))
		IsTrouble(line, true)
		IsChatter(l.Text)
		_ = FailedIn(line)
	}
	runs := func(argv []string) bool { return argv[0] != "" }
	d.All()
	d.Of(runs, term.Stdout, at)
	d.Echoed(runs, term.Stderr, at)
}

// FuzzLine reads any text as a command line.
func FuzzLine(f *testing.F) {
	for _, line := range append(brokenLines, "cd a && (set -o pipefail; b 2>&1 | tee x | tail -n 3) || true", `FOO="$(a 'b')" env -C x timeout 3 b`, "if a; then b; fi > x; tail -5 x", "for i in 1 2; do b; done", "for i in a* ; do echo $i; (cd $i; b); done", "b <<'E'\nx\nE\n") {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) { useLine(line) })
}

// FuzzShown reads any text as two lines of an output that show commands.
func FuzzShown(f *testing.F) {
	for _, start := range DirStarts {
		f.Add("+ cd build", start)
		f.Add(start, start+" a; b")
	}
	f.Add("make[1]: Entering directory '/src/api'", "make[1]: *** [Makefile:3: lint] Error 1")
	f.Add("py: commands[0] /src/api> pytest -q", "> web@1.0.0 test /src/web")
	f.Add("npm error workspace web@1.0.0", "npm error location /src/web")
	f.Fuzz(func(t *testing.T, first, second string) { seeLines(first, second, first) })
}
