package parsers

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/golden/runfile"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestWrappedSame: the same failures have the same fingerprints, however the
// tool was started: directly in its directory, behind any runner, in any mix.
func TestWrappedSame(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "golden", "composite", "*", runfile.Want))
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	type seen struct{ by, prints string }
	first := map[string]seen{}
	compared := 0
	for _, file := range files {
		if strings.Contains(file, "pytest-tail-3") {
			continue // shows less
		}
		b, err := runfile.Result(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		var r result.ToolResult
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatal(file, err)
		}
		found := map[string][]string{}
		for _, f := range r.Findings {
			dir, name, ok := strings.Cut(strings.TrimPrefix(f.Location, "packages/"), "/")
			if !ok || f.At == nil || !slices.Contains([]string{"py", "a", "b", "shop", "rs"}, dir) {
				continue
			}
			source := f.Source
			if source == "" {
				source = r.Tool
			}
			file, _, _ := strings.Cut(name, ":")
			if file == "package.json" || file == "Makefile" {
				continue // what the runner itself says, which is another one in each case
			}
			key := source + " " + dir + "/" + file
			found[key] = append(found[key], f.Fingerprint+" "+f.Location)
		}
		for key, prints := range found {
			slices.Sort(prints)
			now := seen{file, strings.Join(prints, "\n")}
			if was, ok := first[key]; !ok {
				first[key] = now
			} else if was.prints != now.prints {
				t.Errorf("%s: %s has\n%s\n%s has\n%s", key, was.by, was.prints, now.by, now.prints)
			} else {
				compared++
			}
		}
	}
	if len(first) < 7 || compared < 30 {
		t.Errorf("%d kinds of findings, %d comparisons", len(first), compared)
	}
}

