package ruff

import "strings"

// flake8 prints what ruff's concise format and its pylint format do, with the
// same codes: "a.py:1:1: F401 'os' imported but unused". Its own rules and those
// of pycodestyle and mccabe say it in other words, most of its plugins' in the
// same. Where it looks into a directory ".", its paths begin with "./", which
// ruff never prints.

// isFlake8: what was read like a line of ruff's is flake8's.
func isFlake8(path string, h ruffHead) bool {
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, `.\`) {
		return true
	}
	c, m := h.code, h.message
	if c == "F824" { // of which ruff has none
		return true
	}
	own := len(c) == 4 && (strings.IndexByte("EFW", c[0]) >= 0 && c[1] != '9' || strings.HasPrefix(c, "C9"))
	return own && m != "" && (m[0] == '\'' || m[0] >= 'a' && m[0] <= 'z') && !strings.HasPrefix(m, "f-string")
}

// flake8s are the programs that print such lines.
var flake8s = []string{"flake8", "flake8p", "pflake8", "flakehell", "flakeheaven", "pycodestyle", "pylint"}

// dropFlake8 takes what flake8 printed before ruff began out of a run: as much
// as ruff's closing line does not count.
func (run *ruffRun) dropFlake8() {
	if n := len(run.items) - run.closing.remaining; run.flake8 && run.closing.kind == ruffClosingFound && !run.stats && n > 0 {
		run.items = run.items[n:]
	}
}

// mayBeFlake8: no line of it proves that ruff was there.
func (o *ruffOutput) mayBeFlake8(run *ruffRun) bool {
	return !run.closed && !run.framed && (run.flake8 || o.flake8)
}
