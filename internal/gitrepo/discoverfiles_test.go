package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// askGitKinds are the kinds of repository that only git can tell about. For the
// others no process may be needed.
var askGitKinds = []string{"bare", "below a bare repository", "inside .git", "sha256", "reftable", "symlinked .git",
	"GIT_DIR set", "relative GIT_DIR and GIT_INDEX_FILE, as in a hook", "core.worktree"}

// TestFilesAndGitAgree: whatever is read from files is what git says.
func TestFilesAndGitAgree(t *testing.T) {
	for _, k := range slices.Concat(kinds, oddKinds) {
		t.Run(k.name, func(t *testing.T) {
			dir, _ := k.make(t)
			got, err, sure := discoverFiles(dir)
			if sure == (slices.Contains(askGitKinds, k.name) || strings.HasPrefix(k.name, "odd: ")) {
				t.Errorf("certain without git: %v", sure)
			}
			if !sure {
				return
			}
			want, gerr := discoverGit(context.Background(), dir)
			if !errors.Is(gerr, errors.Unwrap(err)) && (err != nil) != (gerr != nil) {
				t.Fatalf("files: %v, git: %v", err, gerr)
			}
			if gerr != nil {
				return
			}
			if a, b := repoFacts(got), repoFacts(want); a != b {
				t.Errorf("files:\n%s\ngit:\n%s", a, b)
			}
			files, ok := got.fileSettings()
			asked, err := want.askSettings(context.Background())
			if !ok || err != nil || !maps.Equal(files, asked) {
				t.Errorf("settings: %v\nfiles: %v\ngit: %v, %v", ok, files, asked, err)
			}
		})
	}
}

func repoFacts(r *Repo) string {
	return fmt.Sprintf("top %s\nprefix %s\ngit %s\ncommon %s\nformat %s\nbare %v\ncommit %s\ntree %s\nbranch %s\nobjects %s",
		r.TopLevel, r.Prefix, r.GitDir, r.CommonDir, r.ObjectFormat, r.Bare, r.Commit, r.Tree, r.Branch, r.objectDir)
}

// oddKinds are states that the other tests do not need. Of those named "odd: "
// files cannot be certain.
var oddKinds = []struct {
	name string
	make func(t *testing.T) (dir string, want Repo)
}{
	oddKind("a commit in a pack of deltas", func(t *testing.T, d string) string {
		for i := range 30 { // long messages that are alike are stored as deltas
			sh(t, d, "commit", "-q", "--allow-empty", "-m", strings.Repeat("the same long message\n", 200)+fmt.Sprint(i))
		}
		sh(t, d, "repack", "-adfq", "--depth=50", "--window=50")
		return d
	}),
	oddKind("two packs and a multi-pack index", func(t *testing.T, d string) string {
		sh(t, d, "repack", "-dq")
		sh(t, d, "commit", "-q", "--allow-empty", "-m", "second")
		sh(t, d, "repack", "-dq")
		sh(t, d, "multi-pack-index", "write")
		return d
	}),
	oddKind("a branch with slashes, packed, and another loose", func(t *testing.T, d string) string {
		sh(t, d, "checkout", "-q", "-b", "feature/a/b")
		sh(t, d, "pack-refs", "--all")
		sh(t, d, "commit", "-q", "--allow-empty", "-m", "loose over packed")
		return d
	}),
	oddKind("a replaced commit", func(t *testing.T, d string) string {
		first := sh(t, d, "rev-parse", "HEAD")
		sh(t, d, "commit", "-q", "--allow-empty", "-m", "second")
		write(t, d+"/new.txt", "x\n")
		sh(t, d, "add", ".")
		sh(t, d, "commit", "-q", "-m", "third")
		sh(t, d, "replace", sh(t, d, "rev-parse", "HEAD"), first)
		return d
	}),
	oddKind("a worktree with its own configuration", func(t *testing.T, d string) string {
		w := filepath.Join(filepath.Dir(d), "linked")
		sh(t, d, "worktree", "add", "-q", "--detach", w)
		sh(t, d, "config", "extensions.worktreeConfig", "true")
		sh(t, w, "config", "--worktree", "cairn.branch", "mine")
		return w
	}),
	oddKind("below a ceiling", func(t *testing.T, d string) string {
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(d))
		return d + "/sub"
	}),
	oddKind("the root above a ceiling", func(t *testing.T, d string) string {
		t.Setenv("GIT_CEILING_DIRECTORIES", "/nowhere"+string(filepath.ListSeparator)+d)
		return d + "/sub"
	}),
	oddKind("a nested repository that is none", func(t *testing.T, d string) string {
		write(t, d+"/sub/.gitignore", "x\n")
		return d + "/sub"
	}),
	oddKind("no repository", func(t *testing.T, d string) string { return t.TempDir() }),
	oddKind("odd: a .git that is no repository", func(t *testing.T, d string) string {
		write(t, d+"/sub/.git/nothing", "x\n")
		return d + "/sub"
	}),
	oddKind("odd: an include", func(t *testing.T, d string) string {
		write(t, d+"/extra", "[core]\n\tworktree = /nowhere\n")
		sh(t, d, "config", "include.path", "../extra")
		return d
	}),
	oddKind("odd: an unknown extension", func(t *testing.T, d string) string {
		sh(t, d, "config", "core.repositoryformatversion", "1")
		sh(t, d, "config", "extensions.fromTheFuture", "true")
		return d
	}),
	oddKind("odd: a symbolic branch", func(t *testing.T, d string) string {
		sh(t, d, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
		sh(t, d, "symbolic-ref", "HEAD", "refs/heads/alias")
		return d
	}),
	oddKind("odd: a commit that is missing", func(t *testing.T, d string) string {
		oid := sh(t, d, "rev-parse", "HEAD")
		if err := os.Remove(filepath.Join(d, ".git", "objects", oid[:2], oid[2:])); err != nil {
			t.Fatal(err)
		}
		return d
	}),
	oddKind("odd: a variable that git heeds", func(t *testing.T, d string) string {
		t.Setenv("GIT_CONFIG_COUNT", "0")
		return d
	}),
}

