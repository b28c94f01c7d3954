package shell

import "testing"

// TestUnheard: in which command lines may x fail although the line exits 0?
func TestUnheard(t *testing.T) {
	isX := func(argv []string) bool { return argv[0] == "x" }
	for line, want := range map[string]bool{
		"x":                                false,
		"x > out.txt":                      false,
		"cd a && x":                        false,
		"x && y":                           false,
		"y && x":                           false,
		"y; x":                             false,
		"y | x":                            false,
		"set -e; x; y":                     false,
		"set -eu\nx\ny":                    false,
		"set -e -o pipefail; x | tail; y":  false,
		"set -euo pipefail; x | tee l; y":  false,
		"(cd a && x) && y":                 false,
		"x && (y; z)":                      false,
		"x && y | z":                       false,
		"x;":                               false,
		"x | tail -3":                      true,
		"x 2>&1 | tail -3":                 true,
		"x |& tail":                        true,
		"x || true":                        true,
		"x && y || true":                   true,
		"x; y":                             true,
		"x\ny":                             true,
		"x & wait":                         true,
		"x &":                              true,
		"! x":                              true,
		"if x; then y; fi":                 true,
		"(x) | tail":                       true,
		"(cd a && x; y)":                   true,
		"{ x; y; } | tail":                 true,
		"{ y && x; } | tail":               true,
		"y && x | tail":                    true,
		"set -e; x | tail; y":              true,
		"for f in a b; do x $f; done":      true,
		"npm run lint | tail":              true, // which may run x
		"npm run lint":                     false,
		"cat log | tail":                   false,
		"timeout 60 bash -c 'x | tail -3'": true,
		"x \"$(y":                          true,
		"(set -e; x); y":                   true, // the next shell goes on
		"(set -e; y); set -e; x; y":        false,
		"f() { x; }; f":                    true,
		"until x; do y; done":              true,
		"time x | tail":                    true,
		"if y; then x; fi":                 false,
		"case $1 in a) x ;; *) y ;; esac":  false,
		"x && (y; z) | tail":               false,
		"cat > s <<'E'\nx | tail\nE\nsh s": false, // a text is no command
	} {
		if got := tools.Unwrap(nil, line).Unheard(isX); got != want {
			t.Errorf("%s: unheard %v, want %v", line, got, want)
		}
	}
}

// TestEndsElsewhere: in which command lines may the exit code be that of a command
// behind x?
func TestEndsElsewhere(t *testing.T) {
	isX := func(argv []string) bool { return argv[0] == "x" }
	for line, want := range map[string]bool{
		"x":                  false,
		"cd a && x":          false,
		"y && x":             false,
		"x | tail":           false,
		"x 2>&1 | grep F":    false,
		"x && echo done":     false,
		"y":                  false,
		"x && y && x":        false,
		"x && y":             true,
		"x; y":               true,
		"x && cd b && y":     true,
		"(cd a && x) && ./y": true,
		"x; exit 3":          true,
		"x && false":         true,
	} {
		if got := tools.Unwrap(nil, line).EndsElsewhere(isX); got != want {
			t.Errorf("%s: ends elsewhere %v, want %v", line, got, want)
		}
	}
}

