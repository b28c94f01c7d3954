package remote_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"cairn/remote/backendtest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cairn/internal/gitrepo"
	"cairn/remote"
	"cairn/remote/lfs"
)

// openLFS opens places of git LFS for a clone of its own, in which git knows the test server's credential.
func openLFS(t *testing.T) remote.Opener {
	t.Helper()
	home := t.TempDir()
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	const helper = `[credential]
	helper = "!f() { test $1 = get && printf 'username=user\npassword=pass\n'; }; f"
[user]
	name = someone
	email = someone@example.com
`
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(helper), 0o600); err != nil {
		t.Fatal(err)
	}
	return lfs.Open(newRepo(t), t.TempDir(), false)
}

// newRepo is an empty repository of git.
func newRepo(t *testing.T) *gitrepo.Repo {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	r, err := gitrepo.Discover(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestLFSRefusals: what the LFS server refuses, while git's own server is well, is an error that says what to do, and no name is written without
// its body.
func TestLFSRefusals(t *testing.T) {
	open, port := openLFS(t), backendtest.Serve(t, "..", "gitlfs")
	for i, c := range []struct {
		status   int
		at, says string
	}{
		{401, "/objects/batch", "credentials"}, {403, "/objects/batch", "credentials"}, {404, "/objects/batch", "lfs.url"}, {507, "/storage/", "is full"}, {509, "/objects/batch", "quota"},
		{413, "/storage/", "is full"}, {403, "/storage/", "credentials"},
		{403, "/git-receive-pack", "writing the names of bodies to refs/cairn/lfs"}, // who may read may not push
	} {
		t.Run(fmt.Sprint(c.status, c.at), func(t *testing.T) {
			at := fmt.Sprintf("git+lfs://%s/app%d.git", between(t, port, true, func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
				if strings.Contains(r.URL.Path, c.at) {
					answer(c.status, "Content-Type: application/vnd.git-lfs+json", `{"message": "because"}`)(w, r, serve)
					return
				}
				serve.ServeHTTP(w, r)
			}), i+1)
			b, err := remote.OpenBackend(at, map[string]remote.Opener{"git+lfs": open})
			if err != nil {
				t.Fatal(err)
			}
			a := newClone(t, b, nil)
			_, err = a.r.Push(t.Context(), a.store, a.fill(t))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "because") && c.at != "/git-receive-pack" || !strings.Contains(err.Error(), "remote there") {
				t.Errorf("%v, want an error with %q", err, c.says)
			}
			for e, err := range b.List(t.Context(), "") {
				t.Errorf("%s is there, %v", e.Key, err)
			}
		})
	}
}

