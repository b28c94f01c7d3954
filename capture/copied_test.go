//go:build unix

package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// no one is a helper that never comes to anything.
func nobody(*place.Site, *os.File) error { return nil }

// brief prints on both streams and fails; so short that a journal holds all of it.
const brief = `printf out1; printf err1 >&2; exit 3`

// unsettled are the journals that wait to be settled.
func unsettled(t testing.TB, s *place.Site) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(s.Dir, "settling", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// copied captures brief, and leaves it to a helper that does not come.
func copied(t testing.TB, dir string) *place.Site {
	t.Helper()
	o := shell(dir, brief)
	o.Later = nobody
	out := Run(t.Context(), o)
	if notes := out.CatchUp(t.Context()); out.Trouble != nil || len(notes) > 0 || out.Status != 3 {
		t.Fatal(out.Trouble, notes, out.Status)
	}
	return site(t, dir)
}

// checkBrief checks that there is one record of brief, and all of its bytes.
func checkBrief(t *testing.T, dir string) {
	t.Helper()
	s := site(t, dir)
	all := records(t, s)
	if len(all) != 1 {
		t.Fatalf("%d records, want 1: %s", len(all), mustJSON(all))
	}
	stdout, stderr, _ := kept(t, s, all[0])
	r, err := all[0].Result()
	if err != nil || r == nil || r.Status != result.Failed || *all[0].Exit != 3 || all[0].Partial || stdout != "out1" || stderr != "err1" {
		t.Errorf("stdout %q, stderr %q, %v: %s", stdout, stderr, err, mustJSON(all[0]))
	}
}

func checkSettled(t *testing.T, dir string) {
	t.Helper()
	s := site(t, dir)
	clean(t, s)
	if left := unsettled(t, s); len(left) > 0 {
		t.Errorf("not settled: %q", left)
	}
	if rep, err := s.Objects.Fsck(t.Context(), nil); err != nil || !rep.OK() {
		t.Errorf("objects: %v %+v", err, rep)
	}
}

// A short output costs one wait for the disk; every reader sees the capture at once, and
// the next question settles it.
func TestCopied(t *testing.T) {
	dir := repository(t)
	syncs := 0
	o := shell(dir, brief)
	o.Later = nobody
	o.hurt = func(b *backend) {
		was := b.sync
		b.sync = func(f *os.File) error { syncs++; return was(f) }
		b.append = func(context.Context, *manifest.Record) error { t.Error("appended with a sync"); return nil }
	}
	out := Run(t.Context(), o)
	if notes := out.CatchUp(t.Context()); out.Trouble != nil || len(notes) > 0 || syncs != 1 {
		t.Fatalf("%v, %q, %d syncs of the journal", out.Trouble, notes, syncs)
	}
	checkBrief(t, dir)
	s := site(t, dir)
	if len(unsettled(t, s)) != 1 || !newFinisher(s, newBackend(s)).Unsettled() {
		t.Errorf("waiting to be settled: %q", unsettled(t, s))
	}
	for range 2 {
		if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 0 {
			t.Errorf("notes: %q", notes)
		}
		checkBrief(t, dir)
		checkSettled(t, dir)
	}
	if n := onBranch(t, dir); n != 1 {
		t.Errorf("%d records are on the branch", n)
	}
}

// A process that folds at once, has no helper, or prints much, waits for the disk.
func TestNotCopied(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		set        func(dir string, o *Options)
	}{
		{"no helper", brief, func(_ string, o *Options) { o.Later = nil }},
		{"folded at once", brief, func(dir string, _ *Options) { git(t, dir, "config", "cairn.fold", "now") }},
		{"no output", "exit 3", func(string, *Options) {}},
		{"much output", "yes | head -c 20000; exit 3", func(string, *Options) {}},
		{"a long order", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.01; echo $i >&2; sleep 0.01; done; exit 3", func(string, *Options) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := repository(t)
			o := shell(dir, tt.line)
			o.Later = nobody
			tt.set(dir, &o)
			out := Run(t.Context(), o)
			out.CatchUp(t.Context())
			s := site(t, dir)
			if len(unsettled(t, s)) > 0 || out.Trouble != nil || len(records(t, s)) != 1 {
				t.Errorf("%q, %v", unsettled(t, s), out.Trouble)
			}
		})
	}
}

