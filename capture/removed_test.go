//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that removes its repository, or moves it away, is not recorded where no
// repository is any more, and nothing is left there. Where it was moved to, the next
// question records it.
func TestRepositoryGoes(t *testing.T) {
	const kept = `echo out; until ls .git/cairn/incoming/* >.git/there 2>&1; do sleep 0.01; done; `
	for name, tt := range map[string]struct{ line, to string }{
		"removed":       {kept + `rm -rf .git; exit 3`, ""},
		"all removed":   {kept + `rm -rf "$PWD"; exit 3`, ""},
		"moved":         {kept + `mv "$PWD" "$PWD.moved"; exit 3`, ".moved"},
		"moved, silent": {`mv "$PWD" "$PWD.moved"; exit 3`, ".moved"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			o := shell(dir, tt.line)
			o.Later = nobody
			out := Run(t.Context(), o)
			notes := out.CatchUp(t.Context())
			if out.Status != 3 || out.Trouble == nil || !strings.Contains(out.Trouble.Error(), "removed or moved") || len(notes) > 0 || out.Result.RawOID != "" {
				t.Errorf("%d, %v, %q, %s", out.Status, out.Trouble, notes, out.Result.RawOID)
			}
			if _, err := os.Stat(filepath.Join(dir, ".git")); !os.IsNotExist(err) {
				t.Errorf("made again: %v", err)
			}
			if tt.to == "" {
				return
			}
			CatchUp(t.Context(), site(t, dir+tt.to), true, nil)
			all := records(t, site(t, dir+tt.to))
			if len(all) != 1 || all[0].Exit == nil || *all[0].Exit != 3 || all[0].Partial || all[0].Raw == nil || (all[0].Raw.Size == 0) == strings.Contains(tt.line, "echo") {
				t.Errorf("recorded: %s", mustJSON(all))
			}
		})
	}
}

// A repository that another one has taken the place of gets nothing of the first one's.
func TestRepositorySwapped(t *testing.T) {
	dir := repository(t)
	o := shell(dir, `mv .git old; git init -q; exit 3`)
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	if out.Trouble == nil || out.Status != 3 {
		t.Errorf("%v, %d", out.Trouble, out.Status)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "cairn")); !os.IsNotExist(err) {
		t.Errorf("written to the other repository: %v", err)
	}
}
