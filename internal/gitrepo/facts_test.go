package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDirty(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  bool
	}{
		{"clean", func(t *testing.T, dir string) {}, false},
		{"untracked", func(t *testing.T, dir string) { write(t, dir+"/new", "x") }, false},
		{"touched, content as before", func(t *testing.T, dir string) {
			later := time.Now().Add(time.Hour)
			os.Chtimes(dir+"/code.txt", later, later)
		}, false},
		{"changed", func(t *testing.T, dir string) { write(t, dir+"/code.txt", "other\n") }, true},
		{"staged", func(t *testing.T, dir string) { write(t, dir+"/new", "x"); sh(t, dir, "add", "new") }, true},
		{"staged, then put back", func(t *testing.T, dir string) {
			write(t, dir+"/code.txt", "other\n")
			sh(t, dir, "add", ".")
			write(t, dir+"/code.txt", "one\n")
		}, true},
		{"deleted", func(t *testing.T, dir string) { os.Remove(dir + "/sub/more.txt") }, true},
		{"mode changed", func(t *testing.T, dir string) { os.Chmod(dir+"/code.txt", 0o755) }, true},
		{"sparse checkout", func(t *testing.T, dir string) { sh(t, dir, "sparse-checkout", "set", "other") }, false},
		{"a diff program of the user", func(t *testing.T, dir string) {
			t.Setenv("GIT_EXTERNAL_DIFF", "/bin/false")
			sh(t, dir, "config", "diff.external", "/bin/false")
			write(t, dir+"/code.txt", "other\n")
		}, true},
		{"diff.relative and diff.noprefix", func(t *testing.T, dir string) {
			sh(t, dir, "config", "diff.noprefix", "true")
			sh(t, dir, "config", "diff.relative", "true")
			write(t, dir+"/code.txt", "other\n")
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			c.setup(t, dir)
			before := snapshot(t, dir+"/.git", nil)
			got, err := discover(t, dir).Dirty(ctx)
			if _, serr := os.Stat(dir + "/sub"); serr == nil {
				if below, berr := discover(t, dir+"/sub").Dirty(ctx); below != got || berr != nil {
					t.Errorf("from a directory below: %v, %v", below, berr)
				}
			}
			if got != c.want || err != nil {
				t.Errorf("Dirty = %v, %v", got, err)
			}
			if after := snapshot(t, dir+"/.git", nil); after != before {
				t.Errorf("git directory changed: %s", firstDifference(before, after))
			}
		})
	}
	t.Run("unborn", func(t *testing.T) {
		for _, format := range []string{"sha1", "sha256"} {
			isolate(t)
			dir := realTemp(t)
			sh(t, dir, "init", "-q", "--object-format="+format)
			if got, err := discover(t, dir).Dirty(ctx); got || err != nil {
				t.Errorf("%s, empty: %v, %v", format, got, err)
			}
			write(t, dir+"/a", "x")
			sh(t, dir, "add", "a")
			if got, err := discover(t, dir).Dirty(ctx); !got || err != nil {
				t.Errorf("%s, staged: %v, %v", format, got, err)
			}
		}
	})
	t.Run("an error is not an answer", func(t *testing.T) {
		dir := newRepo(t)
		r := discover(t, dir)
		write(t, dir+"/.git/index", "rubbish, longer than a header of an index file")
		if _, err := r.Dirty(ctx); err == nil {
			t.Error("no error")
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		r := discover(t, newRepo(t))
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if got, err := r.Dirty(ctx); got || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func TestChangedSince(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	for _, name := range []string{"same", "edited", "committed", "reverted", "gone", "[abc]*", "ütf", "-q", "old-name", "a\nb", "\"c"} {
		write(t, filepath.Join(dir, name), "old "+name)
	}
	os.Symlink("same", dir+"/link")
	os.Symlink("same", dir+"/moved-link")
	write(t, dir+"/.gitattributes", "filtered filter=upper\n")
	sh(t, dir, "config", "filter.upper.clean", "tr a-z A-Z")
	write(t, dir+"/filtered", "filtered by the user's program")
	sh(t, dir, "add", "-A")
	sh(t, dir, "commit", "-q", "-m", "base")
	base := sh(t, dir, "rev-parse", "HEAD")
	write(t, dir+"/committed", "new")
	write(t, dir+"/reverted", "new")
	sh(t, dir, "mv", "old-name", "new-name")
	sh(t, dir, "commit", "-q", "-a", "-m", "later")
	write(t, dir+"/reverted", "old reverted")
	write(t, dir+"/edited", "new")
	write(t, dir+"/ütf", "new")
	write(t, dir+"/-q", "new")
	write(t, dir+"/untracked", "new")
	os.Remove(dir + "/gone")
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"same", "reverted", "committed", "a\nb", "\"c", "filtered"} {
		os.Chtimes(filepath.Join(dir, name), later, later)
	}
	os.Remove(dir + "/link")
	os.Symlink("same", dir+"/link") // again, so it looks changed
	os.Remove(dir + "/moved-link")
	os.Symlink("other", dir+"/moved-link")
	index := readAll(t, dir+"/.git/index")

	for _, from := range []string{"", "sub"} {
		r := discover(t, filepath.Join(dir, from))
		asked := []string{"same", "gone", dir + "/edited", "./committed", "reverted", "[abc]*", "ütf", "-q", "old-name", "new-name", "untracked", "never", "a\nb", "\"c", "link", "moved-link", "filtered", "../outside", "/etc/passwd", ".", "", "sub/more.txt", "committed"}
		want := []string{"gone", dir + "/edited", "./committed", "ütf", "-q", "old-name", "new-name", "moved-link", "committed"}
		got, err := r.ChangedSince(ctx, base, asked)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("from %q: %q, %v", from, got, err)
		}
	}
	if readAll(t, dir+"/.git/index") != index {
		t.Error("the index was written")
	}
	r := discover(t, dir)
	t.Run("many paths", func(t *testing.T) {
		var many []string
		for i := range 3000 {
			many = append(many, fmt.Sprintf("a/rather/long/directory/name/that/does/not/exist/%d", i))
		}
		got, err := r.ChangedSince(ctx, base, append(many, "edited"))
		if err != nil || !slices.Equal(got, []string{"edited"}) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("nothing git knows", func(t *testing.T) {
		if got, err := r.ChangedSince(ctx, base, []string{"../x", "/y"}); got != nil || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
	for _, commit := range []string{strings.Repeat("12", 20), "HEAD", "--output=/tmp/x", ""} {
		t.Run("commit "+commit, func(t *testing.T) {
			if _, err := r.ChangedSince(ctx, commit, []string{"edited"}); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestConfig(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	sh(t, dir, "config", "cairn.branch", "records")
	sh(t, dir, "config", "--add", "cairn.branch", "captures")
	sh(t, dir, "config", "remote.MyFork.url", "x\ny")
	write(t, dir+"/.git/config", readAll(t, dir+"/.git/config")+"[cairn]\n\tempty =\n\tflag\n")
	r := discover(t, dir)
	for key, want := range map[string]string{
		"cairn.branch": "captures", "Cairn.Branch": "captures", "remote.MyFork.url": "x\ny", "remote.myfork.url": "",
		"cairn.empty": "", "cairn.flag": "true", "cairn.none": "", "user.name": "Ada Lovelace", "nothing": "",
	} {
		if got, err := r.Config(ctx, key); got != want || err != nil {
			t.Errorf("%s = %q, %v", key, got, err)
		}
	}
}

func readAll(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFilesChanged(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	r := discover(t, dir)
	b := branch(t, r)
	commitLine(t, b, "m/same", "1")
	commitLine(t, b, "m/gone", "1")
	from := commitLine(t, b, "m/edited", "1")
	commitLine(t, b, "m/edited", "2")
	commitLine(t, b, "m/new-name", "1")
	to, err := b.Commit(ctx, []Change{{"m/gone", func([]byte) []byte { return nil }}}, "s", "", when)
	if err != nil {
		t.Fatal(err)
	}
	blob := func(path string) string { return sh(t, dir, "rev-parse", to+":"+path) }
	got, err := r.FilesChanged(ctx, from, to)
	want := []File{{"m/edited", blob("m/edited"), -1}, {"m/gone", "", -1}, {"m/new-name", blob("m/new-name"), -1}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got, err := r.FilesChanged(ctx, to, to); len(got) != 0 || err != nil {
		t.Errorf("same commit: %v, %v", got, err)
	}
	if got, err := r.FilesChanged(ctx, "", to); len(got) != 3 || err != nil || got[0].Size != 4 {
		t.Errorf("from nothing: %v, %v", got, err)
	}
	gone := strings.Repeat("12", 20)
	for _, pair := range [][2]string{{gone, to}, {to, gone}, {"", gone}} {
		if _, err := r.FilesChanged(ctx, pair[0], pair[1]); !errors.Is(err, ErrMissing) {
			t.Errorf("%v: %v", pair, err)
		}
	}
	for _, pair := range [][2]string{{"--no-index", to}, {to, "HEAD"}} {
		if _, err := r.FilesChanged(ctx, pair[0], pair[1]); err == nil {
			t.Errorf("%v: no error", pair)
		}
	}
}

func TestReadBlobs(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	r := discover(t, dir)
	var oids []string
	for i := range 10 {
		write(t, dir+"/f", strings.Repeat(fmt.Sprint(i*300, " "), i*300))
		oids = append(oids, sh(t, dir, "hash-object", "-w", "f"))
	}
	all := slices.Repeat(oids, 400) // questions and answers are more than two pipes hold
	n := 0
	err := r.ReadBlobs(ctx, all, func(oid string, data []byte) error {
		i := (n % len(oids)) * 300
		if oid != all[n] || string(data) != strings.Repeat(fmt.Sprint(i, " "), i) {
			t.Fatalf("answer %d is %s with %d bytes", n, oid, len(data))
		}
		n++
		return nil
	})
	if err != nil || n != len(all) {
		t.Errorf("%d of %d, %v", n, len(all), err)
	}
	t.Run("none", func(t *testing.T) {
		if err := r.ReadBlobs(ctx, nil, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("missing ones are named at the end", func(t *testing.T) {
		gone, n := strings.Repeat("12", 20), 0
		err := r.ReadBlobs(ctx, []string{oids[1], gone, oids[2]}, func(string, []byte) error { n++; return nil })
		if n != 2 || !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), gone) {
			t.Errorf("%d read, %v", n, err)
		}
	})
	t.Run("stopped by the reader", func(t *testing.T) {
		stop := errors.New("enough")
		if err := r.ReadBlobs(ctx, all, func(string, []byte) error { return stop }); err != stop {
			t.Error(err)
		}
	})
	t.Run("not a blob", func(t *testing.T) {
		if err := r.ReadBlobs(ctx, []string{r.Commit}, func(string, []byte) error { return nil }); err == nil {
			t.Error("no error")
		}
	})
	t.Run("not an id", func(t *testing.T) {
		if err := r.ReadBlobs(ctx, []string{"HEAD:code.txt"}, func(string, []byte) error { return nil }); err == nil {
			t.Error("no error")
		}
	})
	t.Run("cancelled in the middle", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		err := r.ReadBlobs(ctx, all, func(string, []byte) error { cancel(); return nil })
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// age makes what was done so far lie clearly before a time, and gives that time.
func age() time.Time {
	time.Sleep(3 * clockSlack / 2)
	return time.Now()
}

func TestDirtyAt(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after func(t *testing.T, dir string)
		dirty, known  bool
	}{
		{name: "clean", known: true},
		{name: "changed before", before: modify("code.txt", "x"), dirty: true, known: true},
		{name: "touched before", before: touch("code.txt"), known: true},
		{name: "staged before", before: func(t *testing.T, d string) { modify("new.txt", "x")(t, d); sh(t, d, "add", ".") }, dirty: true, known: true},
		{name: "deleted before", before: remove("sub/more.txt"), dirty: true, known: true},
		{name: "untracked before", before: modify("new.txt", "x"), known: true},
		{name: "changed by the command", after: modify("code.txt", "x")},
		{name: "deleted by the command", after: remove("sub/more.txt")},
		{name: "written by the command as it was", after: modify("code.txt", "one\n")},
		{name: "put back by the command", before: modify("code.txt", "x"), after: modify("code.txt", "one\n")},
		{name: "put back with an old time", before: modify("code.txt", "x"), after: func(t *testing.T, d string) {
			modify("code.txt", "one\n")(t, d)
			os.Chtimes(filepath.Join(d, "code.txt"), when.Add(time.Hour), when.Add(time.Hour))
		}},
		{name: "one before, one by the command", before: modify("code.txt", "x"), after: modify("sub/more.txt", "y"), dirty: true, known: true},
		{name: "committed by the command", before: modify("code.txt", "x"), after: func(t *testing.T, d string) { sh(t, d, "commit", "-qam", "x") }},
		{name: "stashed by the command", before: modify("code.txt", "x"), after: func(t *testing.T, d string) { sh(t, d, "stash", "-q") }},
		{name: "folder deleted before", before: func(t *testing.T, d string) { rename(t, d, "sub", ".git/aside") }, dirty: true, known: true},
		{name: "new files of the command", after: modify("new.txt", "x"), known: true},
		{name: "an old folder moved there by the command", before: modify("other/more.txt", "old"), after: func(t *testing.T, d string) {
			rename(t, d, "sub", "aside")
			rename(t, d, "other", "sub")
		}},
		{name: "a link to an old folder made by the command", before: modify("other/more.txt", "old"), after: func(t *testing.T, d string) {
			rename(t, d, "sub", "aside")
			if err := os.Symlink("other", filepath.Join(d, "sub")); err != nil {
				t.Skip(err)
			}
		}},
		{name: "changed before, new files of the command beside it", before: modify("code.txt", "x"), after: modify("new.txt", "x"), dirty: true, known: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newRepo(t)
			for _, name := range []string{"code.txt", "sub/more.txt"} { // git tells times of one second apart
				os.Chtimes(filepath.Join(dir, name), when, when)
			}
			sh(t, dir, "update-index", "--refresh")
			if tt.before != nil {
				tt.before(t, dir)
			}
			start := age()
			r := discover(t, dir)
			if tt.after != nil {
				tt.after(t, dir)
			}
			dirty, known, err := r.DirtyAt(t.Context(), start)
			if dirty != tt.dirty || known != tt.known || err != nil {
				t.Errorf("dirty %v, known %v, %v; want %v, %v", dirty, known, err, tt.dirty, tt.known)
			}
		})
	}
}

func modify(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), text) }
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func touch(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		now := time.Now()
		if err := os.Chtimes(filepath.Join(dir, name), now, now); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
