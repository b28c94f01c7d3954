package stage

import (
	"strings"
	"testing"
)

// TestRead: what the shell hears, written as "NAMES@" in front of the statement; and the
// role of each command.
func TestRead(t *testing.T) {
	for line, want := range map[string]string{
		"pytest -q | tail -5":                 "pytest@ && pytest -q | tail -5",
		"pytest -q":                           "pytest -q",
		"cd x && pytest -q | tail":            "cd x && pytest@ && pytest -q | tail",
		"pytest || true":                      "pytest@ && pytest || true",
		"pytest; echo done":                   "pytest@ && pytest; echo done",
		"pytest & wait":                       "pytest@; pytest & wait",
		"ls && pytest":                        "ls && pytest",
		"ls || pytest":                        "ls@ && ls || pytest",
		"(a; b) | head":                       "(a@ && a; b@ && b) | head",
		"{ a; b | c; } | head":                "{ a@ && a; b,c@ && b | c; } | head",
		"(a; b) > f | head":                   "(a@ && a; b@ && b) > f | head",
		"a | tail; b":                         "a@ && a | tail; b",
		"! a | b":                             "a,b@ && ! a | b",
		"time a | b":                          "a@ && time a | b",
		"if a; then b; else c | d; fi":        "if a@ && a; then b; else c@ && c | d; fi",
		"while a; do b | c; done":             "while a; do b@ && b | c; done",
		"for i in 1 2; do a $i; done":         "for i in 1 2; do a@ && a $i; done",
		"for ((;;)); do a; b | c; done":       "for ((;;)); do a; b@ && b | c; done",
		"A=1 a 2>&1 | b":                      "a@ && A=1 a 2>&1 | b",
		"a <<E | b\nx\nE\n":                   "a@ && a <<E | b\nx\nE\n",
		"a | while read x; do b $x; done":     "a@ && a | while read x; do b $x; done",
		"echo x | cat":                        "echo x | cat",
		"f() { a | b; }; f | cat":             "f() { a | b; }; f | cat",
		"a | b; echo ${PIPESTATUS[@]}":        "a,b@ && a | b; echo ${PIPESTATUS[@]}",
		"a $? | b":                            "a $? | b",
		"$X a | b":                            "$X a | b",
		"fzf | cat":                           "fzf | cat",
		"echo $(a | b)":                       "a,b@ && echo $(a | b)",
		"set -x; a | b":                       "set -x; a | b",
		"set -euo pipefail; a | b":            "set -euo pipefail; a@ && a | b",
		"a | b; type a":                       "a | b; type a",
		"a | b; command -v a":                 "a | b; command -v a",
		"a | b; echo $_":                      "a | b; echo $_",
		"trap 'echo $BASH_COMMAND' ERR; a; b": "trap 'echo $BASH_COMMAND' ERR; a; b",
		"trap 'rm x' EXIT; a; b":              "trap 'rm x' EXIT; a@ && a; b",
		"a | b | c":                           "a,b@ && a | b | c",
		"a |& b":                              "a@ && a |& b",
		"x=$(a) b | c":                        "a,b@ && x=$(a) b | c",
		"a && b || c; d":                      "a,c@ && a && b@ && b || c; d",
		"eval a | b":                          "eval a | b",
		"":                                    "",
	} {
		p := Read(line, Bash)
		if p.Unread != "" {
			t.Errorf("%q: %s", line, p.Unread)
			continue
		}
		got := p.Rewrite(line, "/x")
		for _, name := range strings.Split("abcdls", "") {
			got = strings.ReplaceAll(got, "if hash "+name+" 2>&-; then hash -p '/x' "+name+"; fi", name+"@")
		}
		for _, name := range []string{"pytest", "ls"} {
			got = strings.ReplaceAll(got, "if hash "+name+" 2>&-; then hash -p '/x' "+name+"; fi", name+"@")
		}
		for _, pair := range []string{"ab", "bc", "ac"} {
			got = strings.ReplaceAll(got, pair[:1]+"@ && "+pair[1:]+"@", pair[:1]+","+pair[1:]+"@")
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", line, got, want)
		}
	}
	if p := Read("a | b 'c", Bash); p.Unread == "" || p.Any() || p.Rewrite("a | b 'c", "/x") != "a | b 'c" {
		t.Errorf("a line that cannot be parsed: %+v", p)
	}
}
