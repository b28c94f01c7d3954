package gitrepo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/racing"
)

// oracle is the tree that `git write-tree` names after `git add -A` in a scratch index, with
// objects of its own. ok is false where git refuses to add everything.
func oracle(t *testing.T, dir string) (id string, ok bool) {
	t.Helper()
	scratch := t.TempDir()
	index := filepath.Join(scratch, "index")
	gitDir := sh(t, dir, "rev-parse", "--absolute-git-dir")
	if err := copyIndex(index, filepath.Join(gitDir, "index")); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(scratch, "objects"), 0o755)
	t.Setenv("GIT_INDEX_FILE", index)
	t.Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", sh(t, dir, "rev-parse", "--path-format=absolute", "--git-path", "objects"))
	t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(scratch, "objects"))
	defer func() {
		for _, name := range []string{"GIT_INDEX_FILE", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY"} {
			os.Unsetenv(name)
		}
	}()
	if out, err := tryGit(dir, "add", "-A"); err != nil && !strings.Contains(out, "sparse-checkout definition") {
		return "", false
	}
	return sh(t, dir, "write-tree"), true
}

// settle waits until what was written is older than the next Moment.
func settle() { time.Sleep(12 * time.Millisecond) }

// asked is the working tree as a reader tells it, and as the next one does who has its
// snapshot.
func asked(t *testing.T, dir, kept string) (tree Worktree, known bool) {
	t.Helper()
	settle()
	r := discover(t, dir)
	w := r.WorktreeAt(Now(), kept)
	quick, known := w.Known(context.Background())
	tree, err := w.Read(context.Background())
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	if known && quick != tree {
		t.Errorf("from the snapshot %+v, from git %+v", quick, tree)
	}
	return tree, known
}

func checkTree(t *testing.T, dir, kept string) (known bool) {
	t.Helper()
	want, ok := oracle(t, dir)
	if !ok {
		return false
	}
	got, known := asked(t, dir, kept)
	if got.ID != want {
		t.Errorf("tree %s, git says %s\n%s", got.ID, want, sh(t, dir, "--no-optional-locks", "status", "--porcelain=v2", "--ignored"))
	}
	status := sh(t, dir, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no")
	if got.Dirty != (status != "") {
		t.Errorf("dirty %v, git says %q", got.Dirty, status)
	}
	return known
}

// TestWorktreeStates makes states by random steps, each with its seed, and holds the id
// against git's own.
func TestWorktreeStates(t *testing.T) {
	states := 200
	switch {
	case racing.Enabled:
		states = 48
	case testing.Short():
		states = 20
	}
	const chain = 8 // states of one repository
	known := 0
	for seed := range states / chain {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			dir, kept := newRepo(t), t.TempDir()
			for range chain {
				var did []string
				for range 1 + rnd.IntN(3) {
					step := steps[rnd.IntN(len(steps))]
					step.do(t, dir, rnd)
					did = append(did, step.name)
				}
				before := users(t, dir)
				if checkTree(t, dir, kept) {
					known++
				}
				if after := users(t, dir); before != after {
					t.Errorf("after %v: the user's index, refs or objects changed:\n%s\n%s", did, before, after)
				}
				if t.Failed() {
					t.Fatalf("after %v", did)
				}
			}
		})
	}
	if known == 0 && !testing.Short() {
		t.Error("no state was known without git")
	}
}

// users is what a reader must never touch.
func users(t *testing.T, dir string) string {
	index, _ := os.ReadFile(filepath.Join(sh(t, dir, "rev-parse", "--absolute-git-dir"), "index"))
	refs, _ := tryGit(dir, "for-each-ref")
	return fmt.Sprintf("%x %s %s", sha256.Sum256(index), refs, sh(t, dir, "count-objects", "-v"))
}

// put writes a file where the state allows it.
func put(path, text string) {
	if os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		os.WriteFile(path, []byte(text), 0o644)
	}
}

