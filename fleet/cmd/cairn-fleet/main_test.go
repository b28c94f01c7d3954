package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cairn/fleet/fleettest"
)

// cairn runs the program with this one beside it, and gives both its outputs.
type cairn struct{ beside, dir string }

func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range [][]string{{"-C", "../../..", "build", "-o", dir, "./cmd/cairn"}, {"build", "-o", dir, "."}, {"-C", "../../../remote", "build", "-o", dir, "./cmd/cairn-remote"}} {
		if out, err := exec.Command("go", c...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", c, err, out)
		}
	}
	return dir
}

func (c cairn) run(args ...string) (stdout, stderr string, code int) {
	cmd := exec.Command(filepath.Join(c.beside, "cairn"), args...)
	cmd.Dir = c.dir
	var errs strings.Builder
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	return string(out), errs.String(), cmd.ProcessState.ExitCode()
}

// TestFleet: what people type, from the record of two repositories to answers about both.
func TestFleet(t *testing.T) {
	built := programs(t) // before the test has a home of its own, in which nothing is built yet
	app, lib := fleettest.Repo(t, "app", 60), fleettest.Repo(t, "lib", 30)
	src := t.TempDir()
	for _, dir := range []string{app, lib} {
		if err := os.Rename(dir, filepath.Join(src, filepath.Base(dir))); err != nil {
			t.Fatal(err)
		}
	}
	c := cairn{built, src}
	good := func(says string, args ...string) string {
		t.Helper()
		out, errs, code := c.run(args...)
		if code != 0 || !strings.Contains(out, says) {
			t.Fatalf("cairn %v: exit %d, %s%s; want %q", args, code, out, errs, says)
		}
		return out
	}
	good("example.com/team/lib: exported 30 runs", "export", "--discover", ".", "tables")
	good("x: exported 60 runs", "export", "--format", "csv", "--clone", "app", "--as", "x", "csv")
	good("example.com/team/app: exported 0 runs, 0 findings, 0 outcomes; 60 were there", "export", "--clone", "app", "tables")

	// As spans, to what takes them.
	var taken atomic.Int32
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { taken.Add(1) }))
	defer collector.Close()
	if out := good("example.com/team/lib: 30 runs\nsent ", "export", "--otlp", collector.URL, "--since", "2020-01-01", "--discover", "."); taken.Load() == 0 || strings.Contains(out, "sent 0") {
		t.Errorf("%d requests: %s", taken.Load(), out)
	}
	good("sent 0 spans", "export", "--otlp", collector.URL, "--clone", "app")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := os.WriteFile(filepath.Join(src, "addresses"), []byte("file://"+filepath.Join(src, "app")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	// The clones themselves, without a server. Who is asked has nothing more than before, but for the index of the record.
	before := contents(t, src)
	out := good("\nlib:\n", "recall", "flaky", "--fleet", ".")
	if !strings.HasPrefix(out, "app:\n") || strings.Count(out, " runs on ") != 8 {
		t.Error(out)
	}
	if got := repositories(t, good("", "recall", "objects", "--status", "failed", "--fleet", ".", "--format", "json")); got != "app app app app app app app app app app app app lib lib lib lib lib lib" {
		t.Error(got)
	}
	if out := good("repository,id,", "recall", "objects", "--fleet", ".", "--repo", "lib", "--format", "csv"); strings.Count(out, "\nlib,") != 20 || strings.Contains(out, "app") {
		t.Error(out)
	}
	var tested struct {
		ID string `json:"id"`
	}
	first, _, _ := strings.Cut(good("", "recall", "objects", "--tool", "pytest", "--fleet", ".", "--repo", "app", "--format", "json"), "\n")
	if err := json.Unmarshal([]byte(first), &tested); err != nil {
		t.Fatal(err)
	}
	listed := tested.ID
	if out := good("tests/test_a.py::test_4", "recall", "tests", listed, "--fleet", ".", "--repo", "app"); !strings.HasPrefix(out, "app:\n") {
		t.Error(out)
	}
	for path := range contents(t, src) {
		if !before[path] {
			t.Errorf("asking has made %s", path)
		}
	}
	for _, bad := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"recall", "objects", "--fleet", ".", "--branch", "nosuch"}, "", 3},
		{[]string{"recall", "objects", "--fleet", ".", "--repo", "nosuch"}, "none of the 2 repositories", 1},
		{[]string{"recall", "objects", "--fleet", ".", "--repo", "lib,nosuch"}, "is called nosuch", 1},
		{[]string{"recall", "tests", listed, "--fleet", ".", "--repo", "app", "--format", "junit"}, "as compact, json or csv", 2},
		{[]string{"recall", "objects", "--repo", "app"}, "give --fleet, too", 2},
		{[]string{"recall", "objects", "--fleet", "nosuch"}, "neither", 2},
		{[]string{"recall", "objects", "--fleet", "tables"}, "no git repository", 1},
		{[]string{"export", "--format", "xml", "x"}, "parquet, csv or jsonl", 2},
		{[]string{"export", "--as", "x", "--discover", ".", "x"}, "--as names one repository", 1},
		{[]string{"export", "x"}, "no git repository", 1},
		{[]string{"export", "--otlp", "localhost:4318", "--clone", "app"}, "not the address of a collector", 1},
		{[]string{"export", "--otlp", collector.URL, "x"}, "or --otlp", 2},
		{[]string{"export", "--otlp", collector.URL, "--since", "soon"}, "is not a time", 2},
		{[]string{"fleet", "load"}, "give the DSN", 2},
		{[]string{"fleet", "load", "postgres://u:hunter2@127.0.0.1:1/x?connect_timeout=2"}, "~/.pgpass", 1},
	} {
		out, errs, code := c.run(bad.args...)
		if code != bad.code || !strings.Contains(errs, bad.says) || strings.Contains(errs, "hunter2") {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", bad.args, code, bad.code, bad.says, out, errs)
		}
	}
	t.Run("database", func(t *testing.T) {
		dsn := fleettest.Postgres(t, "../../..")
		good("example.com/team/app: loaded 60 runs\nexample.com/team/lib: loaded 30 runs\n", "fleet", "load", dsn, "--discover", ".")
		good("example.com/team/app: nothing new\n", "fleet", "load", dsn, "app")
		if got := repositories(t, good("", "recall", "flaky", "--since", "2026-01-01", "--fleet", dsn, "--format", "json")); strings.Count(got, "app") != 4 || strings.Count(got, "lib") != 4 {
			t.Error(got)
		}
		good("[… there is more: --limit 0]", "recall", "objects", "--fleet", dsn, "--limit", "3")
		good("repository,run_id,", "recall", "objects", "--fleet", dsn, "--format", "csv")
		good("tests/test_a.py::test_4", "recall", "tests", listed, "--fleet", dsn)
		if _, errs, code := c.run("recall", "objects", "--fleet", dsn, "--limit", "3", "--format", "json"); code != 0 || !strings.Contains(errs, "there is more") {
			t.Error(code, errs)
		}
		damage(t, filepath.Join(src, "lib"))
		for range 2 { // the second time it is not passed over as known
			if out, errs, code := c.run("fleet", "load", dsn, "lib"); code != 1 || !strings.Contains(errs, "cannot be read") || strings.Contains(out, "nothing new") {
				t.Error(code, out, errs)
			}
		}
		if out, errs, code := c.run("export", "--clone", "lib", "tables"); code != 1 || !strings.Contains(errs, "cannot be read") || !strings.Contains(out, "30 were there") {
			t.Error(code, out, errs)
		}
		good("example.com/team/lib", "fleet", "ask", dsn, "unproven", "--repo", "example.com/team/lib")
		if _, errs, code := c.run("recall", "tests", "01M6GA60", "--gone", "--fleet", dsn); code != 2 || !strings.Contains(errs, "--gone") {
			t.Error(code, errs)
		}
		if _, errs, code := c.run("recall", "objects", "--branch", "nosuch", "--fleet", dsn); code != 3 || !strings.Contains(errs, "nothing in the fleet") {
			t.Error(code, errs)
		}
		good("tables of version 0", "fleet", "migrate", dsn, "--to", "0")
		if _, errs, code := c.run("recall", "objects", "--fleet", dsn); code != 1 || !strings.Contains(errs, "does not exist") {
			t.Error(code, errs)
		}
		addresses(t, c, dsn)
	})
}

