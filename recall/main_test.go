package recall

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// start is the time of the first capture of a test; each further one is a
// minute later.
var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// git runs git in dir, away from the user's configuration.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// away keeps the user's own configuration and store out of a test.
func away(t testing.TB) {
	for key, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": os.TempDir(),
		"GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@localhost", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@localhost",
	} {
		t.Setenv(key, value)
	}
}

// repo is a new repository with one commit of the file a.py.
func repo(t testing.TB) string {
	away(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a.py"), "one\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "one")
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open is the site of dir.
func open(t testing.TB, dir string) *place.Site {
	t.Helper()
	s, err := place.Open(t.Context(), dir, place.FromEnviron(os.Environ()), func(w manifest.Warning) { t.Logf("warning: %s", w) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// book appends captures to a site.
type book struct {
	t testing.TB
	*place.Site
	n int
}

func newBook(t testing.TB) *book { return &book{t: t, Site: open(t, repo(t))} }

// capture is a record of pytest that is appended after edit changed it.
func (b *book) capture(raw string, r *result.ToolResult, edit ...func(*manifest.Record)) *manifest.Record {
	b.t.Helper()
	rec := &manifest.Record{Time: start.Add(time.Duration(b.n) * time.Minute), Argv: []string{"pytest", "-q"}, Key: "aaaabbbbcccc"}
	b.n++
	if raw != "" {
		info, err := b.Objects.PutBytes([]byte(raw))
		if err != nil {
			b.t.Fatal(err)
		}
		rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines, Order: "1 0 0"}
	}
	if r != nil {
		if err := rec.SetResult(r); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, e := range edit {
		e(rec)
	}
	if err := b.Manifest.Append(b.t.Context(), rec); err != nil {
		b.t.Fatal(err)
	}
	return rec
}

// full keeps r as an object and leaves all its findings out of the record.
func (b *book) full(r *result.ToolResult) func(*manifest.Record) {
	return func(rec *manifest.Record) {
		whole, err := r.JSON()
		if err != nil {
			b.t.Fatal(err)
		}
		info, err := b.Objects.PutBytes(whole)
		if err != nil {
			b.t.Fatal(err)
		}
		short := *r
		short.Findings = []result.Finding{}
		for _, f := range r.Findings {
			rec.More = append(rec.More, f.Fingerprint)
		}
		rec.ResultOID = info.ID.String()
		if err := rec.SetResult(&short); err != nil {
			b.t.Fatal(err)
		}
	}
}

// lose removes an object from the clone, as if it had been captured elsewhere.
func (b *book) lose(oid string) {
	b.t.Helper()
	hex := strings.TrimPrefix(oid, "sha256:")
	if err := os.Remove(filepath.Join(b.Dir, "objects", hex[:2], hex[2:])); err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) id(oid string) objects.ID {
	b.t.Helper()
	id, err := objects.ParseID(oid)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// pytest is a result with the named failing tests of tests/test_a.py.
func pytest(tests ...string) *result.ToolResult {
	r := &result.ToolResult{Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, Counts: map[string]int{"passed": 9 - len(tests), "failed": len(tests)}}
	for i, name := range tests {
		r.Findings = append(r.Findings, result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, ID: "tests/test_a.py::" + name, Name: name, Rule: "AssertionError",
			Message: "AssertionError: " + name, At: &result.Location{Path: "tests/test_a.py", Line: i + 1},
		})
	}
	return sealed(r, min(len(tests), 1))
}

func sealed(r *result.ToolResult, code int) *result.ToolResult {
	r.ExitCode = &code
	r.Status, r.StatusSource = result.Derive(result.Exit{Observed: true, Code: code}, r.Kind, r.ExitMeaning, r.ParserConfidence, true, r.Findings)
	result.Seal(r, result.Workspace{Root: "/w", Dir: "/w"})
	r.Summary = result.Summarise(r)
	return r
}

func key(k string) func(*manifest.Record) { return func(r *manifest.Record) { r.Key = k } }

func on(commit, branch string) func(*manifest.Record) {
	return func(r *manifest.Record) { r.Git = &manifest.Git{Commit: commit, Branch: branch} }
}

func messages(findings []result.Finding) (list []string) {
	for _, f := range findings {
		list = append(list, strings.TrimPrefix(f.Message, "AssertionError: "))
	}
	return list
}

func fail(err error, want string) string {
	if err == nil || !strings.Contains(err.Error(), want) {
		return fmt.Sprintf("error %v, want one that says %q", err, want)
	}
	return ""
}