// steps change a working tree in a way of their own.
var steps = []struct {
	name string
	do   func(t *testing.T, dir string, rnd *rand.Rand)
}{
	{"edit", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, "code.txt"), fmt.Sprint("edit ", rnd.IntN(5), "\n"))
	}},
	{"edit below", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, "sub", "more.txt"), fmt.Sprint("more ", rnd.IntN(5), "\n"))
	}},
	{"edit back", func(t *testing.T, dir string, _ *rand.Rand) { put(filepath.Join(dir, "code.txt"), "one\n") }},
	{"new", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, fmt.Sprint("dir", rnd.IntN(3)), fmt.Sprint("new ", rnd.IntN(4))), fmt.Sprint(rnd.IntN(9)))
	}},
	{"remove", func(t *testing.T, dir string, rnd *rand.Rand) {
		os.RemoveAll(filepath.Join(dir, fmt.Sprint("dir", rnd.IntN(3))))
	}},
	{"remove tracked", func(t *testing.T, dir string, _ *rand.Rand) { os.Remove(filepath.Join(dir, "sub", "more.txt")) }},
	{"stage", func(t *testing.T, dir string, _ *rand.Rand) { tryGit(dir, "add", "-A") }},
	{"commit", func(t *testing.T, dir string, _ *rand.Rand) { tryGit(dir, "commit", "-qam", "more") }},
	{"reset", func(t *testing.T, dir string, _ *rand.Rand) { tryGit(dir, "reset", "-q") }},
	{"rename", func(t *testing.T, dir string, rnd *rand.Rand) {
		tryGit(dir, "mv", "code.txt", fmt.Sprint("code", rnd.IntN(3), ".txt"))
	}},
	{"mode", func(t *testing.T, dir string, rnd *rand.Rand) {
		os.Chmod(filepath.Join(dir, "code.txt"), []os.FileMode{0o644, 0o755}[rnd.IntN(2)])
	}},
	{"link", func(t *testing.T, dir string, rnd *rand.Rand) {
		os.Remove(filepath.Join(dir, "link"))
		os.Symlink(fmt.Sprint("target", rnd.IntN(3)), filepath.Join(dir, "link"))
	}},
	{"file to folder", func(t *testing.T, dir string, _ *rand.Rand) {
		os.RemoveAll(filepath.Join(dir, "sub", "more.txt"))
		put(filepath.Join(dir, "sub", "more.txt", "inside"), "in\n")
	}},
	{"folder to link", func(t *testing.T, dir string, _ *rand.Rand) {
		os.RemoveAll(filepath.Join(dir, "sub"))
		os.Symlink("dir1", filepath.Join(dir, "sub"))
	}},
	{"folder back", func(t *testing.T, dir string, _ *rand.Rand) {
		os.RemoveAll(filepath.Join(dir, "sub"))
		tryGit(dir, "checkout", "-q", "--", "sub")
	}},
	{"ignore", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, ".gitignore"), []string{"*.o\n", "dir1/\n", "/dir2/new*\n!new 1\n", ""}[rnd.IntN(4)])
	}},
	{"ignored", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, "build", fmt.Sprint(rnd.IntN(9), ".o")), "object")
	}},
	{"exclude", func(t *testing.T, dir string, rnd *rand.Rand) {
		path := sh(t, dir, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude")
		put(path, []string{"", "dir0\n"}[rnd.IntN(2)])
	}},
	{"ignored but tracked", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, "kept.o"), fmt.Sprint(rnd.IntN(9)))
		tryGit(dir, "add", "-f", "kept.o")
	}},
	{"intent to add", func(t *testing.T, dir string, _ *rand.Rand) {
		put(filepath.Join(dir, "later.txt"), "later\n")
		tryGit(dir, "add", "-N", "later.txt")
	}},
	{"CRLF", func(t *testing.T, dir string, rnd *rand.Rand) {
		put(filepath.Join(dir, ".gitattributes"), []string{"*.txt text\n", "*.txt eol=crlf\n", "*.txt -text\n", ""}[rnd.IntN(4)])
		put(filepath.Join(dir, "dos.txt"), "a\r\nb\r\n")
	}},
	{"autocrlf", func(t *testing.T, dir string, rnd *rand.Rand) {
		sh(t, dir, "config", "core.autocrlf", []string{"true", "input", "false"}[rnd.IntN(3)])
		put(filepath.Join(dir, "dos2.txt"), "a\r\nb\r\n")
	}},
	{"filter", func(t *testing.T, dir string, rnd *rand.Rand) { // as LFS: what is added is a pointer
		sh(t, dir, "config", "filter.pointer.clean", "git hash-object --stdin")
		put(filepath.Join(dir, ".gitattributes"), "*.bin filter=pointer\n")
		put(filepath.Join(dir, "big.bin"), fmt.Sprint("big", rnd.IntN(4)))
	}},
	{"conflict", func(t *testing.T, dir string, rnd *rand.Rand) {
		tryGit(dir, "add", "-A")
		tryGit(dir, "commit", "-qm", "all")
		tryGit(dir, "checkout", "-q", "-b", fmt.Sprint("other", rnd.Uint64()))
		put(filepath.Join(dir, "fight.txt"), fmt.Sprint("theirs", rnd.Uint64(), "\n"))
		tryGit(dir, "add", "fight.txt")
		tryGit(dir, "commit", "-qm", "theirs")
		tryGit(dir, "checkout", "-q", "-B", "mine", "HEAD~1")
		put(filepath.Join(dir, "fight.txt"), fmt.Sprint("ours", rnd.Uint64(), "\n"))
		tryGit(dir, "add", "fight.txt")
		tryGit(dir, "commit", "-qm", "ours")
		tryGit(dir, "merge", "-q", "@{-1}")
	}},
	{"submodule", func(t *testing.T, dir string, rnd *rand.Rand) {
		sub := filepath.Join(dir, "module")
		if _, err := os.Stat(sub); err != nil {
			tryGit(dir, "submodule", "add", "-q", dir, "module")
		}
		put(filepath.Join(sub, "inner.txt"), fmt.Sprint(rnd.IntN(4)))
		if rnd.IntN(2) == 0 {
			tryGit(sub, "add", "-A")
			tryGit(sub, "commit", "-qm", "inner")
		}
	}},
	{"nested repository", func(t *testing.T, dir string, _ *rand.Rand) {
		nested := filepath.Join(dir, "dir2", "nested")
		sh(t, "/", "init", "-q", nested)
		put(filepath.Join(nested, "n.txt"), "n")
		tryGit(nested, "add", "-A")
		tryGit(nested, "commit", "-qm", "nested")
	}},
	{"sparse", func(t *testing.T, dir string, rnd *rand.Rand) {
		if rnd.IntN(2) == 0 {
			tryGit(dir, "sparse-checkout", "set", "sub")
		} else {
			tryGit(dir, "sparse-checkout", "disable")
		}
	}},
	{"assume unchanged", func(t *testing.T, dir string, _ *rand.Rand) {
		tryGit(dir, "update-index", "--assume-unchanged", "sub/more.txt")
	}},
	{"index version 4", func(t *testing.T, dir string, _ *rand.Rand) { tryGit(dir, "update-index", "--index-version", "4") }},
	{"split index", func(t *testing.T, dir string, _ *rand.Rand) { tryGit(dir, "update-index", "--split-index") }},
}

