package shell

import (
	"strings"
	"testing"

	"cairn/parsers/text/term"
)

// TestAnnounced: what the command line prints before it changes directory says where the lines below come from.
func TestAnnounced(t *testing.T) {
	all := func([]string) bool { return true }
	for _, c := range []struct{ shell, out, want string }{
		{`for d in api web; do echo "== $d =="; (cd $d && pytest) || fail=1; done; exit $fail`, "== web ==", "web"},
		{`for d in api web; do echo "== $d =="; (cd $d && pytest); done`, "== other ==", ""},
		{`for d in packages/*/; do echo "# $d"; (cd "$d"; npm test); done`, "# packages/web/", "packages/web"},
		{`for d in packages/*/; do echo "# $d"; (cd "$d"; npm test); done`, "# packages/a/b/", ""},
		{`for d in api web; do printf '\n--- %s\n' $d; cd $d; ruff check; cd ..; done`, "--- api", "api"},
		{`echo api; (cd api && mypy .); echo web; cd web; mypy .`, "web", "web"},
		{`cd api; echo "[api]"; mypy .; cd ../web; echo "[web]"; mypy .`, "[web]", "web"},
		{`for d in api web; do echo $d; (cd $d && pytest); done; ruff check`, "web", ""},      // then ruff runs above
		{`for d in $(ls); do echo $d; (cd $d && pytest); done`, "web", ""},                    // only the shell knows
		{`for d in api web; do (cd $d && pytest); echo "$d: $?"; done`, "web: 1", ""},         // behind it
		{`for d in api web; do for e in a b; do echo $e; (cd $d/$e; x); done; done`, "a", ""}, // twice
	} {
		d := Directories{Began: tools.UnwrapShell(c.shell, "sh")}
		l := term.RawLine{Text: []byte(c.out), Stream: term.Stdout, End: int64(len(c.out))}
		d.See(&l)
		if got := d.Of(all, term.Stdout, l.End); got != c.want {
			t.Errorf("%s: behind %q in %q, want %q", c.shell, c.out, got, c.want)
		}
	}
}

// TestManyTurns: loops within loops are gone through as far as the bounds allow.
func TestManyTurns(t *testing.T) {
	loop := "for i in 1 2 3 4 5 6 7 8 9; do "
	for _, body := range []string{"a", "cd x"} {
		tools.UnwrapShell(strings.Repeat(loop, 40)+body+strings.Repeat("; done", 40), "sh")
	}
	if n := len(tools.UnwrapShell(strings.Repeat(loop, 3)+"a"+strings.Repeat("; done", 3), "sh").Listed); n < 100 || n > maxTurned {
		t.Errorf("%d commands", n)
	}
}
