package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/durable"
	"cairn/internal/gitrepo"
	"cairn/result"
)

// fakeBranch is a branch in memory that behaves as gitrepo says.
type fakeBranch struct {
	mu      sync.Mutex
	blobs   map[string]string            // oid to content
	trees   map[string]map[string]string // commit to path to oid
	log     []string                     // subjects
	bodies  []string
	tip     string
	remotes map[string]string
	refuse  error
	reads   int // blobs read
	calls   int // calls that would cost a process
	seq     int
}

func newFake() *fakeBranch {
	return &fakeBranch{
		blobs: map[string]string{}, trees: map[string]map[string]string{"": {}}, remotes: map[string]string{},
	}
}

func (b *fakeBranch) Name() string { return "cairn" }

func (b *fakeBranch) Tip(context.Context) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	return b.tip, nil
}

func (b *fakeBranch) Remotes(context.Context) ([]gitrepo.RemoteTip, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []gitrepo.RemoteTip
	for _, ref := range slices.Sorted(maps.Keys(b.remotes)) {
		out = append(out, gitrepo.RemoteTip{Ref: ref, Commit: b.remotes[ref]})
	}
	return out, nil
}

// put stores files as a commit and gives its name. The caller holds mu.
func (b *fakeBranch) put(files map[string]string) string {
	b.seq++
	tree := make(map[string]string)
	for path, content := range files {
		oid := blobHash([]byte(content), "")
		b.blobs[oid] = content
		tree[path] = oid
	}
	commit := fmt.Sprintf("%040x", b.seq)
	b.trees[commit] = tree
	return commit
}

// files gives the content of every file of a commit.
func (b *fakeBranch) files(commit string) map[string]string {
	out := make(map[string]string)
	for path, oid := range b.trees[commit] {
		out[path] = b.blobs[oid]
	}
	return out
}

func (b *fakeBranch) Commit(_ context.Context, changes []gitrepo.Change, subject, body string, _ time.Time) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if b.refuse != nil {
		return "", b.refuse
	}
	files := b.files(b.tip)
	before := maps.Clone(files)
	for _, c := range changes {
		var old []byte
		if s, ok := files[c.Path]; ok {
			old = []byte(s)
		}
		files[c.Path] = string(c.Merge(old))
	}
	if maps.Equal(before, files) {
		return b.tip, nil
	}
	b.tip = b.put(files)
	b.log, b.bodies = append(b.log, subject), append(b.bodies, body)
	return b.tip, nil
}

func (b *fakeBranch) MergeTips(_ context.Context, tips []string, merge func(string, [][]byte) []byte, subject string, _ time.Time) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		return "", b.refuse
	}
	versions := make(map[string][][]byte)
	for _, c := range append([]string{b.tip}, tips...) {
		for path, content := range b.files(c) {
			versions[path] = append(versions[path], []byte(content))
		}
	}
	files := make(map[string]string)
	for path, v := range versions {
		files[path] = string(merge(path, v))
	}
	if maps.Equal(files, b.files(b.tip)) {
		return b.tip, nil
	}
	b.tip = b.put(files)
	b.log = append(b.log, subject)
	return b.tip, nil
}

func (b *fakeBranch) Files(_ context.Context, commit string) ([]gitrepo.File, error) {
	return b.FilesChanged(context.Background(), "", commit)
}

