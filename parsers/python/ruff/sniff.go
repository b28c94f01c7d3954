package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// ruffStarts lists the beginnings of lines that only ruff and few others print.
var ruffStarts = []string{
	"--> ", "Found ", "All checks passed!", "Would fix ", "No errors would be fixed", "ruff failed", "Fixed ", "-:", "--- ….py", "--- ….ipynb:cell ",
	"error: Failed to ", "error: …'", "[possible values: ", "error: invalid value …<RULE_CODE>'", "error: invalid value …<CONFIG_OPTION>'", "error: invalid value …<RANGE>'", "error: Ruff crashed", "error: Panic during ", "error: Panicked while ", "warning: Linting panicked ",
	"thread '…panicked at crates/ruff", "thread '…has overflowed its stack", "Usage: ruff ", "warning: No Python files found under", "warning: Invalid `#", "warning: Invalid rule code provided to `#",
	"warning: The top-level linter settings are deprecated", "1…\t", "2…\t", "3…\t", "4…\t", "5…\t", "6…\t", "7…\t", "8…\t", "9…\t",
}

// ruffFormatStarts lists the beginnings of lines that only ruff format prints.
var ruffFormatStarts = []string{
	"Would reformat: ", "unformatted: File would be reformatted",
	"1… file", "2… file", "3… file", "4… file", "5… file", "6… file", "7… file", "8… file", "9… file",
}

func sniffRuff(line string) bool {
	s := strings.TrimSpace(line)
	if _, ok := readRuffClosing(s); ok {
		return true
	}
	switch {
	case s[0] == '-':
		return sniffRuffDash(s)
	case lex.HasAnyPrefix(s, "thread '", "[possible values: ", "Would reformat: "):
		return true
	case strings.IndexByte("rUewu", s[0]) >= 0 && slices.ContainsFunc(ruffStarts, func(start string) bool { return strings.HasPrefix(s, strings.TrimSuffix(start, "…'")) }):
		return true
	}
	if _, _, ok := readRuffCount(s); ok {
		return true
	}
	at, h, ok := readRuffPlaced(s)
	return ok && !isFlake8(at.Path, h)
}

// sniffRuffDash recognises lines that begin with "-": the place of a frame, a diagnostic of standard input,
// "-:1:8: F401 message", and the first line of a diff, "--- src/a.py". In the diffs of git, black and isort, that line
// has more: "a/" or a time.
func sniffRuffDash(s string) bool {
	if at, ok := ruffPlace(strings.TrimPrefix(s, "--> ")); ok && s[1] == '-' {
		return at.Column > 0
	}
	if path, ok := strings.CutPrefix(s, "--- "); ok {
		return !strings.HasPrefix(path, "a/") && (isPythonPath(path) || strings.Contains(path, ".ipynb:cell "))
	}
	_, _, ok := readRuffPlaced(s)
	return ok
}

func isPythonPath(path string) bool {
	return strings.HasSuffix(path, ".py") || strings.HasSuffix(path, ".pyi")
}
