package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers"
	"cairn/result"
)

// fellows are what other tools print that a project's own script runs before or behind
// one: a compiler, a type checker and a linter, each with the places that it tells.
var fellows = []struct {
	name, text string
	places     []string
}{
	{"gcc", "src/e.c: In function ‘main’:\nsrc/e.c:1:31: error: expected expression before ‘;’ token\n    1 | int main() { int x = \"a\"; foo(; }\n      |                               ^\n", []string{"src/e.c:1"}},
	{"mypy", "src/m.py:2: error: Incompatible return value type (got \"int\", expected \"str\")  [return-value]\nsrc/m.py:4: error: \"str\" has no attribute \"nope\"  [attr-defined]\nFound 2 errors in 1 file (checked 1 source file)\n", []string{"src/m.py:2", "src/m.py:4"}},
	{"ruff", "F401 [*] `os` imported but unused\n --> src/r.py:1:8\n  |\n1 | import os\n  |        ^^\n  |\nhelp: Remove unused import: `os`\n\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n", []string{"src/r.py:1"}},
	{"python", "\nTraceback (most recent call last):\n  File \"tools/gen.py\", line 3, in <module>\n    main()\nValueError: no rows in the table\n", []string{"tools/gen.py:3"}},
}

// inseparable are readers of which something is lost, and why. A runner's own word that a step
// failed gives way to what the step printed.
var inseparable = map[string]string{
	"make text":         "a runner: the recipe that failed",
	"gulp text":         "a runner: the task that failed",
	"next text":         "a runner: the page that could not be built",
	"sh errors":         "a runner: the command that is not there",
	"node crash":        "a runner: the program that did not start",
	"cmake text":        "its last paragraph has no end",
	"rebar3 text":       "the text below a step is the step's until a blank line",
	"bun-test text":     "what stands above a test is what its file printed",
	"go-test text":      "what stands above a package's closing line is what its tests printed",
	"go-test gotestsum": "what stands above a package's closing line is what its tests printed",
	"googletest text":   "the test that was cut short has no end",
	"pnpm text":         "a list without an end",
	"perlcritic text":   "its lines name no file, so that none other's can be told from them",
	"cargo-build text":  "ruff's frames are rustc's",
	"cargo-clippy text": "ruff's frames are rustc's",
	"rstest text":       "what stands below a failure is what its test printed",
	"nim-unittest text": "what stands below a failure is what its test printed",
	"newman cli":        "its failures have no places",
	"busted text":       "the text of its last failure has no end",
	"parcel text":       "ruff's frames are its own",
	"eslint tap":        "ruff's lines are taken for the text of the last test",
	"diagnostics lines": "lines of no tool: frames, documents and traces beside another tool's",
}

// openEnded are readers that, in some run of theirs, lose a traceback of Python behind them: text behind their last
// error, or behind a cut one, is taken for that error's.
const openEnded = "|vitest text|pytest text|playwright text|mamba text|jest text|dbt text|cypress text|cpputest text|cargo-nextest text|bun text|"

// TestTogether: what one tool prints before or behind another one, both run by a project's
// own script, hides no finding of either. The first case of each folder is tried.
func TestTogether(t *testing.T) {
	cases, err := all()
	if err != nil {
		t.Fatal(err)
	}
	folder, n := "", 0
	for _, c := range cases {
		if of, _, _ := strings.Cut(c.Name, "/"); of == folder && !everything && !named() || of == "composite" {
			continue // several tools already, whose lines may have prefixes
		} else if folder, n = of, n+1; racing.Enabled && n%oneOf() != 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			besideFellows(t, c)
		})
	}
}

func besideFellows(t *testing.T, c Case) {
	c.Cmd, c.Exit, c.Files = "./check.sh", result.Exit{Observed: true, Code: 1}, nil
	text := string(c.Raw())
	if len(text) > 60_000 {
		return
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	alone := together(c, text)
	if len(alone.Findings) == 0 || alone.Parser == nil {
		return
	}
	reader := alone.Parser.Name + " " + alone.Parser.Format
	if why := inseparable[reader]; why != "" {
		t.Log("excused: ", why)
		return
	}
	for _, n := range fellows {
		if alone.Parser.Name == n.name {
			continue
		}
		for where, both := range map[string]string{"before": n.text + text, "behind": text + n.text} {
			if n.name == "python" && (where == "before" || everything && strings.Contains(openEnded, "|"+reader+"|")) {
				continue // before: a document of a form that any program may write gives way to it
			}
			r := together(c, both)
			if lost := lostPlaces(r, append(placesOf(alone), n.places...)); len(lost) > 0 {
				t.Errorf("%s: %s %s it: %d of %s are lost, of %d: %s", reader, n.name, where, len(lost), lost, len(alone.Findings), placesOf(r))
			}
		}
	}
}

func together(c Case, text string) *result.ToolResult {
	return parsers.Parse(c.Input(parsers.Separate([]byte(text), nil)), c.Exit)
}

func placesOf(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		if f.At != nil && f.At.Line > 0 {
			all = append(all, fmt.Sprintf("%s:%d", f.At.Path, f.At.Line))
		}
	}
	return all
}

func lostPlaces(r *result.ToolResult, want []string) []string {
	has := placesOf(r)
	return slices.DeleteFunc(want, func(p string) bool {
		return slices.ContainsFunc(has, func(h string) bool { return h == p || strings.HasSuffix(h, "/"+p) })
	})
}