// Killed at any step, a capture is recorded once and whole by the next command.
func TestCopiedKilledAnywhere(t *testing.T) {
	t.Setenv("LATER", "nobody")
	steps := die(t, repository(t), "capture", "", "/bin/sh", "-c", brief)
	copy := -1 // where the journal holds all
	for i, step := range steps {
		if step == "sync#1:before" {
			copy = i - 1
		}
	}
	if copy < 0 || len(steps) < 16 {
		t.Fatalf("steps: %q", steps)
	}
	for _, step := range steps[copy:] {
		t.Run(step, func(t *testing.T) {
			dir := repository(t)
			die(t, dir, "capture", step, "/bin/sh", "-c", brief)
			for range 2 {
				caughtUp(t, dir)
			}
			checkBrief(t, dir)
			checkSettled(t, dir)
		})
	}
}

// caughtUp finishes what a killed capture left. A git that it was just starting may hold
// its lock for a moment longer than it lived.
func caughtUp(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s := site(t, dir)
		if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 0 {
			t.Errorf("notes: %q", notes)
		}
		if names, err := recovery.Names(s.Dir); err != nil || len(names)+len(unsettled(t, s)) == 0 || time.Now().After(deadline) {
			return
		}
	}
}

// Whatever a power cut takes of a capture that was acknowledged and not settled yet comes
// back: the object, the line, or both, and wherever the journal lies.
func TestCopiedOutlastsAPowerCut(t *testing.T) {
	type cut func(t *testing.T, path string)
	none := func(*testing.T, string) {}
	gone := func(t *testing.T, path string) { must(t, os.Remove(path)) }
	folder := func(t *testing.T, path string) { must(t, os.RemoveAll(filepath.Dir(path))) }
	empty := func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }
	torn := func(t *testing.T, path string) {
		st, err := os.Stat(path)
		must(t, err)
		must(t, os.Truncate(path, st.Size()-3))
	}
	zeros := func(t *testing.T, path string) {
		st, err := os.Stat(path)
		must(t, err)
		must(t, os.WriteFile(path, make([]byte, st.Size()), 0o600))
	}
	cuts := map[string]cut{"none": none, "gone": gone, "folder": folder, "empty": empty, "torn": torn, "zeros": zeros}
	for object, cutObject := range cuts {
		for shard, cutShard := range cuts {
			for _, running := range []bool{false, true} {
				if os.Getenv("CAIRN_TEST_THOROUGH") == "" && object != "none" && shard != "none" && object != shard {
					continue // CI tries them
				}
				t.Run(fmt.Sprintf("object %s, shard %s, running %v", object, shard, running), func(t *testing.T) {
					dir := repository(t)
					s := copied(t, dir)
					rec := records(t, s)[0]
					line, err := rec.Encode()
					must(t, err)
					hex := strings.TrimPrefix(rec.Raw.OID, "sha256:")
					shards, _ := filepath.Glob(filepath.Join(s.Dir, "manifest", "*", "*", "*", "*.jsonl"))
					cutObject(t, filepath.Join(s.Dir, "objects", hex[:2], hex[2:]))
					cutShard(t, shards[0])
					if running {
						from := unsettled(t, s)[0]
						must(t, os.Rename(from, filepath.Join(s.Dir, "running", filepath.Base(from))))
					}
					CatchUp(t.Context(), s, true, nil)
					checkBrief(t, dir)
					s = site(t, dir)
					if again, err := records(t, s)[0].Encode(); err != nil || string(again) != string(line) {
						t.Errorf("the line was %s and is %s", line, again)
					}
					if left := unsettled(t, s); len(left) > 0 {
						t.Errorf("not settled: %q", left)
					}
					clean(t, s)
				})
			}
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A copy that cannot be written or synced costs nothing: the capture is kept the other
// way. What fails behind it is reported, and the next command makes it good.
func TestCopiedFaults(t *testing.T) {
	full, broken := syscall.ENOSPC, syscall.EIO
	for _, tt := range []struct {
		name    string
		hurt    func(*backend)
		trouble error
	}{
		{"copy", writeFails(&nth{at: 4, err: full}), nil},
		{"copy and all behind it", writeFails(&nth{at: 4, err: full, forever: true}), nil},
		{"sync", func(b *backend) { b.sync = func(*os.File) error { return broken } }, nil},
		{"commit", func(b *backend) {
			was := b.receive
			b.receive = func(name string) (incoming, error) {
				in, err := was(name)
				return &brokenSpool{incoming: in, blocked: ".git/cairn/objects"}, err
			}
		}, syscall.ENOTDIR},
		{"line", func(b *backend) { b.add = func(context.Context, *manifest.Record) error { return full } }, full},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := repository(t)
			t.Chdir(dir)
			o := shell(dir, `printf out1; sleep 0.05; printf err1 >&2; exit 3`)
			o.Later, o.hurt = nobody, tt.hurt
			out := Run(t.Context(), o)
			if !errors.Is(out.Trouble, tt.trouble) || out.Status != 3 {
				t.Fatalf("trouble %v, want %v; status %d", out.Trouble, tt.trouble, out.Status)
			}
			if tt.trouble == nil {
				checkBrief(t, dir)
			}
			out.CatchUp(t.Context())
			CatchUp(t.Context(), site(t, dir), true, nil)
			checkBrief(t, dir)
			checkSettled(t, dir)
		})
	}
}

