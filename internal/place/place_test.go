package place

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/result"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// surroundings are a home, and a folder outside any repository.
func surroundings(t *testing.T) (env Env, outside string) {
	t.Helper()
	real := func(dir string) string {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	home := real(t.TempDir())
	for key, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": os.TempDir(), "XDG_STATE_HOME": "",
		"GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@localhost", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@localhost",
	} {
		t.Setenv(key, value)
	}
	return Env{Home: home, Tmp: os.TempDir()}, real(t.TempDir())
}

// repo makes a repository with one commit in dir.
func repo(t *testing.T, dir string) string {
	t.Helper()
	mkdir(t, dir)
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func find(t *testing.T, dir string, env Env) *Place {
	t.Helper()
	p, err := Find(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// is compares what a place is with what it should be.
func is(t *testing.T, p *Place, dir, root, rel string, home bool) {
	t.Helper()
	if p.Dir != dir || p.Workspace.Root != root || p.Rel != rel || (p.Home != nil) != home {
		t.Errorf("got dir %s, root %s, rel %s, home %v\nwant dir %s, root %s, rel %s, home %v",
			p.Dir, p.Workspace.Root, p.Rel, p.Home != nil, dir, root, rel, home)
	}
}

func TestInRepository(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	own := filepath.Join(r, ".git", "cairn")
	p := find(t, r, env)
	is(t, p, own, r, ".", true)
	if p.Note != "" || p.Repo == nil || p.Workspace.Dir != r || p.Workspace.Home != env.Home || p.Workspace.Tmp != env.Tmp {
		t.Errorf("%+v", p)
	}
	is(t, find(t, mkdir(t, filepath.Join(r, "a", "b c")), env), own, r, "a/b c", true)

	link := filepath.Join(out, "link")
	if err := os.Symlink(filepath.Join(r, "a"), link); err != nil {
		t.Fatal(err)
	}
	p = find(t, link, env)
	is(t, p, own, r, "a", true)
	if len(p.Workspace.Aliases) != 1 || p.Workspace.Aliases[0] != filepath.Join(r, "a") {
		t.Errorf("aliases %q", p.Workspace.Aliases)
	}

	linked := filepath.Join(out, "linked")
	git(t, r, "worktree", "add", "-q", "-b", "topic", linked)
	is(t, find(t, mkdir(t, filepath.Join(linked, "x")), env), own, linked, "x", true)

	bare := mkdir(t, filepath.Join(out, "bare.git"))
	git(t, bare, "init", "-q", "--bare")
	is(t, find(t, bare, env), filepath.Join(bare, "cairn"), bare, ".", true)
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("finding a place made %s: %v", own, err)
	}
}

func TestOutside(t *testing.T) {
	env, out := surroundings(t)
	p := find(t, out, env)
	is(t, p, filepath.Join(env.Home, ".local", "state", "cairn", "cairn"), out, ".", true)
	if p.Repo != nil || p.Note != "" {
		t.Errorf("%+v", p)
	}
	again := find(t, mkdir(t, filepath.Join(out, "other")), env)
	if again.Dir != p.Dir || again.Home.CommonDir != p.Home.CommonDir {
		t.Errorf("another folder has another store: %s", again.Dir)
	}

	env.StateHome = filepath.Join(env.Home, "state")
	is(t, find(t, out, env), filepath.Join(env.Home, "state", "cairn", "cairn"), out, ".", true)
	env.StateHome = "relative" // the XDG specification: to be ignored
	is(t, find(t, out, env), p.Dir, out, ".", true)

	env = Env{}
	if _, err := Find(t.Context(), out, env); err == nil || !strings.Contains(err.Error(), "CAIRN_DIR or HOME") {
		t.Errorf("without a home: %v", err)
	}
}

// The store of the user's own is one that git accepts and that is not mistaken
// for the repository of a folder in it.
func TestOwnStore(t *testing.T) {
	env, out := surroundings(t)
	p := find(t, out, env)
	git(t, p.Home.CommonDir, "fsck")
	env.StateHome = filepath.Join(out, "file")
	if err := os.WriteFile(env.StateHome, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	env.Tmp = filepath.Join(out, "tmp")
	if p = find(t, out, env); p.Home != nil || p.Dir != p.Waiting(env)[0] || !Private(p.Dir) || !strings.Contains(p.Note, "this capture waits in "+p.Dir) {
		t.Errorf("a file where the store should be: %+v", p)
	}
	if err := os.Chmod(filepath.Dir(p.Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(t.Context(), out, env); err == nil || !strings.Contains(err.Error(), "making your own store at") {
		t.Errorf("a directory that others can look into: %v", err)
	}
}

func TestCairnDir(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	sub := mkdir(t, filepath.Join(r, "sub"))
	own := filepath.Join(r, ".git", "cairn")
	link := filepath.Join(out, "link")
	if err := os.Symlink(r, link); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		set, from, dir string
		home           bool
	}{
		"absolute":              {filepath.Join(out, "elsewhere"), sub, filepath.Join(out, "elsewhere"), false},
		"not clean":             {out + "//x/../elsewhere/", sub, filepath.Join(out, "elsewhere"), false},
		"relative":              {"captures", sub, filepath.Join(sub, "captures"), false},
		"the repository's":      {own, sub, own, true},
		"the same, relative":    {"../.git/cairn", sub, own, true},
		"the same, by a link":   {filepath.Join(link, ".git", "cairn"), sub, filepath.Join(link, ".git", "cairn"), true},
		"outside a repository":  {own, out, own, false},
		"without a home at all": {filepath.Join(out, "x"), out, filepath.Join(out, "x"), false},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			env := env
			if env.Dir = test.set; name == "without a home at all" {
				env.Home = ""
			}
			p := find(t, test.from, env)
			if p.Dir != test.dir || (p.Home != nil) != test.home {
				t.Errorf("dir %s, home %v", p.Dir, p.Home != nil)
			}
		})
	}
}

// Where the repository takes no captures they go to the user's own store, and
// that is said.
func TestUnusableRepository(t *testing.T) {
	env, out := surroundings(t)
	file := repo(t, filepath.Join(out, "file"))
	if err := os.WriteFile(filepath.Join(file, ".git", "cairn"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	waits(t, find(t, file, env), file, env)
	if os.Geteuid() == 0 {
		return // nothing is read-only for root, but for a file system: see TestReadOnlyMount
	}
	locked := repo(t, filepath.Join(out, "locked"))
	gitDir := filepath.Join(locked, ".git")
	if err := os.Chmod(gitDir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(gitDir, 0o755) })
	waits(t, find(t, locked, env), locked, env)
}

// waits: captures of the repository in root wait in the user's own store, below a
// name that says of which repository, and that is said.
func waits(t *testing.T, p *Place, root string, env Env) {
	t.Helper()
	is(t, p, p.Waiting(env)[0], root, ".", false)
	if !strings.Contains(p.Note, "this capture waits in your own store ("+p.Dir+")") || strings.Contains(p.Note, "\n") {
		t.Errorf("note %q", p.Note)
	}
	if !strings.HasPrefix(p.Dir, filepath.Join(env.Home, ".local", "state", "cairn", "waiting")+"/") || !Private(p.Dir) {
		t.Errorf("%s is not private, or not in the user's own store", p.Dir)
	}
	if whose, err := os.ReadFile(filepath.Join(p.Dir, whoseFile)); err != nil || string(whose) != p.whose+"\n" {
		t.Errorf("whose it is: %q, %v", whose, err)
	}
}

// A repository that git does not trust is not touched: captures wait, under its
// name, and the user hears of it.
func TestUnsafeRepository(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	trusted := find(t, r, env)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	p := find(t, mkdir(t, filepath.Join(r, "sub")), env)
	if p.Repo != nil || p.Dir != trusted.Waiting(env)[0] || p.Rel != "sub" || !strings.Contains(p.Note, "this capture waits in") {
		t.Errorf("%+v", p)
	}
}

// Without git a repository that only git can tell has its captures wait, too; one
// that files tell needs no git.
func TestWithoutGit(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	linked := filepath.Join(out, "linked")
	git(t, r, "worktree", "add", "-q", "-b", "topic", linked)
	known := find(t, r, env)
	path := os.Getenv("PATH")
	t.Setenv("PATH", out)
	is(t, find(t, r, env), filepath.Join(r, ".git", "cairn"), r, ".", true)
	t.Setenv("PATH", path)
	git(t, r, "config", "core.repositoryformatversion", "1")
	git(t, r, "config", "extensions.unheardOf", "true")
	t.Setenv("PATH", out)
	for _, dir := range []string{r, linked} {
		p := find(t, dir, env)
		waits(t, p, dir, env)
		if p.Dir != known.Waiting(env)[0] || !strings.Contains(p.Note, "git was not found") {
			t.Errorf("from %s: %+v", dir, p)
		}
	}
	if p := find(t, out, env); p.Note != "" || p.Dir != filepath.Join(env.Home, ".local", "state", "cairn", "cairn") {
		t.Errorf("outside a repository: %+v", p)
	}
}

func TestWorkspace(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	sub := mkdir(t, filepath.Join(r, "sub"))
	missing := filepath.Join(out, "missing")
	for dir, want := range map[string]result.Workspace{
		sub:     {Root: r, Dir: sub, Home: env.Home, Tmp: env.Tmp},
		out:     {Root: out, Dir: out, Home: env.Home, Tmp: env.Tmp},
		missing: {Root: missing, Dir: missing, Home: env.Home, Tmp: env.Tmp},
	} {
		if got := Workspace(t.Context(), dir, env); got.Root != want.Root || got.Dir != want.Dir || got.Home != want.Home || got.Tmp != want.Tmp {
			t.Errorf("Workspace(%s) = %+v", dir, got)
		}
	}
	if _, err := os.Stat(filepath.Join(env.Home, ".local")); !os.IsNotExist(err) {
		t.Errorf("asking for a workspace made a store: %v", err)
	}
}

func TestFromEnviron(t *testing.T) {
	e := FromEnviron([]string{"CAIRN_DIR=/c", "XDG_STATE_HOME=/s", "HOME=/h", "TMPDIR=/t", "CAIRN_DIRECTORY=/x", "odd", "HOME=/h2"})
	if want := (Env{Dir: "/c", StateHome: "/s", Home: "/h2", Tmp: "/t"}); e != want {
		t.Errorf("got %+v, want %+v", e, want)
	}
	if e := FromEnviron(nil); e.Tmp == "" {
		t.Error("no directory for temporary files")
	}
}

func TestRelative(t *testing.T) {
	for _, test := range []struct{ root, dir, want string }{
		{"/r", "/r", "."}, {"/r", "/r/a/b", "a/b"}, {"/r", "/", "."}, {"/r", "/rest", "."}, {"/r", "/r/..a", "..a"}, {"/", "/a", "a"},
	} {
		if got := relative(test.root, test.dir); got != test.want {
			t.Errorf("relative(%q, %q) = %q, want %q", test.root, test.dir, got, test.want)
		}
	}
}

// The branch is that of git config cairn.branch.
func TestOpen(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	open := func() *Site {
		s, err := Open(t.Context(), r, env, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	if name := s.Branch.Name(); name != DefaultBranch {
		t.Errorf("branch %q", name)
	}
	git(t, r, "config", "cairn.branch", "runs/all")
	if name := open().Branch.Name(); name != "runs/all" {
		t.Errorf("branch %q", name)
	}
	env.Dir = filepath.Join(out, "x")
	if s = open(); s.Branch != nil {
		t.Error("a directory of its own has a branch")
	}
}

// TestReadOnlyMount: on a file system that is mounted read-only, as in the
// sandboxes of agents, questions are answered from what is there and from what
// waits, and captures wait in the user's own store. That is said in either case.
func TestReadOnlyMount(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount")
	}
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	dir := mkdir(t, filepath.Join(r, ".git", "cairn"))
	if text, err := exec.Command("mount", "--bind", "-o", "ro", r, r).CombinedOutput(); err != nil {
		t.Skipf("mount: %s", text)
	}
	t.Cleanup(func() { exec.Command("umount", r).Run() })
	if writable(dir) {
		t.Skip("this mount cannot be made read-only")
	}
	p := ask(t, FindToRead, r, env)
	own := p.Waiting(env)[0]
	if p.Dir != dir || !p.ReadOnly || !strings.Contains(p.Note, "cannot be written to") || strings.Contains(p.Note, own) || len(p.Also) > 0 {
		t.Errorf("to read: %+v", p)
	}
	if exists(own) {
		t.Errorf("a question made %s", own)
	}
	p = ask(t, Find, r, env)
	waits(t, p, r, env)
	if p.ReadOnly || !strings.Contains(p.Note, "cannot be written to") {
		t.Errorf("to write: %+v", p)
	}
	if p = ask(t, FindToRead, r, env); !strings.Contains(p.Note, own) || len(p.Also) != 1 || p.Also[0] != own {
		t.Errorf("to read what waits: %+v", p)
	}
}

func ask(t *testing.T, find func(context.Context, string, Env) (*Place, error), dir string, env Env) *Place {
	t.Helper()
	p, err := find(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Where git refuses to read the repository captures wait under its name, with the
// reason, until it does.
func TestGitRefuses(t *testing.T) {
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	known := find(t, r, env)
	config := filepath.Join(r, ".git", "config")
	sound, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]string{
		"a conflict":          "<<<<<<< mine\n",
		"a newer format":      "[core]\n\trepositoryformatversion = 5\n",
		"an unheard of thing": "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tunheardof = true\n",
	} {
		if err := os.WriteFile(config, append(append([]byte{}, sound...), damage...), 0o600); err != nil {
			t.Fatal(err)
		}
		p := find(t, r, env)
		waits(t, p, r, env)
		if p.Dir != known.Waiting(env)[0] || !strings.Contains(p.Note, "fatal:") {
			t.Errorf("%s: %+v", name, p)
		}
	}
	broken := mkdir(t, filepath.Join(out, "broken"))
	if err := os.WriteFile(filepath.Join(broken, ".git"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := find(t, broken, env)
	if p.Home == nil || p.Home.CommonDir != filepath.Join(env.Home, ".local", "state", "cairn") || !strings.Contains(p.Note, "captures go to your own store") {
		t.Errorf("a .git that is none: %+v", p)
	}
}
