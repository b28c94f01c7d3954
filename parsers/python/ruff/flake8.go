package ruff

import "strings"

// flake8 prints lines like those of ruff's concise and pylint formats, with the same codes: "a.py:1:1: F401 'os'
// imported but unused". The messages of its own rules and those of pycodestyle and mccabe differ from ruff's; those
// of most plugins do not. If flake8 is run on the directory ".", its paths begin with "./"; ruff's never do.

// isFlake8 reports whether a line that looks like ruff's is flake8's.
func isFlake8(path string, h ruffHead) bool {
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, `.\`) {
		return true
	}
	c, m := h.code, h.message
	if c == "F824" { // ruff has no such rule
		return true
	}
	own := len(c) == 4 && (strings.IndexByte("EFW", c[0]) >= 0 && c[1] != '9' || strings.HasPrefix(c, "C9"))
	return own && m != "" && (m[0] == '\'' || m[0] >= 'a' && m[0] <= 'z') && !strings.HasPrefix(m, "f-string")
}

// flake8s lists the programs that print flake8's lines, or lines like them.
var flake8s = []string{"flake8", "flake8p", "pflake8", "flakehell", "flakeheaven", "pycodestyle", "pylint"}

// dropFlake8 removes from a run the findings that flake8 printed before ruff began: the first ones,
// as many as exceed the number in ruff's closing line.
func (run *ruffRun) dropFlake8() {
	if n := len(run.items) - run.closing.remaining; run.flake8 && run.closing.kind == ruffClosingFound && !run.stats && n > 0 {
		run.items = run.items[n:]
	}
}

// mayBeFlake8 reports whether the run may be flake8's: no line of the run proves that ruff wrote it.
func (o *ruffOutput) mayBeFlake8(run *ruffRun) bool {
	return !run.closed && !run.framed && (run.flake8 || o.flake8)
}
