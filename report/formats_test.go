package report

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemas: documents satisfy the published schemas of their formats, which stand in testdata.
func TestSchemas(t *testing.T) {
	for name, file := range map[string]string{"sarif": "sarif-2.1.0", "ctrf": "ctrf-0.0", "rdjson": "rdjson"} {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", file+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Report{sample(t), {}} {
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, name, r)))
			if err == nil {
				err = schema.Validate(doc)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// tool is a program that reads a format; the test is skipped where it is not installed.
func tool(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	return exec.CommandContext(t.Context(), name, args...)
}

// keep writes a report to a file of the test's own.
func keep(t *testing.T, format, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(written(t, format, sample(t))), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestJUnitSchema: the schema is that of Jenkins. It lacks the attributes file and line, which pytest writes and GitLab
// and others read.
func TestJUnitSchema(t *testing.T) {
	file := keep(t, "junit", "junit.xml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	strict := regexp.MustCompile(` (file|line)="[^"]*"`).ReplaceAll(text, nil)
	if err := os.WriteFile(file, strict, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := tool(t, "xmllint", "--noout", "--nonet", "--schema", "testdata/junit-10.xsd", file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestJUnitReader: junitparser, which many tools build on, counts what is in the report.
func TestJUnitReader(t *testing.T) {
	cmd := tool(t, "python3", "-c", `
import sys
try:
    from junitparser import JUnitXml, Failure, Error
except ImportError:
    print("none"); sys.exit()
cases = [c for s in JUnitXml.fromfile(sys.argv[1]) for c in s]
kinds = [type(c.result[0]).__name__ if c.result else "-" for c in cases]
print(len(cases), *kinds)
`, keep(t, "junit", "junit.xml"))
	out, err := cmd.CombinedOutput()
	switch got := strings.TrimSpace(string(out)); {
	case got == "none":
		t.Skip("the Python package junitparser is not installed")
	case err != nil || got != "7 Error - Error Failure Failure Failure Failure":
		t.Errorf("%v %s", err, got)
	}
}

// TestVimReadsIt: the quickfix list of vim has a place for each finding, with vim's own errorformat.
func TestVimReadsIt(t *testing.T) {
	file := keep(t, "vim", "errors.err")
	list := filepath.Join(filepath.Dir(file), "list.json")
	cmd := tool(t, "vim", "-u", "NONE", "-N", "-es", "-c", "cfile "+file,
		"-c", `call writefile([json_encode(map(getqflist(), {_, e -> bufname(e.bufnr) . ":" . e.lnum . ":" . e.col . ":" . e.text}))], "`+list+`")`, "-c", "qa!")
	out, err := cmd.CombinedOutput()
	text, failed := os.ReadFile(list)
	if failed != nil {
		t.Fatalf("%v %v\n%s", err, failed, out)
	}
	var got []string
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := []string{
		":0:0:cairn: make: pytest failed (exit 1)",
		"cart.py:1:8: warning: F401: `os` imported but unused",
		":0:0:error: GHSA-1: lodash before 4.17.21",
		"tests/test_cart.py:11:5: error: AssertionError: tests/test_cart.py::test_total_1: assert 1 == 2 (expected 2, got 1)",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("entry %d is not %q\n%s", i, want[i], strings.Join(got, "\n"))
		}
	}
	if len(got) != 7 {
		t.Errorf("%d entries", len(got))
	}
}

// TestEmacsReadsIt: next-error of emacs goes to each finding that has a place.
func TestEmacsReadsIt(t *testing.T) {
	file := keep(t, "vim", "errors.txt")
	cmd := tool(t, "emacs", "-Q", "--batch", "--eval", `(progn (require 'compile)
  (find-file "`+file+`") (compilation-mode) (compilation--ensure-parse (point-max)) (goto-char (point-min))
  (let ((n 0)) (condition-case nil (while t (compilation-next-error 1) (setq n (1+ n))) (error nil))
    (princ (format "%d %s" n (caar (compilation--loc->file-struct (compilation--message->loc (get-text-property (point) 'compilation-message))))))))`)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if got := string(out); err != nil || got != "5 tests/test_cart.py" {
		t.Errorf("%v %s\n%s", err, got, errs.String())
	}
}

// pattern is a problem matcher's of VS Code.
type pattern struct {
	Regexp                                string
	File, Line, Column, Severity, Message int
}

// matcher is the pattern in docs/report.md.
func matcher(t *testing.T) pattern {
	t.Helper()
	page, err := os.ReadFile("../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	_, task, _ := strings.Cut(string(page), "```json\n")
	task, _, _ = strings.Cut(task, "```")
	var doc struct {
		Tasks []struct {
			ProblemMatcher struct{ Pattern pattern }
		}
	}
	if err := json.Unmarshal([]byte(task), &doc); err != nil || len(doc.Tasks) == 0 {
		t.Fatalf("%v: %s", err, task)
	}
	return doc.Tasks[0].ProblemMatcher.Pattern
}

// TestProblemMatcher: the pattern for VS Code in docs/report.md takes apart each line that has a place.
func TestProblemMatcher(t *testing.T) {
	p := matcher(t)
	places := 0
	for line := range strings.Lines(written(t, "vim", sample(t))) {
		if m := regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			places++
			if !strings.HasSuffix(m[p.File], ".py") || m[p.Line] == "" || m[p.Severity] != "error" && m[p.Severity] != "warning" || m[p.Message] == "" {
				t.Errorf("%q", m)
			}
		}
	}
	if places != 5 {
		t.Errorf("%d lines with a place", places)
	}
}