// TestLFSRepositories: the server is found where git-lfs finds it; what is there "git lfs" gets; what is collected has no name left, and where
// two clones write names at the same time none is lost.
func TestLFSRepositories(t *testing.T) {
	openLFS(t)
	port := backendtest.Serve(t, "..", "gitlfs")
	hub, first := t.TempDir(), newRepo(t)
	git(t, hub, "init", "-q", "--bare", "--shared") // which forbids that a branch is moved back
	git(t, first.TopLevel, "remote", "add", "origin", hub)
	if err := os.WriteFile(filepath.Join(first.TopLevel, ".lfsconfig"), fmt.Appendf(nil, "[lfs]\n\turl = http://127.0.0.1:%d/other.git/info/lfs\n", port), 0o600); err != nil {
		t.Fatal(err)
	}
	second := newRepo(t)
	git(t, second.TopLevel, "remote", "add", "there", hub)
	git(t, second.TopLevel, "config", "remote.there.lfsurl", fmt.Sprintf("http://127.0.0.1:%d/other.git/info/lfs", port))
	backend := func(r *gitrepo.Repo, address string) remote.Backend {
		b, err := remote.OpenBackend(address, map[string]remote.Opener{"git+lfs": lfs.Open(r, t.TempDir(), false)})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := backend(first, "git+lfs:"), backend(second, "git+lfs:there")
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			body := strings.Repeat(fmt.Sprintln(i), 1000)
			if err := []remote.Backend{a, b}[i%2].Put(t.Context(), fmt.Sprintf("objects/%02d/x.zst", i), strings.NewReader(body), int64(len(body))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	third := backend(second, "git+lfs:there")
	if n := listed(t, third); n != 24 {
		t.Errorf("%d bodies have names, of 24", n)
	}
	if _, err := exec.LookPath("git-lfs"); err == nil {
		git(t, second.TopLevel, "config", fmt.Sprintf("lfs.http://127.0.0.1:%d/other.git/info/lfs.locksverify", port), "false")
		git(t, second.TopLevel, "fetch", "-q", "there", "refs/cairn/lfs:refs/heads/names")
		git(t, second.TopLevel, "lfs", "fetch", "there", "names")
		git(t, second.TopLevel, "lfs", "fsck", "names")
		n := 0
		filepath.WalkDir(filepath.Join(second.GitDir, "lfs", "objects"), func(_ string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				n++
			}
			return err
		})
		if n != 24 {
			t.Errorf("git lfs fetched %d bodies, of 24", n)
		}
	}
	if err := third.(remote.Namer).DeleteNames(t.Context(), []string{"objects/00/x.zst", "objects/01/x.zst", "objects/99/x.zst"}); err != nil {
		t.Fatal(err)
	}
	if n, history := listed(t, backend(first, "git+lfs:")), git(t, hub, "rev-list", "--count", "refs/cairn/lfs"); n != 22 || history != "1\n" {
		t.Errorf("%d bodies have names, and the ref has a history of %s", n, history)
	}
	for _, r := range []*gitrepo.Repo{first, second} {
		git(t, r.TopLevel, "update-ref", "-d", "refs/heads/names")
		if out := git(t, r.TopLevel, "for-each-ref"); out != "" {
			t.Errorf("refs of the clone: %s", out)
		}
		git(t, r.TopLevel, "prune", "--expire=now") // all that was fetched
	}
	if err := a.Put(t.Context(), "objects/30/x.zst", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if n := listed(t, backend(second, "git+lfs:there")); n != 23 {
		t.Errorf("%d bodies have names after git removed what it had of them", n)
	}
}

func listed(t *testing.T, b remote.Backend) (n int) {
	t.Helper()
	for e, err := range b.List(t.Context(), "objects/") {
		if err != nil {
			t.Fatal(err)
		}
		if n++; e.Size <= 0 {
			t.Errorf("%+v", e)
		}
	}
	return n
}

// TestLFSOverSSH: for a remote of SSH its host says where the server is, and what opens it.
func TestLFSOverSSH(t *testing.T) {
	openLFS(t)
	port := backendtest.Serve(t, "..", "gitlfs")
	hub, r, bin := t.TempDir(), newRepo(t), t.TempDir()
	git(t, hub, "init", "-q", "--bare")
	git(t, r.TopLevel, "remote", "add", "origin", "ssh://git@example.com:2222"+hub)
	// as OpenSSH would, it runs the command of the other side
	script := fmt.Sprintf(`#!/bin/sh
[ "$1" = -o ] && shift 2
[ "$1 $2 $3" = "-p 2222 git@example.com" ] || { [ "$1" = -G ] && exit 0; echo "called with $*" >&2; exit 1; }
shift 3
git_lfs_authenticate() {
	[ -e %[3]s ] && opens=dXNlcjpwYXNz || opens=dXNlcjpvbGQ= # the first one is not taken any more when it is used
	touch %[3]s
	echo '{"href": "http://127.0.0.1:%[1]d/ssh-401-unauth.git/info/lfs", "header": {"Authorization": "Basic '$opens'"}, "expires_in": 60}'
}
case "$*" in
git-lfs-authenticate\ \'%[2]s\'\ upload | git-lfs-authenticate\ \'%[2]s\'\ download) git_lfs_authenticate ;;
*) eval "$*" ;;
esac
`, port, hub, filepath.Join(bin, "asked"))
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_SSH_COMMAND", filepath.Join(bin, "ssh"))
	t.Setenv("GIT_SSH_VARIANT", "ssh")
	b, err := remote.OpenBackend("git+lfs:", map[string]remote.Opener{"git+lfs": lfs.Open(r, t.TempDir(), false)})
	if err != nil {
		t.Fatal(err)
	}
	backendtest.Run(t, b)
}

// TestLFSCredentials: git's helpers hear of a credential that the server refuses, so that the next command asks for another one, and one that it
// takes, too. What http.extraHeader says opens the server without them, as in jobs of GitHub's.
func TestLFSCredentials(t *testing.T) {
	openLFS(t)
	port := backendtest.Serve(t, "..", "gitlfs")
	hub, r, dir := t.TempDir(), newRepo(t), t.TempDir()
	git(t, hub, "init", "-q", "--bare")
	git(t, r.TopLevel, "remote", "add", "origin", hub)
	git(t, r.TopLevel, "config", "lfs.url", fmt.Sprintf("http://127.0.0.1:%d/mine-401-unauth.git/info/lfs/", port))
	git(t, r.TopLevel, "config", "http.extraHeader", "X-Team: a")
	helper := filepath.Join(dir, "helper")
	if err := os.WriteFile(helper, []byte("#!/bin/sh\ncat >>"+dir+"/$1; [ $1 = get ] && printf 'username=user\npassword=%s\n' $(cat "+dir+"/password)\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, r.TopLevel, "config", "credential.helper", "") // those before do not count
	git(t, r.TopLevel, "config", "--add", "credential.helper", helper)
	put := func(password string) error {
		if err := os.WriteFile(filepath.Join(dir, "password"), []byte(password), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := gitrepo.Discover(t.Context(), r.TopLevel)
		if err != nil {
			t.Fatal(err)
		}
		b, err := remote.OpenBackend("git+lfs:", map[string]remote.Opener{"git+lfs": lfs.Open(r, t.TempDir(), false)})
		if err != nil {
			t.Fatal(err)
		}
		return b.Put(t.Context(), "objects/aa/bb.zst", strings.NewReader("some bytes"), 10)
	}
	said := func(verb string) string {
		text, _ := os.ReadFile(filepath.Join(dir, verb))
		return string(text)
	}
	if err := put("wrong"); err == nil || !strings.Contains(err.Error(), "does not accept the credentials") {
		t.Error(err)
	}
	if !strings.Contains(said("erase"), "password=wrong") || said("store") != "" {
		t.Errorf("erased %q, stored %q", said("erase"), said("store"))
	}
	if err := put("pass"); err != nil {
		t.Error(err)
	}
	if strings.Contains(said("erase"), "password=pass") || strings.Count(said("store"), "password=pass") != 1 {
		t.Errorf("erased %q, stored %q", said("erase"), said("store"))
	}
	os.Remove(filepath.Join(dir, "get"))
	git(t, r.TopLevel, "config", "http.extraHeader", "AUTHORIZATION: basic dXNlcjpwYXNz")
	if err := put("wrong"); err == nil || said("get") != "" { // the test server takes "Basic" alone
		t.Errorf("%v; git was asked for %q", err, said("get"))
	}
	git(t, r.TopLevel, "config", "http.extraHeader", "AUTHORIZATION: Basic dXNlcjpwYXNz")
	if err := put("wrong"); err != nil || said("get") != "" {
		t.Errorf("%v; git was asked for %q", err, said("get"))
	}
}
