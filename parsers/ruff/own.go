package ruff

import (
	"slices"
	"strings"
)

// What only ruff says of itself. Where the command does not tell who speaks, as
// in the log of make or of a workflow, the rest is left to others: "error:
// unexpected argument" is what every program in Rust says.
var (
	ruffBegins = []string{"Usage: ruff", ruffNoFiles, "warning: Invalid `#", "warning: Invalid rule code provided to `#", "warning: The top-level linter settings are deprecated",
		"warning: Rule `", "warning: Selection `", "warning: `ruff <path>` is deprecated.", "warning: The following rules have been removed and ignoring them has no effect",
		"error: Failed to initialize cache at ", "warning: Failed to open cache file "}
	ruffWarns = []string{" are incompatible. Ignoring `", "` has been remapped to `", " may cause conflicts when used with the formatter",
		"` selector has been deprecated. Use the `", "argument is deprecated. Use `--", "` option is incompatible with the formatter"}
	ruffValues = []string{"<RULE_CODE>'", "--config <CONFIG_OPTION>'", "--range <RANGE>'"}
)

// certain: only ruff says so.
func (n *ruffNotice) certain() bool {
	begins := func(start string) bool { return strings.HasPrefix(n.head, start) }
	holds := func(words string) bool { return strings.Contains(n.head, words) }
	switch {
	case n.head == ruffFailed, n.crashedItself(), slices.ContainsFunc(ruffBegins, begins):
		return true
	case begins("warning: ") && slices.ContainsFunc(ruffWarns, holds), begins("error: invalid value ") && slices.ContainsFunc(ruffValues, holds):
		return true
	case n.unread():
		return true
	}
	return slices.ContainsFunc(n.text, ruffSays)
}

// ruffSays: the line stands below an error of the command line, and only ruff
// has such a usage or such values.
func ruffSays(s string) bool {
	if strings.HasPrefix(s, "  [possible values: ") {
		return strings.Contains(s, " pylint,") || strings.Contains(s, " py37, py38, ")
	}
	return strings.HasPrefix(s, "Usage: ruff")
}

// unread: what ruff could not look into is a file of Python.
func (n *ruffNotice) unread() bool {
	_, what, _ := strings.Cut(n.head, ": ")
	for _, did := range ruffFailures {
		if file, ok := strings.CutPrefix(what, did); ok {
			at, _, ok := cutRuffFile(file)
			return ok && (isPythonPath(at.Path) || strings.HasSuffix(at.Path, ".ipynb"))
		}
	}
	return false
}
