package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// person is someone with a home and a clone.
type person struct {
	t             *testing.T
	programs, dir string
	env           []string
}

// programs builds cairn and this program into one folder.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range [][]string{{"-C", "../../..", "build", "-o", dir, "./cmd/cairn", "./cmd/cairn-stage", "./cmd/cairn-attest"}, {"build", "-o", dir, "."}} {
		if out, err := exec.Command("go", c...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", c, err, out)
		}
	}
	return dir
}

func newPerson(t *testing.T, programs, name string) *person {
	home := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := &person{t, programs, home, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_STATE_HOME="+home+"/.state",
		"PATH="+programs+":"+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+home+"/.gitconfig", "CI=true", "CAIRN_DIR=")}
	p.must("git", "config", "--global", "user.name", name)
	p.must("git", "config", "--global", "user.email", name+"@example.com")
	p.must("git", "config", "--global", "init.defaultBranch", "main")
	p.must("git", "config", "--global", "credential.helper", "!f() { test $1 = get && printf 'username=user\npassword=pass\n'; }; f") // of the server of LFS
	return p
}

// run gives stdout and stderr apart.
func (p *person) run(name string, args ...string) (stdout, stderr string, err error) {
	if name == "cairn" {
		name = filepath.Join(p.programs, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	return string(out), errs.String(), err
}

func (p *person) must(name string, args ...string) string {
	p.t.Helper()
	out, errs, err := p.run(name, args...)
	if err != nil {
		p.t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, errs)
	}
	return out
}

// TestTwoClones: one runs a test that fails; the other reads the record by git and the
// bytes by the remote, and never sees the first one's disk.
func TestTwoClones(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GOCACHE": strings.TrimSpace(string(cache)), "AWS_ACCESS_KEY_ID": "cairn", "AWS_SECRET_ACCESS_KEY": "cairn-secret"} {
		t.Setenv(name, value)
	}
	built, hub, share := programs(t), filepath.Join(t.TempDir(), "o.git"), t.TempDir()
	a, b := newPerson(t, built, "a"), newPerson(t, built, "b")
	a.must("git", "init", "-q", "--bare", hub)
	a.must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ".ssh/id_ed25519")
	b.must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ".ssh/id_ed25519")
	public := strings.TrimSpace(b.must("cat", ".ssh/id_ed25519.pub"))

	a.must("git", "clone", "-q", hub, "work")
	a.dir = filepath.Join(a.dir, "work")
	a.must("git", "commit", "-q", "--allow-empty", "-m", "begin")
	a.must("git", "push", "-q", "origin", "HEAD:main")
	const script = "seq 1 50000; echo a secret: hunter2; exit 3"
	a.run("cairn", "capture", "run", "--", "sh", "-c", script)
	a.run("cairn", "capture", "run", "--", "sh", "-c", "echo short; exit 1")
	if _, errs, err := a.run("cairn", "objects", "push"); err == nil || !strings.Contains(errs, "cairn remote add") {
		t.Fatalf("without a remote: %v %s", err, errs)
	}
	keyless := newPerson(t, built, "keyless")
	keyless.must("git", "init", "-q")
	made := keyless.must("cairn", "remote", "add", "own", "file://"+t.TempDir())
	if key := strings.TrimSpace(keyless.must("git", "config", "cairn-remote.own.recipient")); !strings.Contains(made, "encrypted for "+key+";") {
		t.Errorf("the key %s cannot be copied from: %s", key, made)
	}
	a.must("cairn", "remote", "add", "store", "file://"+share, "--recipient", public)
	if out := a.must("cairn", "sync"); !strings.Contains(out, "store: pushed 2 objects") {
		t.Fatal(out)
	}

	b.must("git", "clone", "-q", hub, "work")
	b.dir = filepath.Join(b.dir, "work")
	b.must("cairn", "sync")
	ids := strings.Fields(strings.ReplaceAll(b.must("cairn", "recall", "objects", "--format", "json"), `"`, " "))
	run := ""
	for i, word := range ids {
		if word == "id" && i+2 < len(ids) {
			run = ids[i+2] // the oldest is the last
		}
	}
	if _, errs, err := b.run("cairn", "recall", "object", run); err == nil || !strings.Contains(errs, "not in this clone") {
		t.Fatalf("without a remote: %v %s", err, errs)
	}
	b.must("cairn", "remote", "add", "store", "file://"+share)
	out, errs, err := b.run("cairn", "recall", "object", run)
	want, _ := exec.Command("sh", "-c", script).Output()
	if err != nil || sha256.Sum256([]byte(out)) != sha256.Sum256(want) || !strings.Contains(errs, "fetched ") {
		t.Fatalf("%v: %d bytes came, of %d\n%s", err, len(out), len(want), errs)
	}
	if out = b.must("cairn", "objects", "pull"); !strings.Contains(out, "pulled 1 object; 1 were here") {
		t.Error(out)
	}
	if out = b.must("cairn", "objects", "fsck"); !strings.Contains(out, "0 damaged, 0 missing") {
		t.Error(out)
	}
	if out = b.must("cairn", "remote", "gc", "store", "--grace", "0s", "--dry-run"); !strings.Contains(out, "would remove 0 bodies") {
		t.Error(out)
	}
	if n := strings.Count(b.must("cairn", "objects", "ls"), "sha256:"); n != 2 {
		t.Errorf("%d objects listed, want 2", n)
	}
	refused(t, b, share)
	reviewed(t, a, hub)
}

// refused: each of these is an error that says what to do, and changes nothing.
func refused(t *testing.T, p *person, share string) {
	t.Helper()
	for _, c := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"remote", "add", "store", "file://" + share}, "already", 1},
		{[]string{"remote", "add", "a/b", "file://" + share}, "cannot be called", 1},
		{[]string{"remote", "add", "x", "ftp://host/dir"}, "oci://HOST/REPOSITORY", 1},
		{[]string{"remote", "add", "x", "s3://user:pw@bucket"}, "no credentials", 1},
		{[]string{"remote", "add", "x", "file://" + share, "--clear", "--recipient", "age1x"}, "recipient", 1},
		{[]string{"remote", "add", "x"}, "give a NAME and a URL", 2},
		{[]string{"remote", "add", "x", "file:///a", "--max-size", "-1"}, "--max-size", 2},
		{[]string{"objects", "push", "--remote", "nosuch"}, "there is: store", 1},
		{[]string{"objects", "push", "12"}, "12", 2},
		{[]string{"remote", "list", "--format", "xml"}, "text or json", 2},
		{[]string{"remote", "gc", "store", "--grace", "-1h"}, "below zero", 2},
	} {
		_, errs, err := p.run("cairn", c.args...)
		exit, _ := err.(*exec.ExitError)
		if exit == nil || exit.ExitCode() != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %v %s", c.args, err, errs)
		}
	}
	if out := p.must("cairn", "remote", "list"); out != fmt.Sprintf("store\tfile://%s\tencrypted\n", share) {
		t.Errorf("the remotes are now %q", out)
	}
	p.must("cairn", "remote", "remove", "store")
	if out := p.must("git", "config", "--list"); strings.Contains(out, "cairn-remote") {
		t.Errorf("settings are left: %s", out)
	}
}
