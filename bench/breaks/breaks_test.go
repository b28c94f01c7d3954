package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInCompact(t *testing.T) {
	w := want{id: "TestA/b", file: "a_test.go"}
	for _, c := range []struct {
		name, text string
		line       int
		want       bool
	}{
		{"one line", "a_test.go:7: TestA/b: no\n", 7, true},
		{"below its file", "a_test.go\n  7:2: TestA/b: no\n", 7, true},
		{"another line", "a_test.go:8: TestA/b: no\n", 7, false},
		{"a longer line number", "a_test.go:77: TestA/b: no\n", 7, false},
		{"another test", "a_test.go:7: TestA/c: no\n", 7, false},
		{"id and place apart", "TestA/b failed\na_test.go:7: no\n", 7, false},
		{"below another file", "a_test.go:1: x\nb_test.go\n  7: TestA/b: no\n", 7, false},
		{"without a place", "failed: TestA/b\n", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := inCompact(w, c.line, []byte(c.text)); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestApply(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := brk{edits: []edit{{"f", "two", "2"}, {"f", "three", "3"}, {"new", "", "made"}}, want: want{file: "f", mark: "3"}}
	undo, err := k.apply(dir)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := k.want.line(dir); err != nil || line != 3 {
		t.Errorf("line %d, %v: want 3", line, err)
	}
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(name); string(text) != "one\ntwo\nthree\n" {
		t.Errorf("after undo: %q", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !os.IsNotExist(err) {
		t.Errorf("the made file stays: %v", err)
	}
	if _, err := (brk{edits: []edit{{"f", "four", "4"}}}).apply(dir); err == nil {
		t.Error("an edit of nothing is no error")
	}
}

// TestTables asks what needs no network: names that are told apart, known
// tools, ten breaks each.
func TestTables(t *testing.T) {
	for _, p := range projects() {
		seen := map[string]bool{}
		for _, k := range p.breaks {
			if seen[k.tool+k.name] {
				t.Errorf("%s: %s: %q stands twice", p.name, k.tool, k.name)
			}
			seen[k.tool+k.name] = true
			if p.tools[k.tool] == nil || k.exit == 0 || len(k.edits) == 0 {
				t.Errorf("%s: %q has no tool, no exit status or no edit", p.name, k.name)
			}
			if (k.want.file == "") != (k.want.mark == "") {
				t.Errorf("%s: %q wants a file without a line", p.name, k.name)
			}
		}
		if len(p.breaks) < 10 {
			t.Errorf("%s is broken in %d ways: want ten", p.name, len(p.breaks))
		}
	}
}
