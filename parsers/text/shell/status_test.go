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
