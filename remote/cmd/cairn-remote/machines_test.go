package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/remote/backendtest"
)

const (
	module  = "module example.com/m\n\ngo 1.24\n"
	failing = `package m

import "testing"

func TestGood(t *testing.T) {}

func TestBad(t *testing.T) { t.Error("two machines") }
`
)

// reviewed: a runs tests of which one fails, signs what came of them, and is gone. A reviewer reads the record by git, the list of the tests and
// the bytes by a remote, where they lie encrypted, and derives the verdict again.
func reviewed(t *testing.T, a *person, hub string) {
	for name, text := range map[string]string{"go.mod": module, "m_test.go": failing} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.must("git", "add", ".")
	a.must("git", "commit", "-q", "-m", "tests")
	a.must("git", "push", "-q", "origin", "HEAD:main")
	if out, errs, err := a.run("cairn", "capture", "run", "--", "go", "test", "-v", "."); err == nil || !strings.Contains(out, "go-test failed") {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	var newest struct{ ID string }
	if err := json.Unmarshal([]byte(a.must("cairn", "recall", "objects", "--limit", "1", "--format", "json")), &newest); err != nil {
		t.Fatal(err)
	}
	printed, tests := a.must("cairn", "recall", "object", newest.ID), a.must("cairn", "recall", "tests", newest.ID)
	home := filepath.Dir(a.dir)
	a.must("git", "config", "gpg.format", "ssh")
	a.must("git", "config", "user.signingkey", filepath.Join(home, ".ssh", "id_ed25519.pub"))
	a.must("cairn", "attest", newest.ID)
	signer := "a@example.com " + a.must("cat", filepath.Join(home, ".ssh", "id_ed25519.pub"))
	for kind, address := range map[string]func(t *testing.T) string{
		"file": func(t *testing.T) string { return "file://" + t.TempDir() },
		"s3": func(t *testing.T) string {
			return backendtest.S3(backendtest.Serve(t, "../../..", "versitygw"), "app")
		},
		"oci": func(t *testing.T) string {
			return fmt.Sprintf("oci://127.0.0.1:%d/team/app", backendtest.Serve(t, "../../..", "registry"))
		},
		"lfs": func(t *testing.T) string {
			return fmt.Sprintf("git+lfs://127.0.0.1:%d/app.git", backendtest.Serve(t, "../../..", "gitlfs"))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			place := address(t)
			b := newPerson(t, a.programs, "b")
			b.must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ".ssh/id_ed25519")
			a.must("cairn", "remote", "add", kind, place, "--recipient", strings.TrimSpace(b.must("cat", ".ssh/id_ed25519.pub")))
			if out := a.must("cairn", "sync"); !strings.Contains(out, kind+": pushed 4 objects") {
				t.Fatal(out)
			}
			if host, is := strings.CutPrefix(place, "oci://"); is {
				answer, err := http.Get("http://" + strings.Replace(host, "/", "/v2/", 1) + "/tags/list")
				if err != nil {
					t.Fatal(err)
				}
				list, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				if tag := "commit-" + strings.TrimSpace(a.must("git", "rev-parse", "HEAD")); !strings.Contains(string(list), `"`+tag+`"`) {
					t.Errorf("the registry has no %s: %s", tag, list)
				}
			}
			a.must("cairn", "remote", "remove", kind) // its server ends with this test
			if dir, is := strings.CutPrefix(place, "file://"); is && exec.Command("grep", "-rq", "two machines", dir).Run() == nil {
				t.Error("what was printed can be read in the remote")
			}
			if err := os.Rename(home, home+"-away"); err != nil {
				t.Fatal(err)
			}
			defer os.Rename(home+"-away", home)
			b.must("git", "clone", "-q", hub, "work")
			b.dir = filepath.Join(b.dir, "work")
			b.must("cairn", "sync")
			if err := os.WriteFile(filepath.Join(filepath.Dir(b.dir), "signers"), []byte(signer), 0o600); err != nil {
				t.Fatal(err)
			}
			b.must("git", "config", "gpg.ssh.allowedSignersFile", "../signers")
			if out, errs, err := b.run("cairn", "verify", newest.ID); exitOf(err) != 5 {
				t.Fatalf("without the bytes: %v %s%s", err, out, errs)
			}
			b.must("cairn", "remote", "add", "theirs", place)
			if out, errs, err := b.run("cairn", "recall", "tests", newest.ID); err != nil || out != tests || !strings.Contains(errs, "fetched ") {
				t.Errorf("%v: the tests are\n%s%s, want\n%s", err, out, errs, tests)
			}
			if out, errs, err := b.run("cairn", "recall", "object", newest.ID); err != nil || out != printed || !strings.Contains(errs, "fetched ") {
				t.Errorf("%v: the bytes are\n%s%s, want\n%s", err, out, errs, printed)
			}
			if kind == "lfs" {
				collectedLFS(t, b, place)
			}
			if out := b.must("cairn", "verify", newest.ID); strings.Contains(out, "unchecked") || strings.Contains(out, "false") {
				t.Error(out)
			}
		})
	}
}

// collectedLFS: what is collected has no name left, and the answer says what the server keeps. All of it goes where no record names any.
func collectedLFS(t *testing.T, b *person, place string) {
	t.Helper()
	if n := strings.Count(b.must("cairn", "objects", "ls", "--remote", "theirs"), "sha256:"); n != 4 {
		t.Errorf("%d objects listed, want 4", n)
	}
	other := newPerson(t, b.programs, "other")
	other.must("git", "init", "-q")
	other.must("cairn", "remote", "add", "lfs", place)
	for _, args := range [][]string{{"--dry-run"}, {}} {
		out := other.must("cairn", append([]string{"remote", "gc", "lfs", "--grace", "0s"}, args...)...)
		if !strings.Contains(out, "lfs: git LFS removes nothing when asked") || strings.Contains(out, " 0 bodies") {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out := b.must("cairn", "objects", "ls", "--remote", "theirs"); out != "" {
		t.Error(out)
	}
}

func exitOf(err error) int {
	if exit, is := err.(*exec.ExitError); is {
		return exit.ExitCode()
	}
	return -1
}