// TestMakeDirs: where make says it is, paths count from there.
func TestMakeDirs(t *testing.T) {
	const a, b = "a.ts(1,2): error TS1005: ';' expected.\n", "b.ts(1,2): error TS1005: ',' expected.\n"
	for _, c := range []struct{ name, out, want string }{
		{"nested", "make: Entering directory '/src/x'\n" + a + "make[1]: Entering directory '/src/x/y'\n" + b + "make[1]: Leaving directory '/src/x/y'\n" + a + "make: Leaving directory '/src/x'\n", "x/a.ts:1:2 x/y/b.ts:1:2"},
		{"one after another", "make[1]: Entering directory '/src/x'\n" + a + "make[1]: Leaving directory '/src/x'\nmake[1]: Entering directory '/src/y'\n" + b + "make[1]: Leaving directory '/src/y'\n", "x/a.ts:1:2 y/b.ts:1:2"},
		{"two at once", "make[1]: Entering directory '/src/x'\nmake[1]: Entering directory '/src/y'\n" + a + "make[1]: Leaving directory '/src/x'\n" + b + "make[1]: Leaving directory '/src/y'\n", "a.ts:1:2 y/b.ts:1:2"},
		{"old quotes", "make[1]: Entering directory `/src/x'\n" + a, "x/a.ts:1:2"},
		{"ninja", "ninja: Entering directory `x'\n" + a, "x/a.ts:1:2"},
		{"a recipe", "cd x && tsc -p .\n" + a + "cd y && tsc\n" + b, "x/a.ts:1:2 y/b.ts:1:2"},
		{"another tool's recipe", "cd x && pytest -q\n" + a, "a.ts:1:2"},
		{"npm", "\n> @m/a@1.0.0 check\n> tsc\n\n" + a + "npm error workspace @m/a@1.0.0\nnpm error location /src/packages/a\n", "packages/a/a.ts:1:2"},
		{"pnpm", "\n> @m/a@1.0.0 check /src/packages/a\n> tsc\n\n" + a, "packages/a/a.ts:1:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(locationsOf(ofShell("make -j", c.out, 2)), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestSwallowed: exit 0 of a line in which something failed.
func TestSwallowed(t *testing.T) {
	const passed = ".                                                                        [100%]\n1 passed in 0.01s\n"
	for _, c := range []struct{ line, out, want string }{
		{"make", passed, "passed parsed"},
		{"pytest; true", passed, "passed parsed"},
		{"make -i", passed + "nosuch\nmake: nosuch: No such file or directory\nmake: [Makefile:14: gone] Error 127 (ignored)\n", "ok parsed"}, // make tells it, as a warning
		{"nosuch || true; pytest", "bash: line 1: nosuch: command not found\n" + passed, "failed parsed"},                                     // the shell reports an error, and the exit code is the last command's
		{"npm run all", passed + "npm error Lifecycle script `lint` failed with error:\n", "ok heuristic"},
		{"tox; true", passed + "  lint: FAIL code 1 (0.42 seconds)\n", "ok heuristic"},
		{"concurrently a b", passed + "[1] b exited with code 1\n", "failed parsed"}, // it exits 1 then: something swallowed that
		{"concurrently -s first a b", passed + "[1] b exited with code 1\n", "ok parsed"},
		{"concurrently a b", passed + "[1] b exited with code 0\n", "passed parsed"},
		{"make", passed + "warning: 0 errors, no failed requests\n", "passed parsed"},
		{"pytest | tail -1", "1 failed, 2 passed in 0.01s\n", "failed heuristic"},
		{"pytest | head -1", "============================= test session starts ==============================\n", "ok heuristic"},
	} {
		r := ofShell(c.line, c.out, 0)
		if got := string(r.Status) + " " + string(r.ParserConfidence); got != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.line, got, c.want, c.out)
		}
	}
}

// TestNestedTask: what a test prints behind a prefix is no task of a runner.
func TestNestedTask(t *testing.T) {
	out := "=== RUN   TestRunner\n[0] src/a.ts(1,2): error TS1005: ';' expected.\n--- PASS: TestRunner (0.00s)\nPASS\nok  \texample.com/m\t0.010s\n"
	if r := ofShell("make", out, 0); r.Tool != "go-test" || r.Status != result.Passed || len(r.Parts) > 0 {
		t.Errorf("%s %s %d parts", r.Tool, r.Status, len(r.Parts))
	}
}

// TestTextlintTable: a table without any sign of eslint, and one with a rule of its own.
func TestTextlintTable(t *testing.T) {
	table := "\n/src/%\n  3:1  error  Found TODO  no-todo\n\n✖ 1 problem (1 error, 0 warnings, 0 infos)\n"
	for path, want := range map[string]string{"README.md": "npm", "contracts/Token.sol": "npm", "src/a.js": "npm", "src/App.vue": "npm"} {
		if r := ofShell("npm run lint", strings.ReplaceAll(table, "%", path), 1); r.Tool != want || strings.HasPrefix(path, "src/") && len(r.Findings) != 1 {
			t.Errorf("%s: %s, %d findings", path, r.Tool, len(r.Findings))
		}
	}
	if r := ofShell("npm run lint", strings.NewReplacer("%", "src/a.js", "no-todo", "no-var").Replace(table), 1); r.Tool != "eslint" {
		t.Errorf("a rule of eslint's: %s", r.Tool)
	}
	if r := ofShell("npm run lint", "> eslint .\n"+strings.ReplaceAll(table, "%", "README.md"), 1); r.Tool != "eslint" {
		t.Errorf("named by npm: %s", r.Tool)
	}
}

// TestRunnerDirs: where tox, nox and yarn say they run a tool.
func TestRunnerDirs(t *testing.T) {
	const a, b = "a.ts(1,2): error TS1005: ';' expected.\n", "b.ts(1,2): error TS1005: ',' expected.\n"
	for _, c := range []struct{ name, out, stderr, want string }{
		{"tox", "lint: commands[0] /src/x> tsc -p .\n" + a + "lint: exit 2 (0.03 seconds) /src/x> tsc pid=1\npy: commands[0]> sh -c tsc\n" + b, "", "x/a.ts:1:2 b.ts:1:2"},
		{"nox", "nox > Running session a\nnox > cd x\nnox > tsc\n" + a + "nox > Session a failed.\nnox > Running session b\nnox > tsc\n" + b, "", " x/a.ts:1:2 b.ts:1:2"}, // the session that failed has no place
		{"nox on stderr", a, "nox > Running session a\nnox > cd x\nnox > tsc\n", "x/a.ts:1:2"},
		{"nox, two places", a, "nox > Running session b\nnox > tsc\nnox > Running session a\nnox > cd x\nnox > tsc\n", "a.ts:1:2"},
		{"yarn workspaces", "yarn workspaces v1.22.22\n\n> lib\nyarn run v1.22.22\n$ tsc\n\n> @m/a\nyarn run v1.22.22\n$ tsc\n" + a, "error Command failed.\nExit code: 2\nDirectory: /src/packages/a\n", "packages/a/a.ts:1:2"},
		{"yarn workspace", "yarn workspace v1.22.22\nyarn run v1.22.22\n$ tsc\n" + a, "error Command failed.\nExit code: 2\nDirectory: /src/packages/a\n", "packages/a/a.ts:1:2"},
		{"go-task", a, "task: [types] cd x && tsc\n", "x/a.ts:1:2"},
		{"set -x", "+ cd x\n+ npm ci\n+ tsc -p .\n" + a + "+ cd ..\n+ tsc\n" + b, "", "x/a.ts:1:2 b.ts:1:2"},
		{"set -x, subshells", "+ cd x\n+ tsc\n" + a + "+ cd y\n+ tsc\n" + b, "", "x/a.ts:1:2 b.ts:1:2"},
		{"a diff", "+ cd x\n" + a, "", "a.ts:1:2"},
		{"not yarn", a, "Directory: /src/x\n", "a.ts:1:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := tool.Input{Shell: "make", Workspace: result.Workspace{Root: "/src", Dir: "/src"}, Source: term.Separate([]byte(c.out), []byte(c.stderr))}
			if got := strings.Join(strings.Fields(strings.Join(locationsOf(casetest.ParseKnown(in, result.Exit{Observed: true, Code: 2})), " ")), " "); got != strings.TrimSpace(c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