// TestPicked: of which command lines does a search pick the lines that x, or all of the commands, printed?
func TestPicked(t *testing.T) {
	isX := func(argv []string) bool { return argv[0] == "x" }
	for line, want := range map[string][2]bool{
		"x":                              {false, false},
		"x | tail -3":                    {false, false},
		"x | grep FAIL":                  {true, true},
		"cd a && x 2>&1 | grep -E 'a|b'": {true, true},
		"x | grep -v '^$'":               {false, false},
		"x | grep -ivE 'a|b'":            {false, false},
		"x | grep -v a | grep b":         {true, true},
		"x | sort -u | head":             {true, true},
		"x | tee log | rg FAIL":          {true, true},
		"x > log 2>&1; grep FAIL log":    {true, true},
		"x; grep -rn TODO src":           {false, false},
		"x | grep FAIL; y":               {true, false},
		"x; y | grep FAIL":               {false, false},
		"echo begin; x | grep FAIL":      {true, true},
		"x | grep -e -v":                 {false, false},
	} {
		c := tools.Unwrap(nil, line)
		if got := [2]bool{c.Picked(isX), c.AllPicked()}; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestEndLost: does the end of an output of 20 lines lack?
func TestEndLost(t *testing.T) {
	for line, want := range map[string]bool{
		"x": false, "x | tail -20": false, "x | head -21": false, "x | head -20": true, "x | head -n 20": true, "x | head -n20": true,
		"x | head": true, "x | head -n 30 | tail": false, "x | sed -n 1,90p": true, "x | head -c 100": true, "x > l; tail l": false,
	} {
		if got := tools.Unwrap(nil, line).EndLost(20); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestRetried: of which command lines does exit code 0 mean that x succeeded in the end?
func TestRetried(t *testing.T) {
	isX := func(argv []string) bool { return argv[0] == "x" }
	for line, want := range map[string]bool{
		"x || x":                                 true,
		"x -q || x --lf":                         true,
		"x || (sleep 5; x)":                      true,
		"x || { sleep 5 && x; }":                 true,
		"cd a; x || x":                           true,
		"until x; do sleep 1; done":              true,
		"while ! x; do sleep 1; done; echo done": true,
		"for i in 1 2 3; do x && break; done":    true,
		"x":                                      false,
		"x; x":                                   false,
		"x a || x b":                             false, // no b failed, and a did
		"x a || x b --lf":                        false, // which are others
		"x a || x a --lf":                        true,
		"x || x || x":                            true,
		"x || (npm ci && x)":                     true,
		"while true; do x && break; sleep 1; done":                    true,
		"while :; do x && break; done; y":                             true,
		"while true; do x && break; y; break; done":                   false,
		"while true; do y; x; done":                                   false,
		"while true; do x; y && break; done":                          false,
		"x a || x b || x b":                                           false,
		"x || A=1 x":                                                  false, // not what failed
		"x || { export A=1; x; }":                                     false,
		"x || { A=1; x; }":                                            false,
		"x || { cd $(pwd)/a; x; }":                                    false,
		"x || { . ./env; x; }":                                        false,
		"x || { echo bad; exit 0; x; }":                               false,
		"trap 'exit 0' EXIT; x || x":                                  false,
		"for i in 1 2; do A=$i x && break; done":                      false,
		"for i in 1 2; do use $i; x && break; done":                   false,
		"for i in 1 2; do export A=$i; x && break; done":              false,
		"for f in $(ls); do x $f && break; done":                      false,
		"for i in $(seq 3); do echo $i; x && break; done":             true,
		"for i in 1 2; do x > log.$i && break; done":                  true,
		"until x $1; do shift; done":                                  false,
		"until x; do A=b; done":                                       false,
		"make || make":                                                false, // which may swallow what x says
		"x || y":                                                      false,
		"x || true":                                                   false,
		"x || x || true":                                              false,
		"x || x; y":                                                   false,
		"x || x | tail":                                               false,
		"x | tail || x":                                               false,
		"x || if y; then x; fi":                                       false,
		"{ x; y; } || x":                                              false,
		"! x || x":                                                    false,
		"x; x || x":                                                   false,
		"while x; do sleep 1; done":                                   false,
		"until ! x; do sleep 1; done":                                 false,
		"until x | tail; do sleep 1; done":                            false,
		"until x; do n=$((n+1)); [ $n -gt 3 ] && break; done":         false,
		"for i in 1 2 3; do x && break; sleep 1; done":                false,
		"for i in 1 2 3; do x; done":                                  false,
		"for d in a b; do x $d && break; done":                        false,
		"for d in a b; do (cd $d && x) || exit 1; done":               false,
		"while true; do x && y && break; done":                        false,
		"for i in 1 2; do x && break; done; y":                        false, // all of the turns may have failed
		"for i in 1 2; do x && break; done || true":                   false,
		"for i in 1 2; do x && break; done | tail":                    false,
		"for i in 1 2; do x && break; done &":                         false,
		"if for i in 1 2; do x && break; done; then y; fi":            false,
		"for i in 1 2; do for j in 1 2; do x && break; done; done; y": false,
		"until x; do sleep 1; done & sleep 9":                         false, // it may not have ended
		"(until x; do sleep 1; done) & wait":                          false,
		"until x; do sleep 1; done | head -3":                         false,
		"coproc until x; do sleep 1; done; y":                         false,
		"f() { until x; do sleep 1; done; }; f & y":                   false,
		"set -e; for i in 1 2; do x && break; done; y":                false, // the shell goes on behind a list with && that failed
		"set -e; x || x && y; z":                                      false,
		"until x; do sleep 1; done && y":                              true,
	} {
		if got := tools.Unwrap(nil, line).Retried(false, isX); got != want {
			t.Errorf("%s: retried %v, want %v", line, got, want)
		}
	}
	if !tools.Unwrap(nil, "make || make").Retried(true, isX) {
		t.Error("make was seen to fail, and then it did not")
	}
}
