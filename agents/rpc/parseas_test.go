package rpc

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFormatIDs: every id that prompts and skills for structured_return may hold is taken,
// and leads to a parser that there is.
func TestFormatIDs(t *testing.T) {
	want := map[string]string{"npm-audit-json": "npm", "dotnet-build-text": "dotnet", "swiftc-text": "swift", "node-test-text": "node-test", "cargo-build": "cargo-build"}
	for _, id := range formatIDs() {
		got, note := toolNamed(id)
		switch {
		case note != "", (got == "") != slices.Contains(byContents, id), want[id] != "" && got != want[id]:
			t.Errorf("%s: %q, %q", id, got, note)
		}
	}
	if got, note := toolNamed("pytest"); got != "pytest" || note != "" {
		t.Errorf("a tool's own name: %q, %q", got, note)
	}
	if got, note := toolNamed("nosuch"); got != "" || !strings.Contains(note, "nosuch is not known") {
		t.Errorf("%q, %q", got, note)
	}
}

func TestProjectFile(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, ".pi"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, projectFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := serve(t)
	s := &Server{}
	if as, note := s.projectTool("acme test", dir); as != "" || note != "" {
		t.Errorf("no file: %q, %q", as, note)
	}
	write(`{"parsers":[{"id":"none","match":{},"parseAs":"mypy-json"},{"id":"a","match":{"argvIncludes":["acme","test"]},"parseAs":"junit-xml"},
		{"id":"b","match":{"argvIncludes":["foo"],"regex":"check$"},"parseAs":"ruff-json"},{"id":"c","match":{"regex":"^own"},"module":"parsers/own.js"}]}`)
	for line, want := range map[string]string{"acme test -v": "junit-xml", "acme lint": "", "foo check": "ruff-json", "foo fix": "", "own thing": ""} {
		as, note := s.projectTool(line, dir)
		if as != want || note != "" {
			t.Errorf("%s: %q, %q", line, as, note)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".pi", "parsers"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".pi", "parsers", "own.ts"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var text struct{ Text string }
	p.call("1", "report", `{"op":"parsers","cwd":"`+dir+`"}`, &text)
	if !strings.Contains(text.Text, "vitest-json: vitest\n") || !strings.Contains(text.Text, "c: where a command matches ^own: node runs .pi/parsers/own.ts (a parser in TypeScript (.ts) needs Node ≥ 22.18)") ||
		!strings.Contains(text.Text, "not approved yet") || !strings.Contains(text.Text, "npm-audit-json: npm\n") || strings.Contains(text.Text, "no parser") {
		t.Error(text.Text)
	}
	write(`{"parsers":`)
	var run runResult
	p.call("2", "run", `{"command":"echo still here","cwd":"`+dir+`","project":true}`, &run)
	if run.Status != 0 || !strings.Contains(run.Text, "still here") || !strings.Contains(strings.Join(run.Notes, "\n"), "was passed over") {
		t.Errorf("%+v", run)
	}
}

// TestStatsOfSession: the figures of the session that asks come first, in tokens.
func TestStatsOfSession(t *testing.T) {
	p := serve(t)
	p.call("1", "run", `{"command":"seq 1 4000","session":"mine"}`, &runResult{})
	p.call("2", "run", `{"command":"seq 1 4000; exit 1","session":"mine"}`, &runResult{})
	p.call("3", "run", `{"command":"ls","session":"another"}`, &runResult{})
	var text struct{ Text string }
	p.call("4", "report", `{"op":"stats","session":"mine"}`, &text)
	for _, want := range []string{"This session: 2 runs, 1 failed; ~9447 tokens printed, ~", " % saved\n", "This repository, all sessions: 3 runs, 1 failed; ~", "Tokens are estimates"} {
		if !strings.Contains(text.Text, want) {
			t.Errorf("%q is missing in\n%s", want, text.Text)
		}
	}
	p.call("5", "report", `{"op":"stats","session":"none"}`, &text)
	if !strings.HasPrefix(text.Text, "This session: nothing was run on the record.\n") {
		t.Error(text.Text)
	}
}

const report = `<testsuite name="s" tests="2" failures="1"><testcase classname="c" name="good"/><testcase classname="c" name="bad"><failure message="no good">a.py:3: no good</failure></testcase></testsuite>`

// TestArtifacts: a report counts only if this run wrote it, and one that is
// missing never makes a pass of a failure.
func TestArtifacts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "source.xml"), []byte(report), 0o644); err != nil {
		t.Fatal(err)
	}
	p := serve(t)
	ask := func(id, command, artifact string) (r runResult) {
		p.call(id, "run", `{"command":"`+command+`","cwd":"`+dir+`","parse_as":"junit-xml","artifacts":["`+artifact+`"]}`, &r)
		return r
	}
	r := ask("1", "mkdir -p out; cp source.xml out/now.xml; exit 1", "out/*.xml")
	if d := r.Details; d.Status != "fail" || d.ExitCode != 1 || len(d.Failures) != 1 || d.Failures[0].Message != "no good" || d.Artifact != "out/now.xml" {
		t.Errorf("%+v %v", d, r.Notes)
	}
	r = ask("2", "no-such-command-here", "out/now.xml")
	if d := r.Details; d.Status != "error" || d.ExitCode != 127 || len(r.Notes) != 1 || !strings.Contains(r.Text, "127") || strings.Contains(r.Text, "no good") || d.Artifact != "" {
		t.Errorf("a stale report was believed: %+v %v", d, r.Notes)
	}
	r = ask("3", "seq 1 5", "out/now.xml")
	if d := r.Details; d.Status != "pass" || !strings.Contains(r.Text, "4\n5") || len(d.Failures) != 0 {
		t.Errorf("%+v %s", d, r.Text)
	}
}