// A damaged copy is not believed. As long as nothing else is damaged, nothing is lost and
// nothing is said; if a power cut has taken the rest, it is reported once, what is known is
// recorded, and the journal is set aside.
func TestCopyDamaged(t *testing.T) {
	output := regexp.MustCompile(`"output":"[^"]*"`)
	for name, spoil := range map[string]func(journal string) string{
		"of other bytes": func(j string) string { return output.ReplaceAllString(j, `"output":"AAAA"`) },
		"no base64":      func(j string) string { return output.ReplaceAllString(j, `"output":"%%%%"`) },
		"no record":      func(j string) string { return strings.Replace(j, `{"record":{`, `{"record":{{`, 1) },
		"of another id": func(j string) string {
			i := strings.Index(j, `{"record":`)
			return j[:i] + strings.Replace(j[i:], `"id":"01`, `"id":"00`, 1)
		},
		"torn": func(j string) string { return j[:len(j)-9] },
		"gone": func(j string) string { return j[:strings.Index(j, "\n")+1] },
	} {
		for _, cut := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, power cut %v", name, cut), func(t *testing.T) {
				dir := repository(t)
				s := copied(t, dir)
				journal := unsettled(t, s)[0]
				text, err := os.ReadFile(journal)
				must(t, err)
				must(t, os.WriteFile(journal, []byte(spoil(string(text))), 0o600))
				if cut {
					must(t, os.RemoveAll(filepath.Join(s.Dir, "manifest")))
					must(t, os.RemoveAll(filepath.Join(s.Dir, "objects")))
				}
				notes := CatchUp(t.Context(), s, true, nil)
				again := CatchUp(t.Context(), s, true, nil)
				if left := unsettled(t, s); len(left) > 0 || len(again) > 0 {
					t.Errorf("left %q, said again %q", left, again)
				}
				if !cut {
					if len(notes) > 0 {
						t.Errorf("said: %q", notes)
					}
					checkBrief(t, dir)
					checkSettled(t, dir)
					return
				}
				if len(notes) == 0 || !strings.Contains(notes[0], "is damaged") || !strings.Contains(notes[0], "set-aside") {
					t.Errorf("said: %q", notes)
				}
				aside, err := os.ReadFile(filepath.Join(s.Dir, "set-aside", filepath.Base(journal)))
				if err != nil || string(aside) != spoil(string(text)) {
					t.Errorf("set aside: %v, %q", err, aside)
				}
				all := records(t, s)
				if len(all) != 1 || all[0].Raw != nil || all[0].Exit != nil || !all[0].Partial {
					t.Errorf("recorded: %s", mustJSON(all))
				}
			})
		}
	}
}

// Where the first line of a journal is damaged its copy is enough.
func TestCopyIsEnough(t *testing.T) {
	dir := repository(t)
	s := copied(t, dir)
	journal := unsettled(t, s)[0]
	text, err := os.ReadFile(journal)
	must(t, err)
	must(t, os.WriteFile(journal, append([]byte("x"), text...), 0o600))
	must(t, os.RemoveAll(filepath.Join(s.Dir, "manifest")))
	must(t, os.RemoveAll(filepath.Join(s.Dir, "objects")))
	if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	checkBrief(t, dir)
	checkSettled(t, dir)
}

