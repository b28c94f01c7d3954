package gitrepo

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"pgregory.net/rapid"
)

// memoryStore is the objects of a test.
type memoryStore map[string][]byte

func (m memoryStore) read(_ context.Context, oid string) (plumbing.ObjectType, []byte, error) {
	data, ok := m[oid]
	if !ok {
		return 0, nil, &Error{Kind: ErrMissing}
	}
	kind, err := plumbing.ParseObjectType(string(data[:4]))
	return kind, data[4:], err
}

func (m memoryStore) write(_ context.Context, kind plumbing.ObjectType, data []byte) (string, error) {
	oid := plumbing.ComputeHash(kind, data).String()
	m[oid] = append([]byte(kind.String()), data...)
	return oid, nil
}

func (m memoryStore) restore(context.Context) error { return nil }
func (m memoryStore) close() error                  { return nil }

// flatten is every file below a tree.
func flatten(t *rapid.T, ed *editor, at, oid string, into map[string]string) {
	entries, err := ed.tree(context.Background(), oid)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.isDir() {
			flatten(t, ed, at+e.name+"/", e.oid, into)
			continue
		}
		_, data, err := ed.db.read(context.Background(), e.oid)
		if err != nil {
			t.Fatal(err)
		}
		into[at+e.name] = string(data)
	}
}

// TestEditsAgainstModel: a tree edited step by step holds what a map would, is
// the same tree as one made at once in any order, and the union of two trees has the
// files of both.
func TestEditsAgainstModel(t *testing.T) {
	path := rapid.StringMatching(`(d(\.a|-|0|x)?/){0,3}(f|d)(\.a|-|0)?y`)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		ed := &editor{memoryStore{}, 20}
		grow := func(label string) (string, map[string]string) {
			model, tree := map[string]string{}, ""
			for range rapid.IntRange(0, 5).Draw(t, label) {
				var changes []Change
				for _, p := range rapid.SliceOfN(path, 0, 6).Draw(t, "paths") {
					if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
						changes = append(changes, Change{p, func([]byte) []byte { return nil }})
						delete(model, p)
						continue
					}
					text := rapid.StringN(0, 3, 9).Draw(t, "text")
					changes = append(changes, Change{p, func(old []byte) []byte { return append(append([]byte{}, old...), text...) }})
					model[p] += text
				}
				list, err := edits(changes)
				if err != nil {
					t.Fatal(err)
				}
				if tree, err = ed.apply(ctx, tree, list); err != nil {
					t.Fatal(err)
				}
			}
			got := map[string]string{}
			flatten(t, ed, "", tree, got)
			if !maps.Equal(got, model) {
				t.Fatalf("tree has %q, model %q", got, model)
			}
			return tree, model
		}
		a, modelA := grow("steps of a")
		b, modelB := grow("steps of b")

		var all []edit
		for _, p := range rapid.Permutation(slices.Sorted(maps.Keys(modelA))).Draw(t, "order") {
			all = append(all, edit{strings.Split(p, "/"), func([]byte) []byte { return append([]byte{}, modelA[p]...) }})
		}
		if once, err := ed.apply(ctx, "", all); err != nil || once != a {
			t.Fatalf("made at once it is %q, step by step %q, %v", once, a, err)
		}

		joined, err := ed.union(ctx, "", []string{a, b}, func(_ string, v [][]byte) []byte { return bytes.Join(v, []byte("|")) })
		if err != nil {
			t.Fatal(err)
		}
		want := maps.Clone(modelB)
		for p, text := range modelA {
			if other, both := modelB[p]; both && other != text {
				text += "|" + other
			}
			want[p] = text
		}
		got := map[string]string{}
		flatten(t, ed, "", joined, got)
		if !maps.Equal(got, want) {
			t.Fatalf("union has %q, want %q", got, want)
		}
	})
}

func TestValidPath(t *testing.T) {
	for path, want := range map[string]bool{
		"a": true, "manifest/2026/11/20/w-1.jsonl": true, ".cairn": true, "README": true, "a.b/c_d-e": true,
		"": false, "/": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "a/../b": false, "a/./b": false,
		".git": false, "a/.GIT/x": false, ".gitmodules": false, "git~1": false, "a\\b": false, "a:b": false, "a\nb": false, "a b": false,
		"ä": false, "a\x00": false, "dot.": false, strings.Repeat("a", 256): false,
	} {
		if got := validPath(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// TestObjectDirectory: GIT_OBJECT_DIRECTORY is the user's choice and counts, except in
// the quarantine of a pre-receive hook, whose objects may be thrown away.
func TestObjectDirectory(t *testing.T) {
	for _, quarantine := range []bool{false, true} {
		dir := newRepo(t)
		elsewhere := realTemp(t)
		t.Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", dir+"/.git/objects")
		t.Setenv("GIT_OBJECT_DIRECTORY", elsewhere)
		if quarantine {
			t.Setenv("GIT_QUARANTINE_PATH", elsewhere)
		}
		b := branch(t, discover(t, dir))
		commitLine(t, b, "a", "1")
		tip := commitLine(t, b, "a", "2")
		want := elsewhere
		if quarantine {
			want = dir + "/.git/objects"
		}
		if got := discover(t, dir).objectDir; got != want {
			t.Errorf("quarantine %v: objects go to %s", quarantine, got)
		}
		if got := readFile(t, discover(t, dir), tip, "a"); got != "1\n2\n" {
			t.Errorf("quarantine %v: %q", quarantine, got)
		}
	}
}
