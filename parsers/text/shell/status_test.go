package shell

import "testing"

func TestStatusTold(t *testing.T) {
	for _, c := range []struct {
		line, printed string
		want          int
	}{
		{`pytest -q; echo "exit: $?"`, "exit: 1", 1},
		{`pytest -q; echo "exit: $?"`, "exit: 0", 0},
		{`./x 2>&1; echo EXIT=$?`, "EXIT=127", 127},
		{`x | tail -3; echo "rc ${PIPESTATUS[0]} of x"`, "rc 2 of x", 2},
		{`x; rc=$?; echo "rc=$rc"`, "rc=5", 5},
		{`x; echo "n=$n"`, "n=5", 0},
		{`x; echo 'exit: $?'`, "exit: $?", 0},
		{`x; echo "$? of $n"`, "1 of 3", 0},
		{`x; echo "exit: $?"`, "exit: 1234", 0},
		{`x; echo "exit: $?"`, "exit: 300", 0},
		{`x; echo "exit: $?"; date`, "exit: 1", 0},
		{`echo "exit: $?"`, "exit: 1", 0},
		{`x; echo $?`, "1", 1},
		{`x; echo $?`, "17 passed", 0},
	} {
		if got := tools.UnwrapShell(c.line, "sh").StatusTold(c.line, c.printed); got != c.want {
			t.Errorf("%s, which printed %q: %d, want %d", c.line, c.printed, got, c.want)
		}
	}
}

// TestEchoed: which lines did an echo print that says what the command line itself does not?
func TestEchoed(t *testing.T) {
	for _, c := range []struct {
		line, printed string
		want          bool
	}{
		{`x; echo "EXIT:$?"`, "EXIT:1", true},
		{`x; echo "=== exit $?"`, "=== exit 1", true},
		{`x; echo $?`, "2", true},
		{`x; echo $?`, "2 passed", false},
		{`x; echo -e "a: $? b"; y; z`, "a: 0 b", true},
		{`if x; then echo GREEN; else echo RED; fi`, "RED", true},
		{`x && echo ok || echo bad`, "bad", true},
		{`for f in *; do x $f || echo "FAIL $f"; y; done`, "FAIL a.go", true},
		{`for f in *; do echo "== $f"; x $f; y; done`, "== a.go", false}, // a heading
		{`echo "== tests"; x; y`, "== tests", false},
		{`y | while read l; do echo "2026 $l"; z; done`, "2026 E  assert 6 == 5", false}, // what another printed
		{`x; y; echo "bad $?" | tee log`, "bad 1", false},
		{`x; echo "$line"; y`, "error: x", false},
		{`x; y`, "1", false},
	} {
		if got := tools.UnwrapShell(c.line, "sh").Echoed(c.printed); got != c.want {
			t.Errorf("%s, which printed %q: %v, want %v", c.line, c.printed, got, c.want)
		}
	}
}
