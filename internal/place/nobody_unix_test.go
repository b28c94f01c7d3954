//go:build unix

package place

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A cairn directory that this user can neither write to nor look into, as one that a
// command of root's has made, hides nothing of what waits elsewhere.
func TestDirectoryOfAnother(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	dir := mkdir(t, filepath.Join(r, ".git", "cairn"))
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	waits(t, find(t, r, env), r, env)
	p := ask(t, FindToRead, r, env)
	if p.ReadOnly || p.Dir != p.Waiting(env)[0] || !strings.Contains(p.Note, "captures of this repository wait in") {
		t.Errorf("to read: %+v", p)
	}
}

// asNobody runs the test once more as an ordinary user, since root may look anywhere.
func asNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("/tmp", "place-nobody") // t.TempDir is below a directory of root
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "test")
	self, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, self, 0o755)
	}
	if err == nil {
		err = os.Chown(dir, nobody, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
