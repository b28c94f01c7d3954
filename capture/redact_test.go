//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cairn/manifest"
	"cairn/render"
)

// secretFor puts a secret together, so that this file holds none.
func secretFor(n string) string { return "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3e" + n }

// No secret reaches what git tracks or an answer, whichever way it came in.
func TestNothingLeaks(t *testing.T) {
	dir := repository(t)
	git(t, dir, "checkout", "-q", "-b", "fix-"+secretFor("F1"))
	secret := secretFor("G2")
	placed := "hunter" + "2abcXYZ"
	for _, tt := range []struct {
		name string
		o    Options
		fail bool // the record is made by recovery
	}{
		{"argv", options(dir, "/bin/sh", "-c", "exit 1", "x", "--token="+secret, "--password", placed), false},
		{"shell", func() Options {
			o := options(dir)
			o.Command.Shell = ": mysql -p" + placed + " " + secret + "; echo error: bad token " + secret + "; exit 1"
			return o
		}(), false},
		{"output", shell(dir, "echo error: bad token $KEY; exit 1"), false},
		{"recovered", shell(dir, "echo error: bad token $KEY; : --password "+placed+"; exit 1"), true},
		{"not found", options(dir, "no-such-"+secret), false},
		{"start error", options(dir, "cat", "--password", placed+"\x00"), false},
		{"agent", func() Options {
			o := shell(dir, "exit 1")
			o.By = &manifest.By{Agent: secret, Session: secret}
			return o
		}(), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.o
			o.Command.Env = append(os.Environ(), "KEY="+secret)
			if tt.fail {
				o.hurt = appendFails(&nth{at: 1, err: syscall.EIO, forever: true})
			}
			out := Run(t.Context(), o)
			out.Settle(t.Context())
			s := site(t, dir)
			Settle(t.Context(), s, true)
			text, err := render.Compact(out.Result, out.Raw), error(nil)
			if err != nil {
				t.Fatal(err)
			}
			record := mustJSON(out.Record)
			if tt.fail {
				all := records(t, s)
				record = mustJSON(all[len(all)-1])
			}
			shown := string(text) + string(out.Raw) + record + git(t, dir, "log", "-p", "cairn") + manifestText(t, s.Dir)
			for _, bad := range []string{secret, secretFor("F1"), placed} {
				if i := strings.Index(shown, bad); i >= 0 {
					t.Errorf("leaked: …%s", shown[max(0, i-200):i])
				}
			}
			if !strings.Contains(record, `"redacted":[`) {
				t.Errorf("no count: %s", record)
			}
		})
	}
}

func manifestText(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	filepath.WalkDir(filepath.Join(dir, "manifest"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(path)
			all.Write(data)
		}
		return nil
	})
	return all.String()
}

// The same failure has one fingerprint and one key, whatever the secret in it.
func TestIdentityHasNoSecret(t *testing.T) {
	dir := nowhere(t)
	seen := map[string]bool{}
	for _, n := range []string{"F1", "G2"} {
		o := options(dir, "/bin/sh", "-c", "cat out; exit 1", "x", "--token="+secretFor(n))
		text := "--- FAIL: TestA (0.00s)\n    a_test.go:7: bad token " + secretFor(n) + "\nFAIL\nFAIL\tmod\t0.1s\nFAIL\n"
		os.WriteFile(filepath.Join(dir, "out"), []byte(text), 0o600)
		out := Run(t.Context(), o)
		out.Settle(t.Context())
		if len(out.Result.Findings) == 0 {
			t.Fatalf("no finding: %s", mustJSON(out.Result))
		}
		seen[out.Record.Key+" "+out.Result.Findings[0].Fingerprint] = true
	}
	if len(seen) != 1 {
		t.Errorf("%v", seen)
	}
}
