package parsers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestSilentBefore: a tool that was run, and printed nothing, has none of the findings of the one that was run after it,
// whose rows have a form that many tools print; and that one keeps them all.
func TestSilentBefore(t *testing.T) {
	rows, err := os.ReadFile(filepath.Join("..", "golden", "flake8", "line-0-default", "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{
		"bash ci.sh":     "+ TOOL src\n+ flake8 py\n",
		"make lint":      "TOOL src\nflake8 py\n",
		"sh job.sh":      "##[group]Run TOOL src\n##[endgroup]\n##[group]Run flake8 py\n##[endgroup]\n",
		"pre-commit run": "a" + strings.Repeat(".", 72) + "Passed\n- hook id: TOOL\n- duration: 0.1s\n\nb" + strings.Repeat(".", 72) + "Failed\n- hook id: flake8\n- exit code: 1\n\n",
		"tox":            "lint: commands[0]> TOOL src\nlint: commands[1]> flake8 py\n",
	}
	want := strings.Count(string(rows), "\n")
	for command, echo := range shown {
		for i, p := range All() {
			if p.Runner || p.Tool == "flake8" || racing.Skips(i, 20) {
				continue
			}
			text := strings.ReplaceAll(echo, "TOOL", p.Tool) + string(rows)
			r := casetest.ParseKnown(tool.Input{Argv: strings.Fields(command), Source: term.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
			of := map[string]int{}
			for _, f := range r.Findings {
				if f.Source == "" {
					f.Source = r.Tool
				}
				of[f.Source]++
			}
			if of["flake8"] != want || of[p.Tool] > 0 {
				t.Errorf("%s, %s: %v, want %d of flake8", command, p.Tool, of, want)
			}
		}
	}
}
