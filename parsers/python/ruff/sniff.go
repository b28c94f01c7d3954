package ruff

import (
	"slices"
	"strings"
)

// ruffStarts begin the lines that only ruff prints, or few others.
var ruffStarts = []string{
	"--> ", "Found ", "All checks passed!", "Would fix ", "No errors would be fixed", "ruff failed", "Fixed ", "-:", "--- ….py", "--- ….ipynb:cell ",
	"error: Failed to ", "error: …'", "[possible values: ", "error: invalid value …<RULE_CODE>'", "error: invalid value …<CONFIG_OPTION>'", "error: invalid value …<RANGE>'", "error: Ruff crashed", "error: Panic during ", "error: Panicked while ", "warning: Linting panicked ",
	"thread '…panicked at crates/ruff", "thread '…has overflowed its stack", "Usage: ruff ", "warning: No Python files found under", "warning: Invalid `#", "warning: Invalid rule code provided to `#",
	"warning: The top-level linter settings are deprecated", "1…\t", "2…\t", "3…\t", "4…\t", "5…\t", "6…\t", "7…\t", "8…\t", "9…\t",
}

// ruffFormatStarts begin the lines of ruff format.
var ruffFormatStarts = []string{
	"Would reformat: ", "unformatted: File would be reformatted",
	"1… file", "2… file", "3… file", "4… file", "5… file", "6… file", "7… file", "8… file", "9… file",
}

func sniffRuff(line string) bool {
	s := strings.TrimSpace(line)
	if _, ok := readRuffClosing(s); ok {
		return true
	}
	switch s[0] {
	case '-':
		return sniffRuffDash(s)
	case 'r', 'U', 'e', 'w', 'u':
		if slices.ContainsFunc(ruffStarts, func(start string) bool { return strings.HasPrefix(s, strings.TrimSuffix(start, "…'")) }) {
			return true
		}
	case 't':
		if strings.HasPrefix(s, "thread '") {
			return true
		}
	case '[':
		if strings.HasPrefix(s, "[possible values: ") {
			return true
		}
	case 'W':
		if strings.HasPrefix(s, "Would reformat: ") {
			return true
		}
	}
	if _, _, ok := readRuffCount(s); ok {
		return true
	}
	at, h, ok := readRuffPlaced(s)
	return ok && !isFlake8(at.Path, h)
}

// sniffRuffDash takes the line of a place, what is read from standard input, and
// what opens the diff of a file, which is all that 0.0.292 prints of one. Those
// of git, black and isort have more in that line.
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