func (b *fakeBranch) FilesChanged(_ context.Context, from, to string) ([]gitrepo.File, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	old, ok := b.trees[from]
	now, ok2 := b.trees[to]
	if !ok || !ok2 {
		return nil, gitrepo.ErrMissing
	}
	var out []gitrepo.File
	for path, oid := range now {
		if old[path] != oid {
			out = append(out, gitrepo.File{Path: path, OID: oid, Size: -1})
		}
	}
	for path := range old {
		if _, ok := now[path]; !ok {
			out = append(out, gitrepo.File{Path: path, Size: -1})
		}
	}
	slices.SortFunc(out, func(a, b gitrepo.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (b *fakeBranch) ReadBlobs(_ context.Context, oids []string, yield func(string, []byte) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, oid := range oids {
		content, ok := b.blobs[oid]
		if !ok {
			return gitrepo.ErrMissing
		}
		b.reads++
		if err := yield(oid, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

func (b *fakeBranch) BlobSizes(_ context.Context, oids []string) (map[string]int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sizes := make(map[string]int64)
	for _, oid := range oids {
		if content, ok := b.blobs[oid]; ok {
			sizes[oid] = int64(len(content))
		}
	}
	return sizes, nil
}

func (b *fakeBranch) Drop(_ context.Context, tip string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tip == tip {
		b.tip = ""
	}
	return nil
}

// lines are all lines on the branch.
func (b *fakeBranch) lines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []string
	for _, content := range b.files(b.tip) {
		for _, line := range lines([]byte(content)) {
			all = append(all, string(line))
		}
	}
	return all
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC)

// fixture is a manifest in a temporary directory.
type fixture struct {
	*Manifest
	t        *testing.T
	fake     *fakeBranch
	clock    *clock
	warnings []string
}

func newFixture(t *testing.T) *fixture { return newFixtureAt(t, t.TempDir(), newFake()) }

func newFixtureAt(t *testing.T, dir string, fake *fakeBranch) *fixture {
	f := &fixture{t: t, fake: fake, clock: &clock{t: noon}}
	o := Options{Now: f.clock.now, Warn: func(w Warning) { f.warnings = append(f.warnings, w.String()) }}
	if fake != nil {
		o.Branch = fake
	}
	f.Manifest = Open(dir, o)
	return f
}

// capture is a plausible record of a run that exited so.
func capture(exit int) *Record {
	tr := &result.ToolResult{
		SchemaVersion: 1, Tool: "pytest", Kind: result.Test, Status: result.Failed, ExitCode: &exit,
		Counts: map[string]int{"failed": 1, "passed": 120}, ParserConfidence: result.Parsed,
		Findings: []result.Finding{{Kind: result.TestFailure, Severity: result.SevFailure, Message: "a < b && c > d", Fingerprint: "0123456789ab"}},
	}
	if exit == 0 {
		tr.Status, tr.Counts, tr.Findings = result.Passed, map[string]int{"passed": 121}, []result.Finding{}
	}
	r := &Record{
		Argv: []string{"pytest", "-q"}, Dir: ".", Key: "aabbccddeeff", Exit: &exit, DurationMS: 12,
		Raw: &Raw{OID: "sha256:" + strings.Repeat("ab", 32), Size: 10, Lines: 1},
	}
	if err := r.SetResult(tr); err != nil {
		panic(err)
	}
	return r
}

// add appends a capture and moves the clock on.
func (f *fixture) add(exit int) *Record {
	f.t.Helper()
	r := capture(exit)
	if err := f.Append(context.Background(), r); err != nil {
		f.t.Fatal(err)
	}
	f.clock.add(2 * time.Second)
	return r
}

func (f *fixture) fold(o FoldOptions) Report {
	f.t.Helper()
	r, err := f.Fold(context.Background(), o)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// ids are the ids that a query gives.
func (f *fixture) ids(q Query) []string {
	f.t.Helper()
	var out []string
	for r, err := range f.Records(context.Background(), q) {
		if err != nil {
			f.t.Fatal(err)
		}
		out = append(out, r.ID)
	}
	return out
}

func (f *fixture) write(slash, content string) {
	f.t.Helper()
	path := f.path(slash)
	if err := durable.MkdirAll(parentOf(path)); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

func parentOf(path string) string { return path[:strings.LastIndexAny(path, `/\`)] }

// own is the path of the first shard of this clone today.
func (f *fixture) own(n int) string {
	f.t.Helper()
	w, err := f.readWriter()
	if err != nil || w == "" {
		f.t.Fatal("no writer", err)
	}
	return shardPath(dayOf(noon), w, n)
}

func (f *fixture) read(slash string) string {
	f.t.Helper()
	b, err := os.ReadFile(f.path(slash))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(b)
}

func idsOf(recs ...*Record) []string {
	var out []string
	for _, r := range recs {
		out = append(out, r.ID)
	}
	return out
}

func wantIDs(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("ids\n got %v\nwant %v", got, want)
	}
}

// line makes a line with a chosen id and time.
func makeLine(t testing.TB, at time.Time, change func(*Record)) string {
	t.Helper()
	r := capture(0)
	id, err := NewID(at)
	if err != nil {
		t.Fatal(err)
	}
	r.V, r.ID, r.Time = Version, id, at
	if change != nil {
		change(r)
	}
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b) {
		t.Fatal(errors.New("not JSON"))
	}
	return string(b)
}