// TestWorktreeSameEverywhere: the id is one of content, whatever the clone, and nothing but
// stat data is needed the second time.
func TestWorktreeSameEverywhere(t *testing.T) {
	dir := newRepo(t)
	clone := filepath.Join(realTemp(t), "clone")
	sh(t, "/", "clone", "-q", dir, clone)
	var ids []string
	for _, d := range []string{dir, clone} {
		write(t, filepath.Join(d, "code.txt"), "changed\n")
		write(t, filepath.Join(d, "added.txt"), "added\n")
		kept := t.TempDir()
		first, known := asked(t, d, kept)
		if known {
			t.Error("known before it was read")
		}
		second, known := asked(t, d, kept)
		if !known || first != second {
			t.Errorf("known %v: %+v, before %+v", known, second, first)
		}
		ids = append(ids, first.ID)
	}
	if ids[0] != ids[1] {
		t.Errorf("two clones with equal content: %v", ids)
	}
}

// TestWorktreeRenewed: an edit, also one that replaces the file, needs no git, and neither
// does an ignored file; a new file does.
func TestWorktreeRenewed(t *testing.T) {
	dir, kept := newRepo(t), t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), "*.log\n")
	write(t, filepath.Join(dir, "a.log"), "x")
	checkTree(t, dir, kept)
	for _, step := range []struct {
		name  string
		do    func()
		known bool
	}{
		{"edit", func() { write(t, filepath.Join(dir, "code.txt"), "edited\n") }, true},
		{"replace", func() {
			write(t, filepath.Join(dir, "tmp.log"), "replaced\n")
			os.Rename(filepath.Join(dir, "tmp.log"), filepath.Join(dir, "code.txt"))
		}, true},
		{"edit of an ignored file", func() { write(t, filepath.Join(dir, "a.log"), "y") }, true},
		{"mode", func() { os.Chmod(filepath.Join(dir, "code.txt"), 0o755) }, true},
		{"back to the commit", func() {
			write(t, filepath.Join(dir, "code.txt"), "one\n")
			os.Chmod(filepath.Join(dir, "code.txt"), 0o644)
		}, true},
		{"new", func() { write(t, filepath.Join(dir, "new.txt"), "new\n") }, false},
		{"edit of an untracked file", func() { write(t, filepath.Join(dir, "new.txt"), "newer\n") }, true},
		{"patterns that ignore themselves", func() { write(t, filepath.Join(dir, "sub", ".gitignore"), ".gitignore\n") }, false},
		{"edit of such patterns", func() { write(t, filepath.Join(dir, "sub", ".gitignore"), "*\n") }, false},
		{"edit of the patterns", func() { write(t, filepath.Join(dir, ".gitignore"), "*.log\nnew.txt\n") }, false},
	} {
		step.do()
		if known := checkTree(t, dir, kept); known != step.known {
			t.Errorf("%s: known without git is %v", step.name, known)
		}
	}
}

