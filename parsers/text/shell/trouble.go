package shell

import (
	"bytes"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Coded occurs in most lines that IsTrouble accepts. Searching for it takes most of IsTrouble's time.
const Coded = " code "

// IsTrouble reports whether in this line a shell or a runner says that one of its commands failed. It knows make,
// shells, npm, yarn, pnpm, just, concurrently, npm-run-all, tox, nox and pre-commit. The caller passes coded=false
// if it knows that the line does not contain Coded.
func IsTrouble(line string, coded bool) bool {
	s := strings.TrimSpace(line)
	if s == "" {
		return false
	}
	switch {
	case strings.HasPrefix(s, "make"), strings.HasPrefix(s, "gmake"):
		return strings.Contains(s, "] Error ") || strings.Contains(s, ": *** ") || strings.HasSuffix(s, "No such file or directory")
	case strings.HasPrefix(s, "nox > "):
		return strings.HasPrefix(s, "nox > * ") && strings.HasSuffix(s, ": failed")
	case s[len(s)-1] == 'd' || s[len(s)-1] == 'y':
		if known, is := endsTrouble(s); known {
			return is
		}
	}
	if coded && hasCode(s) {
		return true
	}
	return strings.IndexByte("neE", s[0]) >= 0 && (strings.HasPrefix(s, "npm error Lifecycle script ") ||
		strings.HasPrefix(s, "error: Recipe `") || strings.HasPrefix(s, "error: recipe `") ||
		strings.HasPrefix(s, "ERROR: \"") && strings.Contains(s, "\" exited with "))
}

// EndsStep reports whether a runner says in this line how a step ended, or that one begins: a finding that a tool
// was printing ends before it, unless a test printed the line.
func EndsStep(line string) bool {
	return lex.HasAnyPrefix(line, "##[error]Process completed ", "##[group]Run ", "::group::Run ") || strings.HasPrefix(line, "make") && strings.Contains(line, ": *** [")
}

// endsTrouble is IsTrouble for lines whose last words decide; known is false for others.
func endsTrouble(s string) (known, is bool) {
	switch {
	case strings.HasSuffix(s, ": not found"), strings.HasSuffix(s, ": command not found"), strings.HasSuffix(s, ": Permission denied"):
		return true, IsShellName(s)
	case strings.HasSuffix(s, ": No such file or directory"):
		return true, strings.HasPrefix(s, "env: ") || strings.HasPrefix(s, "timeout: ") || strings.HasPrefix(s, "xargs: ") || IsShellName(s)
	case strings.HasSuffix(s, "Failed"):
		return true, strings.HasSuffix(s, "....Failed")
	}
	return false, false
}

// hasCode is IsTrouble for a line that may contain Coded.
func hasCode(s string) bool {
	i := lastIndex(s, Coded)
	if i < 0 {
		return false
	}
	if !isNone(s[i+len(Coded):]) && (strings.HasSuffix(s[:i], " exited with") || strings.HasSuffix(s[:i], ": FAIL")) {
		return true
	}
	return strings.HasPrefix(s, "npm ERR! code ELIFECYCLE") || strings.HasPrefix(s, "error Command failed with exit code ") ||
		strings.Contains(s, "failed with exit code ") && strings.Contains(s, "ELIFECYCLE")
}

// chatter are beginnings of lines that runners print around a failure that is reported elsewhere.
var chatter = []string{
	"npm notice", "npm error path ", "npm error workspace ", "npm error location ", "npm error command ", "npm error code ", "npm error A complete log of this run",
	"npm ERR! path ", "npm ERR! A complete log of this run", "info Visit https://yarnpkg.com/",
}

// IsChatter reports whether a line, without blanks around it, is chatter of a runner.
func IsChatter(line []byte) bool {
	if _, rest, ok := bytes.Cut(line, []byte("] ")); ok && line[0] == '[' { // "[ 25%] Built target a", "[3/9] Linking b"
		step := line[1 : len(line)-len(rest)-2]
		return bytes.HasSuffix(step, []byte("%")) && len(bytes.Trim(step, " 0123456789%")) == 0
	}
	if who, rest, ok := bytes.Cut(line, []byte(": ")); ok && bytes.HasPrefix(who, []byte("make")) {
		return bytes.HasPrefix(rest, []byte("Entering directory ")) || bytes.HasPrefix(rest, []byte("Leaving directory "))
	}
	if task, ok := bytes.CutSuffix(line, []byte(": Failed")); ok && bytes.IndexByte(task, ' ') > 0 && bytes.Count(task, []byte(" ")) == 1 { // pnpm's of a package's script
		return true
	}
	return len(line) > 0 && (line[0] == 'n' || line[0] == 'i') &&
		slices.ContainsFunc(chatter, func(s string) bool {
			return len(line) >= len(strings.TrimRight(s, " ")) && bytes.HasPrefix(append(line[:len(line):len(line)], ' '), []byte(s))
		})
}

// lastIndex is strings.LastIndex, but fast if what does not occur.
func lastIndex(s, what string) int {
	if !strings.Contains(s, what) {
		return -1
	}
	return strings.LastIndex(s, what)
}

func isNone(code string) bool { return strings.HasPrefix(code, "0") }

// IsShellName reports whether a line is a message of a shell: "sh: 1: x: …", "/bin/sh: line 3: x: …", "bash: x: …".
func IsShellName(s string) bool {
	who, _, _ := strings.Cut(s, ": ")
	return lex.IsOneOf(Named([]string{who})[0], "sh bash dash zsh ksh ash")
}

// FailedIn is the directory of a failed command in a line of npm that names it; otherwise "".
func FailedIn(line string) string {
	for _, location := range [...]string{"npm error location ", "npm ERR! location "} {
		if dir, ok := strings.CutPrefix(line, location); ok && result.IsAbsolute(dir) {
			return strings.TrimSpace(dir)
		}
	}
	return ""
}

// IsScriptTail reports whether a line is one that package managers print after a script failed.
func IsScriptTail(s string) bool {
	return lex.HasAnyPrefix(s, "npm ", "error Command failed", " ELIFECYCLE", "\u2009ELIFECYCLE", "info Visit ", "make")
}
