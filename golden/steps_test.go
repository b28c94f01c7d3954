package golden

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/parsers/tool"
	"cairn/result"
)

// jobs are recorded runs as the steps of one job, in a form of those below, where what one of
// them tells was once lost in the lines that another one takes.
var jobs = []struct{ form, steps string }{
	{"make -k", "kustomize/missing-resource cucumber/outcomes-progress"},
	{"make -k", "sass/missing curl/resolve"},
	{"make -k", "dbt/build generic/ninja-missing-file"},
	{"make -k 2>&1", "rscript/missing rstcheck/missing2"},
	{"make -k 2>&1", "guile/wrong-type gdb/script"},
	{"make -k 2>&1", "fortitude/full typedoc/no-entry"},
	{"make -k 2>&1", "size-limit/fails write-good/fails"},
	{"make -k 2>&1", "rsync/missing-source cmake/bad-option"},
	{"bash ci.sh", "hatch/bad-toml gocognit/default"},
	{"bash ci.sh", "rollup/syntax-error twine/unknown"},
	{"bash ci.sh", "uv/compiler rollup/fail-after-warnings"},
	{"bash ci.sh", "xdoctest/mixed codespell/color"},
	{"bash ci.sh", "cargo-machete/default rsbuild/fails"},
	{"bash ci.sh", "gofmt/diff gunicorn/bad-option"},
	{"", "rustfmt/check code-quality/hadolint-named"},
	{"", "reuse/lint apt/unknown"},
	{"", "commitlint/bad-option junit-lint/rumdl"},
}

// TestJobs: nothing of what a step tells by itself is hidden by another step.
func TestJobs(t *testing.T) {
	for _, job := range jobs {
		t.Run(job.form+" "+job.steps, func(t *testing.T) {
			var streams [3]strings.Builder // parsers.Stdout, parsers.Stderr
			var told []result.Finding
			line, split := job.form, !strings.HasSuffix(job.form, "2>&1")
			for i, name := range strings.Fields(job.steps) {
				c, err := read(".", name)
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, parsers.Parse(c.Input(c.Output), c.Exit).Findings...)
				put := func(s tool.Stream, text string) {
					if !split {
						s = tool.Stdout
					}
					streams[s].WriteString(text)
				}
				switch {
				case strings.HasPrefix(line, "make"):
					put(tool.Stdout, c.Cmd+"\n")
				case job.form == "bash ci.sh":
					put(tool.Stdout, "##[group]Run "+c.Cmd+"\n"+c.Cmd+"\n##[endgroup]\n")
					split = false
				case job.form == "":
					line = strings.TrimPrefix(line+"; "+c.Cmd, "; ")
				}
				for _, chunk := range c.Output {
					put(chunk.Stream, string(chunk.Data))
				}
				switch {
				case strings.HasPrefix(line, "make"):
					put(tool.Stderr, fmt.Sprintf("make: *** [Makefile:%d: t%d] Error 1\n", 4+2*i, i))
				case job.form == "bash ci.sh":
					put(tool.Stdout, "##[error]Process completed with exit code 1.\n")
				}
			}
			job := Case{Cmd: line, Cwd: "/tmp/proj", Root: "/tmp/proj", Exit: result.Exit{Observed: true, Code: 2}}
			r, compact := answer(job.Input(parsers.Separate([]byte(streams[tool.Stdout].String()), []byte(streams[tool.Stderr].String()))), job.Exit)
			text := strings.Join(strings.Fields(compact), " ")
			for _, f := range told {
				message := strings.Join(strings.Fields(f.Message), " ")
				at := f.At != nil && strings.Contains(text, path.Base(f.At.Path)) && strings.Contains(text, fmt.Sprint(f.At.Line))
				if !at && !strings.Contains(text, message[:min(len(message), 30)]) {
					t.Errorf("%s: %s is not told in\n%s", r.Tool, f.Message, compact)
				}
			}
		})
	}
}
