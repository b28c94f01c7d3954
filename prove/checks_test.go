package prove

import (
	"strings"
	"testing"
)

func TestReadChecks(t *testing.T) {
	checks, err := ReadChecks([]byte("[[check]]\nname = \"unit\"\ncommand = \"pytest -q\"\npaths = [\"src\", \"*.py\"]\nfresh = \"commit\"\n\n[[check]]\nname = \"lint\"\ncommand = \"ruff check .\"\ndir = \"web/app\"\n"))
	if err != nil || len(checks) != 2 || checks[0].Fresh != FreshCommit || checks[1].Dir != "web/app" || len(checks[0].Paths) != 2 {
		t.Errorf("%v %+v", err, checks)
	}
}

// TestBrokenChecks: a broken file names line and key, and gives no checks at all.
func TestBrokenChecks(t *testing.T) {
	const good = "[[check]]\nname = \"unit\"\ncommand = \"pytest\"\n"
	for _, c := range []struct{ text, want string }{
		{good + "comand = \"x\"\n", "line 4: there is no key check.comand"},
		{good + "paths = 3\n", "line 4, column 9 (key check.paths)"},
		{good + "= 3\n", "line 4"},
		{good + "fresh = \"day\"\n", "line 4: key fresh of check 1"},
		{good + "dir = \"../up\"\n", "line 4: key dir of check 1"},
		{good + "dir = \"/tmp\"\n", "line 4: key dir of check 1"},
		{good + "paths = [\"a[\"]\n", "line 4: key paths of check 1"},
		{good + "\n" + good, "line 6: key name of check 2: another check is called \"unit\""},
		{good + "[[check]]\nname = \"a b\"\ncommand = \"x\"\n", "line 5: key name of check 2"},
		{good + "[[check]]\nname = \"other\"\n", "line 4: key command of check 2"},
		{good + "[[check]]\nname = \"other\"\ncommand = \"a\\nb\"\n", "line 6: key command of check 2"},
		{"[check]\nname = \"unit\"\n", "line 1"},
		{strings.Repeat("#", maxChecksFile+1), "more than"},
	} {
		checks, err := ReadChecks([]byte(c.text))
		if err == nil || len(checks) > 0 || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), ChecksFile) {
			t.Errorf("%d checks, %v, want %q:\n%s", len(checks), err, c.want, c.text)
		}
	}
}

func TestPrepares(t *testing.T) {
	for line, want := range map[string]bool{
		"pytest -q":                         false,
		"pytest --junitxml=r.xml -k a=b":    false,
		"pytest -q 2>&1 | tail -3":          false,
		"A=1 pytest":                        true,
		"cd x; PATH=/x:$PATH pytest":        true,
		"pytest() { echo; }; pytest":        true,
		"export A=1 && pytest":              true,
		". venv/bin/activate && pytest":     true,
		"(A+=x pytest)":                     true,
		"function pytest { echo; }; pytest": true,
		"env A=1 pytest":                    true,
	} {
		if got := prepares(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

func TestSections(t *testing.T) {
	const text = "[project]\nversion = \"1\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n[tool.ruff]\nx = 1\n"
	if got := sections(text, []string{"pytest"}); got != "[tool.pytest.ini_options]\naddopts = \"-q\"\n" {
		t.Errorf("%q", got)
	}
	const pkg = `{"version":"1","scripts":{"test":"jest"},"devDependencies":{"jest":"29"}}`
	if got := packagePart([]byte(pkg)); got != `{"scripts":{"test":"jest"},}` {
		t.Errorf("%q", got)
	}
}