func oddKind(name string, change func(t *testing.T, d string) string) struct {
	name string
	make func(t *testing.T) (dir string, want Repo)
} {
	return struct {
		name string
		make func(t *testing.T) (dir string, want Repo)
	}{name, func(t *testing.T) (string, Repo) { return change(t, newRepo(t)), Repo{} }}
}

// TestForeignOwner: git decides about the files of another user.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	d := newRepo(t)
	for _, path := range []string{d, d + "/.git"} {
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if _, _, sure := discoverFiles(d); sure {
			t.Errorf("%s belongs to somebody else, and git was not asked", path)
		}
		if _, err := Discover(context.Background(), d); path != d && !errors.Is(err, ErrUnsafe) {
			t.Errorf("err = %v", err)
		}
	}
}

// TestConfigFilesAndGitAgree: of random configuration files, what is read is what
// git reads, and what git refuses is left to git.
func TestConfigFilesAndGitAgree(t *testing.T) {
	isolate(t)
	dir := realTemp(t)
	path := filepath.Join(dir, "config")
	pieces := []string{"[user]", "[User \"a b\"]", "[core]", "[x.Y]", "[remote \"o\\\"x\"]", "\n", "\n", "\n\t", " ", "name", "Email", "key-1", " = ", "=", "a b",
		"\"quoted ; x\"", "\\\n", "\\n", "\\t", "; c", "# c", "'", "\"", "\\\"", "true", "\r\n", "\t", "é", "!f() { x; }; f", "[alias]\n\tl = log --x=\"%h %s\"\n", "_", "1x"}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 400 {
		var text bytes.Buffer
		if random.IntN(2) == 0 {
			text.WriteString("[user]\n\tname = ")
		}
		for range random.IntN(14) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		write(t, path, text.String())
		c := newFileConfig()
		if !c.read(path, true) {
			continue
		}
		read++
		out, err := tryGit(dir, "config", "--file", path, "--null", "--list")
		if err != nil {
			continue // then no git command works here
		}
		want := map[string]string{}
		for entry := range strings.SplitSeq(out, "\x00") {
			key, value, ok := strings.Cut(entry, "\n")
			if !ok {
				value = "true" // a key without "="
			}
			if key != "" {
				want[key] = value
			}
		}
		maps.DeleteFunc(want, isMeaningless)
		maps.DeleteFunc(c.all, isMeaningless)
		if !maps.Equal(c.all, want) {
			t.Errorf("%q: read as %q, git says %q", text.String(), c.all, want)
		}
	}
	if read < 50 {
		t.Errorf("only %d files were read at all", read)
	}
}

func isMeaningless(key, _ string) bool {
	section, _, _ := strings.Cut(key, ".")
	return !meaningful[section]
}