// addresses: the record of a repository that is fetched has what its clone has, once its objects can be had.
func addresses(t *testing.T, c cairn, dsn string) {
	app := filepath.Join(c.dir, "app")
	in := func(dir string, args ...string) string {
		t.Helper()
		out, errs, code := cairn{c.beside, dir}.run(args...)
		if code != 0 {
			t.Fatalf("cairn %v: exit %d, %s%s", args, code, out, errs)
		}
		return out
	}
	list := func(line string) {
		if err := os.WriteFile(filepath.Join(c.dir, "addresses"), []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says := func(want string, args ...string) {
		t.Helper()
		if out := in(c.dir, append(args, "--discover", "addresses")...); !strings.Contains(out, "/app: "+want) {
			t.Errorf("%v: %s, want %q", args, out, want)
		}
	}
	in(app, "manifest", "fold") // its owner brings it to the branch
	list("file://" + app)
	says("exported 60 runs", "export", "few")
	says("loaded 60 runs; the lists of tests of 48 runs are not here", "fleet", "load", dsn)
	says("nothing new", "fleet", "load", dsn)
	store := "file://" + t.TempDir() // where they are encrypted, as they are by themselves
	in(app, "remote", "add", "store", store)
	in(app, "objects", "push", "--lists")
	list("file://" + app + "\t" + store)
	says("loaded 54 runs\n", "fleet", "load", dsn) // of 6 the rest of a long result came
	says("nothing new", "fleet", "load", dsn)
	if n := strings.Count(in(c.dir, "recall", "test", "tests/test_a.py::test_1", "--limit", "0", "--fleet", dsn, "--format", "json"), "\n"); n != 48 {
		t.Errorf("a test ran 48 times, and %d times in the database", n)
	}
	_, whole, _ := strings.Cut(in(c.dir, "export", "--clone", "app", "whole"), ": ")
	says(whole, "export", "fetched")
	list("file://" + app + " ftp://host/of-app")
	if out, errs, code := c.run("export", "--discover", "addresses", "fetched"); code != 1 || !strings.Contains(errs, "bringing the lists of tests of") || !strings.Contains(out, "60 were there") {
		t.Error(code, out, errs)
	}
}

// repositories are those of an answer in JSON Lines, a word each, sorted.
func repositories(t *testing.T, answer string) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(answer) {
		var row struct{ Repository string }
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.Repository == "" {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, row.Repository)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// contents are the files below a directory, but for those of the index of a record.
func contents(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(path, "/cairn/index") {
			all[path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// damage adds a line that is no record to a repository's.
func damage(t *testing.T, dir string) {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(dir, ".git", "cairn", "manifest", "*", "*", "*", "*.jsonl"))
	if err != nil || len(shards) == 0 {
		t.Fatal(err, "no shard in ", dir)
	}
	f, err := os.OpenFile(shards[0], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("{\"v\":1,\"id\":\"01\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