// The copy of a newer cairn is settled, and its line stays as it is: neither changed nor
// there twice.
func TestCopyOfNewer(t *testing.T) {
	newer := func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(`{"v":3,`), []byte(`{"v":99,"unheard":"of",`))
	}
	for _, cut := range []bool{false, true} {
		t.Run(fmt.Sprintf("power cut %v", cut), func(t *testing.T) {
			dir := repository(t)
			s := copied(t, dir)
			shards, err := filepath.Glob(filepath.Join(s.Dir, "manifest", "*", "*", "*", "*.jsonl"))
			must(t, err)
			var line []byte
			for _, path := range []string{shards[0], unsettled(t, s)[0]} {
				text, err := os.ReadFile(path)
				must(t, err)
				if text = newer(text); line == nil {
					line = text
				}
				must(t, os.WriteFile(path, text, 0o600))
			}
			oid := regexp.MustCompile("sha256:[0-9a-f]{64}").FindString(string(line))
			if cut {
				must(t, os.RemoveAll(filepath.Join(s.Dir, "manifest")))
				must(t, os.RemoveAll(filepath.Join(s.Dir, "objects")))
			}
			s = site(t, dir)
			if notes := CatchUp(t.Context(), s, true, nil); len(notes) > 0 || len(unsettled(t, s)) > 0 {
				t.Errorf("notes %q, left %q", notes, unsettled(t, s))
			}
			var found []byte
			for _, err := range s.Manifest.Records(t.Context(), manifest.Query{Passed: func(l []byte) { found = append(append(found, l...), '\n') }}) {
				must(t, err)
			}
			if !bytes.Equal(found, line) {
				t.Errorf("the line was %s and is %s", line, found)
			}
			id, err := objects.ParseID(oid)
			must(t, err)
			if b, err := s.Objects.ReadAll(id); err != nil || !strings.Contains(string(b), "out1") {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
}

// What another process is settling, or just making, is not to be waited for.
func TestUnsettledOfOthers(t *testing.T) {
	dir := repository(t)
	s := copied(t, dir)
	f := newFinisher(s, newBackend(s))
	held, err := os.Open(unsettled(t, s)[0])
	must(t, err)
	unlock, taken, err := lockfile.Try(held)
	if err != nil || !taken {
		t.Fatal(taken, err)
	}
	if f.Unsettled() {
		t.Error("what another process settles counts")
	}
	unlock()
	held.Close()
	if !f.Unsettled() {
		t.Error("what nobody settles does not count")
	}
	must(t, os.Truncate(unsettled(t, s)[0], 0))
	if f.Unsettled() {
		t.Error("a journal without a line counts")
	}
}

// Many captures at once, and many who settle them.
func TestSettledByMany(t *testing.T) {
	dir := repository(t)
	const captures = 12
	done := make(chan error)
	for i := range captures {
		go func() {
			o := shell(dir, fmt.Sprintf("echo %d; exit 1", i%5))
			o.Later = nobody
			out := Run(context.Background(), o)
			out.CatchUp(context.Background())
			done <- out.Trouble
		}()
		go func() {
			s, err := place.Open(context.Background(), dir, place.FromEnviron(os.Environ()), nil)
			if err == nil {
				err = newFinisher(s, newBackend(s)).Settle(context.Background())
			}
			done <- err
		}()
	}
	for range 2 * captures {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	s := site(t, dir)
	CatchUp(t.Context(), s, true, nil)
	if n := len(records(t, s)); n != captures || onBranch(t, dir) != captures {
		t.Errorf("%d records, %d on the branch", n, onBranch(t, dir))
	}
	checkSettled(t, dir)
}

// A journal that holds no copy and lies where copies lie is finished as one that was cut
// short.
func TestSettlingWithoutACopy(t *testing.T) {
	dir := repository(t)
	die(t, dir, "capture", "commit#1:before", "/bin/sh", "-c", brief)
	s := site(t, dir)
	names, err := recovery.Names(s.Dir)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	must(t, os.MkdirAll(filepath.Join(s.Dir, "settling"), 0o700))
	for _, name := range []string{names[0], names[0] + ".spool"} {
		must(t, os.Rename(filepath.Join(s.Dir, "running", name), filepath.Join(s.Dir, "settling", name)))
	}
	caughtUp(t, dir)
	checkBrief(t, dir)
	checkSettled(t, dir)
}
