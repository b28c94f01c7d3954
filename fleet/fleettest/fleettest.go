// Package fleettest makes repositories with records, for tests of programs that read records.
package fleettest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/result"
)

// Start is when the first run began. Each further one is eleven hours later, so that runs are in several months.
var Start = time.Date(2026, 9, 20, 9, 0, 0, 123456000, time.UTC)

// Repo makes a repository with n captures and returns its directory. Equal arguments give equal captures. Among them
// are failures, flaky tests, lists of tests, stages, results too long for a line, invalid UTF-8, and captures with few
// facts.
func Repo(t testing.TB, name string, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for key, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "CAIRN_DIR": "",
		"GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@localhost", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@localhost",
	} {
		t.Setenv(key, value)
	}
	git(t, ".", "init", "-q", "-b", "main", dir)
	git(t, dir, "remote", "add", "origin", "git@example.com:team/"+name+".git")
	Add(t, dir, 0, n)
	return dir
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// Open opens the store of a repository.
func Open(t testing.TB, dir string) *place.Site {
	t.Helper()
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Errorf("warning: %s", w) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Add appends the captures from number from up to to.
func Add(t testing.TB, dir string, from, to int) {
	t.Helper()
	s := Open(t, dir)
	for i := from; i < to; i++ {
		rec, r, list := capture(filepath.Base(dir), i)
		if list != nil {
			info, err := s.Objects.PutBytes(list.Encode())
			if err != nil {
				t.Fatal(err)
			}
			r.Outcomes.OID = info.ID.String()
		}
		if r != nil {
			keep(t, s, rec, r, i)
		}
		if err := s.Manifest.AppendUnsynced(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Manifest.Sync(); err != nil {
		t.Fatal(err)
	}
}

// shown is how many findings a record itself holds.
const shown = 20

// keep stores the result of a record. Long results have findings in an object, which for some records does not exist.
func keep(t testing.TB, s *place.Site, rec *manifest.Record, r *result.ToolResult, i int) {
	t.Helper()
	short := *r
	if len(r.Findings) > shown {
		whole, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		rec.ResultOID = objects.IDOf(whole).String()
		if i%20 == 8 {
			if _, err := s.Objects.PutBytes(whole); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range r.Findings[shown:] {
			rec.More = append(rec.More, f.Fingerprint)
		}
		short.Findings = r.Findings[:shown]
	}
	if err := rec.SetResult(&short); err != nil {
		t.Fatal(err)
	}
}

// capture is the i-th capture of a repository.
func capture(repository string, i int) (*manifest.Record, *result.ToolResult, outcomes.List) {
	at := Start.Add(time.Duration(i) * 11 * time.Hour)
	rec := &manifest.Record{V: manifest.Version, Time: at, Dir: ".", DurationMS: int64(100 + i%7*50), Env: "e1"}
	id := ulid.ULID{}
	id.SetTime(ulid.Timestamp(at))
	id.SetEntropy([]byte(fmt.Sprintf("%6.6s%04d", repository+"......", i)))
	rec.ID = id.String()
	clean, tree := false, i/4 // four runs on one tree
	rec.Git = &manifest.Git{Commit: fmt.Sprintf("%040x", tree+1), Branch: []string{"main", "feature/\u00e9"}[i/20%2], Dirty: &clean}
	rec.Raw = &manifest.Raw{OID: "sha256:" + strings.Repeat(fmt.Sprintf("%04x", i), 16), Size: int64(1000 + i)}
	if i%3 == 0 {
		rec.By = &manifest.By{Agent: "claude", Session: fmt.Sprintf("s%d", i/10)}
	}
	switch {
	case i%10 == 9: // killed before there was a result
		rec.Argv, rec.Signal, rec.Partial, rec.Git = []string{"sleep", "a\xffb\x00c"}, "SIGKILL", true, nil
		return rec, nil, nil
	case i%10 == 8:
		return lint(rec, i)
	}
	return tests(rec, i)
}

// tests is a test run: every fourth fails, so some trees have both outcomes.
func tests(rec *manifest.Record, i int) (*manifest.Record, *result.ToolResult, outcomes.List) {
	rec.Argv, rec.Key = []string{"pytest", "-q", "it's"}, "k-pytest"
	exit, list := 0, outcomes.List{}
	r := &result.ToolResult{Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, Counts: map[string]int{}}
	for n := range 6 {
		test := outcomes.Test{ID: fmt.Sprintf("tests/test_a.py::test_%d", n), Outcome: outcomes.Passed, DurationMS: int64(n * 3), At: fmt.Sprintf("tests/test_a.py:%d", 10+n)}
		switch {
		case n == 5:
			test.Outcome = outcomes.Skipped
		case i%4 == 0 && n == i/4%5:
			test.Outcome, exit = outcomes.Failed, 1
			r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: test.ID, Name: fmt.Sprintf("test_%d", n),
				Message: fmt.Sprintf("assert %d == 1, \"quoted\",\nand a comma \x1b", n+2), At: &result.Location{Path: "tests/test_a.py", Line: 10 + n, Column: n}})
		}
		r.Counts[string(test.Outcome)]++
		list = append(list, test)
	}
	return end(rec, r, exit, &result.Outcomes{Complete: i%8 != 0, Counts: r.Counts, Reason: map[bool]string{true: "a reason"}[i%8 == 0]}), r, list
}

// lint is a line of two commands; the first failed with more findings than a record holds.
func lint(rec *manifest.Record, i int) (*manifest.Record, *result.ToolResult, outcomes.List) {
	rec.Shell, rec.Key, rec.Git.Dirty, rec.Git.Worktree = "ruff check . | tail -3", "k-line", nil, fmt.Sprintf("%040x", 1000+i)
	r := &result.ToolResult{Tool: "ruff", Kind: result.Lint, ParserConfidence: result.Parsed}
	for n := range 150 {
		r.Findings = append(r.Findings, result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: fmt.Sprintf("E%03d", n),
			Message: fmt.Sprintf("undefined name 'value_%d' that is long enough to need its room", n), At: &result.Location{Path: fmt.Sprintf("src/file_%d.py", n), Line: 1 + n}})
	}
	one, zero := 1, 0
	rec.Stages = &manifest.Stages{List: []manifest.Stage{
		{Argv: []string{"ruff", "check", "."}, Exit: &one, Before: "tail", Key: "k-ruff", Tool: "ruff", Status: result.Failed, Raw: &manifest.Raw{OID: rec.Raw.OID, Size: 9000}},
		{Argv: []string{"tail", "-3"}, Exit: &zero},
	}}
	return end(rec, r, 0, nil), r, nil
}

// end completes a result as a capture does.
func end(rec *manifest.Record, r *result.ToolResult, exit int, o *result.Outcomes) *manifest.Record {
	rec.Exit, r.ExitCode, r.Outcomes = &exit, &exit, o
	r.Status, r.StatusSource = result.Derive(result.Exit{Observed: true, Code: exit}, r.Kind, "", r.ParserConfidence, r.Kind == result.Test, r.Findings)
	result.Seal(r, result.Workspace{Root: "/w", Dir: "/w"})
	r.Summary = result.Summarise(r)
	return rec
}
