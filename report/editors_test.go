package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cairn/golden/runfile"
	"cairn/render"
	"cairn/result"
)

// realTools are tools whose recorded runs editors are held to: linters, compilers and runners of several languages.
var realTools = []string{"pytest", "mypy", "ruff", "eslint", "tsc", "go-test", "cargo-check", "gcc", "javac", "rspec", "shellcheck", "unittest", "jest"}

// realResults are the results of recorded runs.
func realResults(t *testing.T) (all []*result.ToolResult) {
	t.Helper()
	for _, tool := range realTools {
		files, err := filepath.Glob(filepath.Join("../golden", tool, "*", runfile.Want))
		if err != nil || len(files) == 0 {
			t.Errorf("no recorded runs of %s: %v", tool, err)
		}
		for _, file := range files[:min(len(files), 8)] {
			text, err := runfile.Result(filepath.Dir(file))
			r := &result.ToolResult{}
			if err == nil {
				err = json.Unmarshal(text, r)
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, r)
		}
	}
	return all
}

// TestMatcherOfRealOutputs: of recorded runs of real tools, VS Code's pattern in docs/report.md finds path, line, column and
// severity of each finding that has a place, and nothing in the other lines.
func TestMatcherOfRealOutputs(t *testing.T) {
	p := matcher(t)
	pattern, places := regexp.MustCompile(p.Regexp), 0
	for _, r := range realResults(t) {
		lines := strings.Split(render.Vim(r), "\n")
		for i, f := range r.Findings {
			at := r.LocalFinding(f).At
			m := pattern.FindStringSubmatch(lines[i])
			if at == nil || at.Path == "" || at.Line == 0 {
				if m != nil {
					t.Errorf("%s: a place that no finding has: %q", r.Tool, lines[i])
				}
				continue
			}
			places++
			column := ""
			if at.Column > 0 {
				column = strconv.Itoa(at.Column)
			}
			if m == nil || m[p.File] != at.Path || m[p.Line] != strconv.Itoa(at.Line) || m[p.Column] != column || m[p.Message] == "" && f.Message != "" {
				t.Errorf("%s: %q of %q, not %s:%d:%s", r.Tool, m, lines[i], at.Path, at.Line, column)
			}
		}
	}
	if places < 100 {
		t.Errorf("%d findings with a place are few", places)
	}
}

// TestVimOfRealOutputs: vim's quickfix list, by vim's own errorformat, has the places of the findings of recorded runs.
func TestVimOfRealOutputs(t *testing.T) {
	var text, want strings.Builder
	for _, r := range realResults(t) {
		text.WriteString(render.Vim(r))
		for _, f := range r.Findings {
			if at := r.LocalFinding(f).At; at != nil && at.Path != "" && at.Line > 0 {
				want.WriteString(filepath.Clean(at.Path) + ":" + strconv.Itoa(at.Line) + "\n")
			}
		}
	}
	dir := t.TempDir()
	file, list := filepath.Join(dir, "errors.err"), filepath.Join(dir, "list")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := tool(t, "vim", "-u", "NONE", "-N", "-es", "-c", "cfile "+file,
		"-c", `call writefile(map(filter(getqflist(), 'v:val.valid'), {_, e -> bufname(e.bufnr) . ":" . e.lnum}), "`+list+`")`, "-c", "qa!").CombinedOutput()
	got, failed := os.ReadFile(list)
	if failed != nil {
		t.Fatalf("%v %v\n%s", err, failed, out)
	}
	if string(got) != want.String() {
		a, b := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("place %d of %d is %q, not %q of %d", i, len(a), a[i], b[i], len(b))
			}
		}
		t.Fatalf("%d places, not %d", len(a), len(b))
	}
}
