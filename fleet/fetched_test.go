package fleet_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/fleet"
	"cairn/fleet/fleettest"
	"cairn/internal/place"
)

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// share puts the records of a repository's directory onto the branch that carries them.
func share(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", `
set -e
cd "$0"
export GIT_INDEX_FILE=$PWD/.git/of-record
rm -f "$GIT_INDEX_FILE"
git --work-tree="$1" add -f -A .
tree=$(git write-tree)
parent=$(git rev-parse -q --verify refs/heads/$2 || :)
commit=$(git -c user.name=a -c user.email=a@example.com commit-tree ${parent:+-p $parent} -m record "$tree")
git update-ref refs/heads/$2 "$commit"`, dir, recordOf(t, dir), place.DefaultBranch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// recordOf is a copy of the record alone: what the branch carries.
func recordOf(t *testing.T, dir string) string {
	t.Helper()
	site := fleettest.Open(t, dir)
	defer site.Close()
	to := t.TempDir()
	if err := os.CopyFS(filepath.Join(to, "manifest"), os.DirFS(filepath.Join(site.Dir, "manifest"))); err != nil {
		t.Fatal(err)
	}
	return to
}

func runsIn(t *testing.T, dir string) (runs int, name string) {
	t.Helper()
	c, err := fleet.Open(t.Context(), dir, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, err := range c.Rows(t.Context(), func(string) fleet.Known { return fleet.Absent }) {
		if err != nil {
			t.Fatal(err)
		}
		runs++
	}
	return runs, c.Repository
}

// TestFetch: of each address in a list the branch of the record comes, without the code, and the next time what is new; the others come although one fails.
func TestFetch(t *testing.T) {
	app, bare := fleettest.Repo(t, "app", 12), fleettest.Repo(t, "bare", 0)
	share(t, app)
	list, cache := filepath.Join(t.TempDir(), "list"), t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# ours\nfile://" + app + "\n\nfile://" + bare + "\nfile://" + app + "\n/nosuch/place\n")
	dirs, err := fleet.Fetch(t.Context(), list, cache, nil)
	if len(dirs) != 1 || err == nil || !strings.Contains(err.Error(), "has no branch "+place.DefaultBranch) || !strings.Contains(err.Error(), "nosuch/place") {
		t.Fatalf("%v %v", dirs, err)
	}
	if runs, name := runsIn(t, dirs[0]); runs != 12 || !strings.HasSuffix(app, name) {
		t.Errorf("%d runs of %s", runs, name)
	}
	if refs := gitIn(t, dirs[0], "for-each-ref", "--format=%(refname)"); refs != "refs/remotes/origin/"+place.DefaultBranch+"\n" {
		t.Errorf("more than the record came: %s", refs)
	}
	write("file://" + app + " of app\nfile://" + app + "\toci://host/of-app\n")
	var brought []string
	bring := func(_ context.Context, dir, objects string) error {
		brought = append(brought, objects)
		return errors.New("no such host")
	}
	if dirs, err := fleet.Fetch(t.Context(), list, cache, bring); len(brought) != 1 || brought[0] != "oci://host/of-app" || len(dirs) != 1 || err == nil || !strings.Contains(err.Error(), "no such host") {
		t.Errorf("%v, of %v: %v", brought, dirs, err)
	}
	fleettest.Add(t, app, 12, 15)
	share(t, app)
	write("file://" + app + "\n")
	if dirs, err = fleet.Fetch(t.Context(), list, cache, nil); err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	if runs, _ := runsIn(t, dirs[0]); runs != 15 {
		t.Errorf("%d runs after more were shared", runs)
	}
	if info, err := os.Stat(dirs[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for _, bad := range []string{"", "# none\n", "--upload-pack=touch x\n", "ext::sh -c touch% x\n"} {
		write(bad)
		if dirs, err := fleet.Fetch(t.Context(), list, cache, nil); err == nil {
			t.Errorf("%q: %v", bad, dirs)
		}
	}
}