// TestWorktreeSameSize: a file that is written in the second of the index, with a content
// as long as that of the index, has changed. Git itself knows that by the time of the index.
func TestWorktreeSameSize(t *testing.T) {
	for i := range 5 {
		dir := newRepo(t)
		write(t, filepath.Join(dir, "new.txt"), "so that a scratch index is made\n")
		write(t, filepath.Join(dir, "code.txt"), fmt.Sprint(i, "ne\n"))
		checkTree(t, dir, t.TempDir())
	}
}

// TestScratchIsElsewhere: a program that walks .git while the tree is read finds nothing there that is about to go.
func TestScratchIsElsewhere(t *testing.T) {
	dir, kept, list := newRepo(t), t.TempDir(), filepath.Join(t.TempDir(), "list")
	sh(t, dir, "config", "filter.look.clean", "ls -R '"+kept+"' >> '"+list+"'; cat")
	write(t, filepath.Join(dir, ".gitattributes"), "*.txt filter=look\n")
	write(t, filepath.Join(dir, "new.txt"), "so that a scratch index is made\n")
	checkTree(t, dir, kept)
	if seen, err := os.ReadFile(list); err != nil || strings.Contains(string(seen), "scratch-") {
		t.Errorf("while the tree was read: %s, %v", seen, err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp")) // where it would be an untracked file itself
	os.Mkdir(filepath.Join(dir, "tmp"), 0o755)
	write(t, filepath.Join(dir, "newer.txt"), "once more\n")
	checkTree(t, dir, kept)
}

// TestOldScratch: what a killed reader left goes after an hour, wherever it lies, and is looked for once an hour.
func TestOldScratch(t *testing.T) {
	dir, kept, temp := newRepo(t), t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	leave := func(name string, age time.Duration) string {
		os.Mkdir(name, 0o700)
		os.Chtimes(name, time.Now().Add(-age), time.Now().Add(-age))
		return name
	}
	fresh := leave(filepath.Join(temp, scratchName+"1"), time.Minute)
	old := []string{leave(filepath.Join(temp, scratchName+"2"), 2*time.Hour), leave(filepath.Join(kept, "scratch-3"), 2*time.Hour)}
	write(t, filepath.Join(dir, "new.txt"), "so that a scratch index is made\n")
	checkTree(t, dir, kept)
	for _, name := range old {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	later := leave(filepath.Join(temp, scratchName+"4"), 2*time.Hour)
	write(t, filepath.Join(dir, "newer.txt"), "once more\n")
	checkTree(t, dir, kept)
	for _, name := range []string{fresh, later} {
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFullDisk: where the temporary folder is full, the tree is read all the same.
func TestFullDisk(t *testing.T) {
	dir, kept, small := newRepo(t), t.TempDir(), t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", small).Run() })
	write(t, filepath.Join(dir, "large.txt"), strings.Repeat("more than there is room for\n", 10_000))
	t.Setenv("TMPDIR", small)
	checkTree(t, dir, kept)
	if left, _ := os.ReadDir(small); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWorktreeMoved: what changed after the moment is never taken for what was there.
func TestWorktreeMoved(t *testing.T) {
	for name, change := range map[string]func(dir string){
		"edit":       func(dir string) { write(t, filepath.Join(dir, "code.txt"), "late\n") },
		"new":        func(dir string) { write(t, filepath.Join(dir, "late.txt"), "late\n") },
		"remove":     func(dir string) { os.Remove(filepath.Join(dir, "code.txt")) },
		"gone again": func(dir string) { write(t, filepath.Join(dir, "late"), ""); os.Remove(filepath.Join(dir, "late")) },
		"put back":   func(dir string) { write(t, filepath.Join(dir, "code.txt"), "one\n") },
		"stage":      func(dir string) { sh(t, dir, "rm", "-q", "--cached", "code.txt") },
		"with an old time": func(dir string) {
			write(t, filepath.Join(dir, "code.txt"), "late\n")
			os.Chtimes(filepath.Join(dir, "code.txt"), when, when)
		},
	} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " warm ", warm), func(t *testing.T) {
				dir, kept := newRepo(t), t.TempDir()
				if warm {
					asked(t, dir, kept)
				}
				settle()
				w := discover(t, dir).WorktreeAt(Now(), kept)
				change(dir)
				if tree, known := w.Known(context.Background()); known {
					t.Errorf("known as %+v", tree)
				}
				if tree, err := w.Read(context.Background()); !errors.Is(err, ErrMoved) {
					t.Errorf("read as %+v, %v", tree, err)
				}
			})
		}
	}
}

// What git ignores may come and go while the tree is read: that is no change of it.
func TestWorktreeIgnored(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string)
		moved  bool
	}{
		"a folder":           {func(dir string) { write(t, filepath.Join(dir, "pkg", "__pycache__", "a.pyc"), "x") }, false},
		"a file":             {func(dir string) { write(t, filepath.Join(dir, "pkg", "out.log"), "x") }, false},
		"one that goes":      {func(dir string) { os.Remove(filepath.Join(dir, "pkg", "old.log")) }, false},
		"one that goes away": {func(dir string) { os.RemoveAll(filepath.Join(dir, "pkg", "cache")) }, false},
		"a new file":         {func(dir string) { write(t, filepath.Join(dir, "pkg", "new"), "x") }, true},
		"a file that goes":   {func(dir string) { os.Remove(filepath.Join(dir, "pkg", "loose")) }, true},
		"a tracked one goes": {func(dir string) { os.Remove(filepath.Join(dir, "pkg", "kept.log")) }, true},
		"both": {func(dir string) {
			write(t, filepath.Join(dir, "pkg", "out.log"), "x")
			write(t, filepath.Join(dir, "new"), "x")
		}, true},
		"one of that name as a file": {func(dir string) { write(t, filepath.Join(dir, "pkg", "__pycache__"), "x") }, true},
	} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " warm ", warm), func(t *testing.T) {
				dir, kept := newRepo(t), t.TempDir()
				write(t, filepath.Join(dir, ".gitignore"), "__pycache__/\n*.log\ncache/\n")
				for _, file := range []string{"a.py", "loose", "old.log", "cache/x", "kept.log"} {
					write(t, filepath.Join(dir, "pkg", file), "x")
				}
				sh(t, dir, "add", ".gitignore", "pkg/a.py")
				sh(t, dir, "add", "-f", "pkg/kept.log")
				if warm {
					asked(t, dir, kept)
				}
				settle()
				w := discover(t, dir).WorktreeAt(Now(), kept)
				early := make(chan map[string]names, 1)
				early <- w.earlyNames()
				c.change(dir)
				tree, err := w.ask(context.Background(), early)
				if c.moved != errors.Is(err, ErrMoved) || !c.moved && err != nil {
					t.Fatalf("read as %+v, %v", tree, err)
				}
				if c.moved {
					return
				}
				settle()
				if now, known := discover(t, dir).WorktreeAt(Now(), kept).Known(context.Background()); !known || now.ID != tree.ID {
					t.Errorf("then %+v, %v; it was %s", now, known, tree.ID)
				}
			})
		}
	}
}

