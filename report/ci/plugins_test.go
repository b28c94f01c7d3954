package ci

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const plugins = "../../plugins/ci/"

// recorder is a cairn that prints its arguments, a line each, and exits as a failing command does.
func recorder(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cairn"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ran is what a script makes of its variables, with a cairn that prints its arguments.
func ran(t *testing.T, shell, script string, vars ...string) string {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		t.Skipf("%s is not installed", shell)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = append(append(os.Environ(), "PATH="+recorder(t)+":"+os.Getenv("PATH")), vars...)
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 7 {
		t.Errorf("exit %d\n%s", code, out)
	}
	return string(out)
}

// TestAction: the action's step gives cairn what its inputs say, whatever is in them, and no input
// stands in a script.
func TestAction(t *testing.T) {
	text, err := os.ReadFile(plugins + "action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	steps := action.Runs.Steps
	for _, step := range steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression in a script:\n%s", step.Run)
		}
	}
	last := steps[len(steps)-1]
	hostile := `pytest -q; echo "$(id)" 'a b'`
	given := map[string]string{"command": hostile, "push": "true", "reports": "sarif=a b.sarif\njunit=j.xml\n"}
	var vars []string
	for name, value := range last.Env {
		input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
		in, ok := action.Inputs[input]
		if !ok {
			t.Fatalf("%s is %s, which is no input", name, value)
		}
		if v, ok := given[input]; ok {
			in.Default = v
		}
		vars = append(vars, name+"="+in.Default)
	}
	want := "ci\n--fail-on\nany\n--push\n--report\nsarif=a b.sarif\n--report\njunit=j.xml\n--shell\n" + hostile + "\n"
	if got := ran(t, "bash", "set -eo pipefail\n"+last.Run, vars...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestGitLab: the component is two documents, and its script runs cairn with its inputs.
func TestGitLab(t *testing.T) {
	text, err := os.ReadFile(plugins + "gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var spec struct {
		Spec struct{ Inputs map[string]any }
	}
	var jobs map[string]struct {
		Script    []string
		Variables map[string]string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	}
	if err := dec.Decode(&spec); err != nil || dec.Decode(&jobs) != nil {
		t.Fatalf("two documents: %v", err)
	}
	job := jobs["$[[ inputs.job ]]"]
	for name, value := range job.Variables {
		input := strings.TrimSuffix(strings.TrimPrefix(value, "$[[ inputs."), " ]]")
		if _, ok := spec.Spec.Inputs[input]; !ok {
			t.Errorf("%s is %s, which is no input", name, value)
		}
	}
	if job.Artifacts.When != "always" || job.Artifacts.Reports["junit"] != gitLabFolder+"/junit-*.xml" || job.Artifacts.Reports["codequality"] != gitLabFolder+"/codequality-*.json" {
		t.Errorf("%+v", job.Artifacts)
	}
	if got := ran(t, "sh", strings.Join(job.Script, "\n"), "CAIRN_FAIL_ON=new", "CAIRN_COMMAND=a 'b c'"); got != "ci\n--fail-on\nnew\n--shell\na 'b c'\n" {
		t.Error(got)
	}
}

// TestSnippet: with cairn and without it, the status is the command's.
func TestSnippet(t *testing.T) {
	script, err := filepath.Abs(plugins + "cairn-ci.sh")
	if err != nil {
		t.Fatal(err)
	}
	if got := ran(t, "sh", "sh "+script+" pytest 'a b'"); !strings.HasSuffix(got, "\n--\npytest\na b\n") || !strings.Contains(got, "junit=cairn-report/junit.xml") {
		t.Error(got)
	}
	if got := ran(t, "sh", "PATH=/usr/bin:/bin; sh "+script+" sh -c 'echo run; exit 7'"); !strings.HasSuffix(got, "run\n") {
		t.Error(got)
	}
}
