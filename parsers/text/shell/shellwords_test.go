package shell

import (
	"slices"
	"testing"
)

func TestSimpleCommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string // nil: the shell's own
	}{
		{"pytest -q", []string{"pytest", "-q"}},
		{`pytest -k 'a or b' "tests/my test.py"`, []string{"pytest", "-k", "a or b", "tests/my test.py"}},
		{"CI=true FORCE_COLOR=1 pytest", []string{"pytest"}},
		{"pytest 2>&1", []string{"pytest"}},
		{"pytest > out.txt 2> /dev/null", []string{"pytest"}},
		{"cd api && go test ./...", []string{"go", "test", "./..."}},
		{`grep a\ b f`, []string{"grep", "a b", "f"}},
		{"cd api && cd v2 && go vet", []string{"go", "vet"}},
		{"pytest -q # only the fast ones; see README", []string{"pytest", "-q"}},
		{"pytest \\\n  -q", []string{"pytest", "-q"}},
		{"pytest <<< 'x y'", []string{"pytest"}},
		{"! pytest", nil},
		{"pytest -q | tail", nil},
		{"pytest; ruff check", nil},
		{"pytest && ruff check", nil},
		{"pytest || true", nil},
		{"pytest &", nil},
		{"(pytest)", []string{"pytest"}},
		{"{ cd a; pytest; }", []string{"pytest"}},
		{"(pytest) > log", nil},
		{"mkdir -p out && rm -rf x; pytest", []string{"pytest"}},
		{"mkdir -p \"$(x)\" && pytest", []string{"pytest"}},
		{"pytest $ARGS", []string{"pytest", "$ARGS"}},
		{"pytest `cat args; x` -q", []string{"pytest", "`cat args; x`", "-q"}},
		{`pytest "$ARGS" "$(f "a b)" | g)" $? ${x:-'}'}b`, []string{"pytest", "$ARGS", `$(f "a b)" | g)`, "$?", "${x:-'}'}b"}},
		{`pytest -k "say \"hi\" for \$5" a$ $'b c'`, []string{"pytest", "-k", `say "hi" for $5`, "a$", "$'b c'"}},
		{`PATH="$PWD/bin:$PATH" pytest`, []string{"pytest"}},
		{"$TOOL -q", nil},
		{`"$(which pytest)" -q`, nil},
		{"pytest $(f", nil},
		{"pytest ${f", nil},
		{"pytest `f", nil},
		{"pytest $'f", nil},
		{`pytest "$(f "`, nil},
		{"if pytest", nil},
		{"{ pytest", nil},
		{"echo 'unterminated", nil},
		{"", nil},
	} {
		t.Run(c.line, func(t *testing.T) {
			l, _ := readLine(c.line)
			got, _, ok := l.command()
			if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
				t.Errorf("command = %q, %v, want %q", got, ok, c.want)
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct {
		argv   []string
		want   string
		direct bool
	}{
		{[]string{"pytest", "-q"}, "pytest -q", true},
		{[]string{"/usr/bin/python3.11", "-X", "-m", "pytest"}, "pytest", true},
		{[]string{"uv", "run", "--with", "x", "pytest", "-q"}, "pytest -q", true},
		{[]string{"env", "-u", "A", "B=1", "timeout", "-k", "1", "30", "nice", "-n", "5", "go", "test"}, "go test", true},
		{[]string{"npx", "--yes", "tsc", "-p", "."}, "tsc -p .", true},
		{[]string{"sh", "-ec", "cd a && pytest -x"}, "pytest -x", true},
		{[]string{"bash", "-c", "pytest | tail -3"}, "bash", false},
		{[]string{"bash", "script.sh"}, "bash script.sh", true},
		{[]string{"make", "test"}, "make test", true},
		{[]string{"npm", "test"}, "npm test", true},
		{[]string{"npm", "exec", "--", "eslint", "."}, "eslint .", true},
		{[]string{`C:\tools\ruff.exe`, "check"}, "ruff check", true},
		{[]string{"env"}, "env", true},
		{[]string{"time", "-p", "make", "all"}, "make all", true},
		{[]string{"command", "-p", "ls"}, "ls", true},
		{[]string{"python3", "-W", "error", "-m", "pytest", "-q"}, "pytest -q", true},
		{[]string{"python3", "-mpytest", "-q"}, "pytest -q", true},
		{[]string{"python3", "-u", "run.py", "-m", "x"}, "python3 -u run.py -m x", true},
		{[]string{"coverage", "run", "--branch", "-m", "pytest"}, "pytest", true},
		{[]string{"conda", "run", "-n", "dev", "pytest"}, "pytest", true},
		{[]string{"sudo", "-u", "ci", "pytest"}, "pytest", true},
		{[]string{"java", "-Xmx1g", "-jar", "lib/pytest-1.3.1-all.jar", "-q"}, "java -Xmx1g -jar lib/pytest-1.3.1-all.jar -q", true},
		{[]string{"java", "-Xmx1g", "-jar", "lib/lint-cli-1.3.1-all.jar", "-q"}, "lint-cli.jar -q", true},
		{[]string{"java", "-cp", "a.jar:b.jar", "com.acme.lint.Main", "src"}, "com.acme.lint.Main src", true},
		{[]string{"java", "-cp", "a.jar", "com.acme.App", "com.acme.lint.Main"}, "java -cp a.jar com.acme.App com.acme.lint.Main", true},
		{nil, "", true},
	} {
		got := tools.Unwrap(c.argv, "")
		if s := join(got.Argv); s != c.want || got.Direct != c.direct {
			t.Errorf("unwrap(%q) = %q direct %v, want %q direct %v", c.argv, s, got.Direct, c.want, c.direct)
		}
	}
}

func join(argv []string) (s string) {
	for i, a := range argv {
		if i > 0 {
			s += " "
		}
		s += a
	}
	return s
}
