package fleet

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/fleet.md anew")

// TestPage: the page for people has the columns that the row types declare.
func TestPage(t *testing.T) {
	const begin, end = "<!-- tables -->\n", "<!-- end of tables -->\n"
	var b strings.Builder
	for _, table := range Tables() {
		fmt.Fprintf(&b, "\n### %s\n\n| column | type | what |\n|---|---|---|\n", table.Name)
		for _, c := range table.Columns {
			null := ""
			if c.Null {
				null = ", or null"
			}
			if c.Name == "" || c.About == "" {
				t.Errorf("a column of %s has no name or no meaning: %+v", table.Name, c)
			}
			fmt.Fprintf(&b, "| `%s` | %s%s | %s |\n", c.Name, c.Type, null, c.About)
		}
	}
	const path = "../docs/fleet.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), begin)
	was, tail, is := strings.Cut(rest, end)
	if *update {
		err := os.WriteFile(path, []byte(head+begin+b.String()+"\n"+end+tail), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if !is || was != b.String()+"\n" {
		t.Errorf("%s has other tables than the row types: go -C fleet test . -run TestPage -update", path)
	}
}

func TestNameOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://user:secret@github.com/example/app.git": "github.com/example/app",
		"git@github.com:example/app.git":                 "github.com/example/app",
		"ssh://git@host:2222/team/app":                   "host:2222/team/app",
		"host:app/":                                      "host/app",
		"file:///srv/git/app.git":                        "srv/git/app",
		"../app.git":                                     "../app",
		"/srv/a:b/app.git":                               "/srv/a:b/app",
	} {
		if got := NameOf(address); got != want {
			t.Errorf("%s is called %s, want %s", address, got, want)
		}
	}
}

// TestNameOfRelative: clones beside one another may have remotes of the same relative address, and are not one repository.
func TestNameOfRelative(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "team/app"}, {"-C", "team/app", "remote", "add", "origin", "../app.git"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	c, err := Open(t.Context(), filepath.Join(dir, "team/app"), func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !filepath.IsAbs(c.Repository) || !strings.HasSuffix(c.Repository, "/team/app") {
		t.Errorf("it is called %s", c.Repository)
	}
}

func TestIDOf(t *testing.T) {
	const id = "01JD5Z2V6Q8T9W0XABCDEFGHJK"
	for line, want := range map[string]string{
		`{"v":3,"id":"` + id + `","time":"x"}`:           id,
		`{"v":3,"target":"x","id":"` + id + `"}`:         "",
		`{"argv":["a"],"id":"` + id + `"}`:               "",
		`{"v":3,"id":"01JD5Z"}`:                          "",
		`{"v":3,"argv":["\",\"id\":\"` + id + `\",\""]}`: "",
	} {
		if got := idOf([]byte(line)); got != want {
			t.Errorf("the id of %s is %q, want %q", line, got, want)
		}
	}
}