func TestWorktreeTooLarge(t *testing.T) {
	dir := newRepo(t)
	big := filepath.Join(dir, "big")
	write(t, big, "")
	if err := os.Truncate(big, maxChangedBytes+1); err != nil {
		t.Fatal(err)
	}
	settle()
	if tree, err := discover(t, dir).WorktreeAt(Now(), t.TempDir()).Read(context.Background()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%+v, %v", tree, err)
	}
}

// TestWorktreeUnborn: before the first commit, and in a repository of the other format.
func TestWorktreeUnborn(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		isolate(t)
		dir, kept := filepath.Join(realTemp(t), "repo"), t.TempDir()
		sh(t, "/", "init", "-q", "--object-format="+format, dir)
		checkTree(t, dir, kept)
		write(t, filepath.Join(dir, "a", "b.txt"), "b\n")
		write(t, filepath.Join(dir, "a-b"), "c\n")
		checkTree(t, dir, kept)
		if !checkTree(t, dir, kept) {
			t.Errorf("%s: asked git twice", format)
		}
	}
}

// TestSnapshotDamaged: a snapshot that was cut or changed anywhere is not used.
func TestSnapshotDamaged(t *testing.T) {
	s := &treeState{id: "id", base: "base", plain: true, entries: []leaf{{path: "a", mode: "100644", stamp: stamp{size: 3}}}, folders: []folder{{path: ""}}}
	data := s.encode()
	if got, ok := decodeSnapshot(data); !ok || fmt.Sprint(got) != fmt.Sprint(s) {
		t.Fatalf("%+v, %v", got, ok)
	}
	for i := range data {
		if _, ok := decodeSnapshot(data[:i]); ok {
			t.Errorf("cut at %d", i)
		}
		bad := append([]byte(nil), data...)
		bad[i] ^= 0x10
		if _, ok := decodeSnapshot(bad); ok {
			t.Errorf("changed at %d", i)
		}
	}
}
