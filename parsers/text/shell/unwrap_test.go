package shell

import (
	"testing"
)

func TestUnwrapMore(t *testing.T) {
	for line, want := range map[string]string{
		"python3.11 -m pytest -q":                         "pytest -q",
		"python -X dev -m pytest":                         "pytest",
		"py -3.11 -m pytest":                              "pytest",
		"coverage run --branch --data-file x -m pytest a": "pytest a",
		"uv run --with x --python 3.12 pytest -q":         "pytest -q",
		"uv run -m pytest -q":                             "pytest -q",
		"uv --directory api run pytest":                   "pytest | api",
		"uvx --from ruff==0.9 ruff@latest check":          "ruff check",
		"poetry -C api run pytest -q":                     "pytest -q | api",
		"hatch run dev:pytest -q":                         "pytest -q",
		"pipenv run python -m mypy app":                   "mypy app",
		"pdm run -p x ruff check":                         "ruff check",
		"conda run -n dev --no-capture-output pytest":     "pytest",
		"npx --yes eslint@9 .":                            "eslint .",
		"npx -p typescript@5 tsc -p .":                    "tsc -p .",
		"npm exec -- tsc --noEmit":                        "tsc --noEmit",
		"npm --prefix web exec -- tsc":                    "tsc | web",
		"pnpm exec eslint .":                              "eslint .",
		"pnpm -C web exec tsc":                            "tsc | web",
		"pnpm eslint .":                                   "eslint .",
		"pnpm dlx eslint@9 .":                             "eslint .",
		"yarn dlx -p typescript tsc":                      "tsc",
		"yarn --cwd web tsc":                              "tsc | web",
		"yarn run eslint src":                             "eslint src",
		"yarn lint":                                       "yarn lint",
		"pnpm test":                                       "pnpm test",
		"pnpm -r build":                                   "pnpm -r build",
		"yarn run build":                                  "yarn run build",
		"bun x tsc":                                       "tsc",
		"bunx eslint .":                                   "eslint .",
		"env -i A=b C=d pytest":                           "pytest",
		"env -C api pytest":                               "pytest | api",
		"timeout -k 5 10s pytest":                         "pytest",
		"timeout --signal=KILL 10 nice -n 5 pytest":       "pytest",
		"time pytest":                                     "pytest",
		"xvfb-run -a -s '-screen 0 1x1x8' pytest":         "pytest",
		"sudo -E -u ci CI=1 pytest":                       "pytest",
		"./node_modules/.bin/eslint.cmd .":                "eslint .",
		"node ./node_modules/typescript/bin/tsc -p .":     "tsc -p .",
		"node node_modules/eslint/bin/eslint.js .":        "eslint .",
		"node run.js":                                     "node run.js",
		"sh -c 'ruff check'":                              "ruff check",
		"bash -lc 'cd api && pytest -q'":                  "pytest -q | api",
		"bash -eo pipefail -c 'pytest'":                   "pytest",
		". .venv/bin/activate && pytest -q":               "pytest -q",
		"set -e; cd api; pytest":                          "pytest | api",
		"export CI=1 && cd a && cd b && pytest":           "pytest | a/b",
		"set -o pipefail; pytest 2>&1 | tee log":          "pytest",
		"set -o pipefail; pytest | grep x":                "sh",
		"pytest | tee log":                                "sh",
		"go -C api test ./...":                            "go test ./... | api",
		"make -C api test":                                "make -C api test | api",
		"make -Capi -j2 test":                             "make -Capi -j2 test | api",
		"cargo test --manifest-path api/Cargo.toml":       "cargo test --manifest-path api/Cargo.toml | api",
		"tox -c api/tox.ini -e py":                        "tox -c api/tox.ini -e py | api",
		"npm --prefix web test":                           "npm --prefix web test | web",
		"cd /srv/api && pytest":                           "pytest | /srv/api",
		"(cd api && pytest)":                              "pytest | api",
		"cd - && pytest":                                  "sh",
		"cd api && PATH=$PWD/bin:$PATH pytest $ARGS":      "pytest $ARGS | api",
		"V=$(date) W=1; export V; pytest -q":              "pytest -q",
		`script -qec "cd api && pytest -q" /dev/null`:     "pytest -q | api",
		"script -q -e -c 'pytest -q' out.txt":             "pytest -q",
		"script -q out.txt":                               "script -q out.txt",
		"mise x node@20 -- tsc":                           "tsc",
		"mise exec tsc":                                   "tsc",
		"aws-vault exec prod -- pytest -q":                "pytest -q",
		"op run --env-file=.env -- pytest":                "pytest",
		"stack exec -- pytest":                            "pytest",
		"stack exec pytest -- -q":                         "pytest -- -q", // the dashes are the command's own
		"foreman run -e .env pytest -- a":                 "pytest -- a",
		"rustup run nightly cargo test":                   "cargo test",
		"flock /tmp/l -c 'cd api && pytest -q'":           "pytest -q | api",
		"flock -n /tmp/l pytest":                          "pytest",
		"su ci -c pytest":                                 "pytest",
		"uv tool run ruff@0.9 check":                      "ruff check",
		"pnpm --filter web exec tsc":                      "tsc",
		"busybox sh -c pytest":                            "pytest",
		"faketime '2020-01-01 10:00' pytest":              "pytest",
		`cd "$DIR" && pytest`:                             "sh",
		`DIR=api; cd "$DIR/v1" && pytest`:                 "pytest | api/v1",
		"R=/srv && export D=$R/api && cd ${D} && pytest":  "pytest | /srv/api",
		"PY=python3; $PY -m pytest -q":                    "pytest -q",
		"D=a; D=b; cd $D && pytest":                       "sh", // which of them is not asked
		"D=; cd $D && pytest":                             "sh",
		"D='a b'; cd $D && pytest":                        "sh",
		"D='a b'; cd \"$D\" && pytest":                    "pytest | a b",
		"D=${D:-a}; cd $D && pytest":                      "sh",
		"D=api && cd ${D%i} && pytest":                    "sh",
		"D=api; read D; cd $D && pytest":                  "sh",
		"D=api; . env.sh; cd $D && pytest":                "sh",
		"D=api pytest $D":                                 "pytest $D",
		"D=api & cd $D && pytest":                         "sh",
	} {
		c := tools.Unwrap(nil, line)
		got := join(c.Argv)
		if c.Dir != "" {
			got += " | " + c.Dir
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestDirOf(t *testing.T) {
	toolName := func(name string) func(argv []string) bool {
		return func(argv []string) bool { return argv[0] == name }
	}
	for line, want := range map[string][2]string{ // pytest's, ruff's
		"cd a && pytest; ruff check":             {"a", "a"},
		"(cd a && pytest); (cd b && ruff check)": {"a", "b"},
		"(cd a; pytest) && ruff check":           {"a", ""},
		"cd a && pytest | tail -3":               {"a", "a"},
		"cd a && pytest; cd ../b && pytest":      {"", ""},
		"make -C a test && ruff check":           {"", ""},
		"for x in 1 2; do cd a; pytest $x; done": {"a", "a"},
		"if cd a; then pytest; fi; { ruff; }":    {"a", "a"},
		"cd $X && pytest; (cd b && ruff $Y)":     {"", "b"},
		"X=a; (cd $X && pytest); (cd b && ruff)": {"a", "b"},
		"[ x ] && X=a; cd $X; pytest; ruff":      {"", ""},
		"for X in a b; do cd $X; pytest; done":   {"", ""},
		"command cd a && pytest && ruff":         {"a", "a"},
		"builtin cd a; pytest; ruff":             {"a", "a"},
		"(cd a; $TOOL); (cd b; pytest)":          {"b", "b"},
	} {
		c := tools.Unwrap(nil, line)
		if got := [2]string{c.DirOf(toolName("pytest")), c.DirOf(toolName("ruff"))}; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestAtTop: where git is asked for the top of the working tree.
func TestAtTop(t *testing.T) {
	for line, want := range map[string]string{
		`cd "$(git rev-parse --show-toplevel)" && pytest`:                 "pytest | /src",
		"cd `git rev-parse --show-toplevel`/api; pytest":                  "pytest | /src/api",
		`R=$(git rev-parse --show-toplevel 2>/dev/null); cd $R && pytest`: "pytest | /src",
		`cd "$(git -C api rev-parse --show-toplevel)" && pytest`:          "sh",
	} {
		c := tools.Unwrap(nil, AtTop(line, "/src"))
		if got := join(c.Argv) + " | " + c.Dir; got != want && c.Program() != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	if line := `cd "$(git rev-parse --show-toplevel)"`; AtTop(line, "/my src") != line {
		t.Error("a path that a shell would split")
	}
}

// TestScripted: without -e, script says of every command that it exits 0.
func TestScripted(t *testing.T) {
	if c := tools.Unwrap(nil, "script -qc pytest /dev/null"); c.Direct || c.Program() != "pytest" {
		t.Errorf("without -e: %+v", c)
	}
	if c := tools.Unwrap(nil, "script -qec pytest /dev/null"); !c.Direct {
		t.Errorf("with -e: %+v", c)
	}
}

// TestOneCommand: what is said around one command, and how its status is passed on, leaves it the line's command.
func TestOneCommand(t *testing.T) {
	for line, want := range map[string]string{
		`x -q; rc=$?; echo "exit code $rc"; exit $rc`: "x direct",
		`x -q; exit $?`:                        "x direct",
		`echo "== tests"; x -q`:                "x direct",
		`printf 'a\n' && cd b && x -q`:         "x direct",
		`x -q && echo ok`:                      "x direct",
		`x -q || exit 1`:                       "x",
		`x -q || { echo failed >&2; exit 1; }`: "x",
		`x -q; echo "exit: $?"`:                "x",
		`x -q; exit 3`:                         "sh",
		`x -q; rc=$?; y; exit $rc`:             "sh",
		`x -q; y; rc=$?; exit $rc`:             "sh",
		`x -q; rc=$?; echo "$(y)"; exit $rc`:   "x",
		`x -q || y`:                            "sh",
		`echo a; exit 2`:                       "sh",
		`x -q | tail -3`:                       "sh",
		`x -q; a=$?; b=2; exit $b`:             "sh",
		`if x; then echo a; fi`:                "x",
	} {
		c := tools.Unwrap(nil, line)
		got := c.Program()
		if c.Direct {
			got += " direct"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
