package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"pgregory.net/rapid"
)

// TestObjectStores is the conformance suite: what any objectStore must do, run on
// each of them in each object format it is used for.
func TestObjectStores(t *testing.T) {
	for _, s := range []struct {
		name, format string
		open         func(r *Repo) objectStore
	}{
		{"loose sha1", "sha1", func(r *Repo) objectStore { return newLooseStore(r, sharing{}) }},
		{"git sha1", "sha1", func(r *Repo) objectStore { return newGitStore(r) }},
		{"git sha256", "sha256", func(r *Repo) objectStore { return newGitStore(r) }},
	} {
		t.Run(s.name, func(t *testing.T) {
			dir := newRepo(t, "--object-format="+s.format)
			testObjectStore(t, dir, func() objectStore { return s.open(discover(t, dir)) })
		})
	}
}

func testObjectStore(t *testing.T, dir string, open func() objectStore) {
	ctx := context.Background()
	db := open()
	defer func() { db.close() }()
	r := discover(t, dir)
	blobs := [][]byte{nil, []byte("x"), []byte("line\r\nno filters\n"), {0, 255, 10}, bytes.Repeat([]byte("long "), 100_000)}
	var oids []string
	for _, data := range blobs {
		oid, err := db.write(ctx, plumbing.BlobObject, data)
		if err != nil {
			t.Fatal(err)
		}
		again, err := db.write(ctx, plumbing.BlobObject, data)
		if err != nil || again != oid {
			t.Errorf("second write: %s, %v", again, err)
		}
		oids = append(oids, oid)
	}
	tree, err := encodeTree([]entry{{"f", filemode.Regular, oids[1]}, {"e", filemode.Regular, oids[0]}})
	if err != nil {
		t.Fatal(err)
	}
	treeOID, err := db.write(ctx, plumbing.TreeObject, tree)
	if err != nil {
		t.Fatal(err)
	}
	commitData := commit{tree: treeOID, author: nobody, committer: nobody, when: when, subject: "s"}.encode()
	commitOID, err := db.write(ctx, plumbing.CommitObject, commitData)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.restore(ctx); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, db objectStore) {
		for i, oid := range oids {
			kind, data, err := db.read(ctx, oid)
			if err != nil || kind != plumbing.BlobObject || !bytes.Equal(data, blobs[i]) {
				t.Errorf("blob %d: %v, %d bytes, %v", i, kind, len(data), err)
			}
		}
		for oid, want := range map[string][]byte{treeOID: tree, commitOID: commitData} {
			if _, data, err := db.read(ctx, oid); err != nil || !bytes.Equal(data, want) {
				t.Errorf("%s: %q, %v", oid, data, err)
			}
		}
	}
	t.Run("written is read", func(t *testing.T) { check(t, db) })
	t.Run("git agrees", func(t *testing.T) {
		if got := sh(t, dir, "cat-file", "-t", treeOID); got != "tree" {
			t.Errorf("git says %s", got)
		}
		sh(t, dir, "update-ref", "refs/heads/kept", commitOID)
		fsck(t, dir)
	})
	t.Run("missing, and the next read works", func(t *testing.T) {
		if _, _, err := db.read(ctx, strings.Repeat("12", r.hexLen()/2)); !errors.Is(err, ErrMissing) {
			t.Errorf("err = %v", err)
		}
		check(t, db)
	})
	t.Run("not an object id", func(t *testing.T) {
		for _, oid := range []string{"HEAD", "", "--batch", oids[1][:10], oids[1] + "\n" + oids[0]} {
			if _, _, err := db.read(ctx, oid); err == nil {
				t.Errorf("%q was read", oid)
			}
		}
	})
	t.Run("wrong kind", func(t *testing.T) {
		if _, err := readKind(ctx, db, plumbing.TreeObject, oids[1]); err == nil {
			t.Error("a blob was read as a tree")
		}
	})
	t.Run("packed", func(t *testing.T) {
		for _, oid := range oids[2:] {
			sh(t, dir, "tag", "t"+oid[:8], oid)
		}
		sh(t, dir, "gc", "-q", "--prune=now")
		check(t, db)
		fresh := open()
		defer fresh.close()
		check(t, fresh)
	})
}

func TestLooseFiles(t *testing.T) {
	ctx := context.Background()
	data := []byte("content of the object\n")
	t.Run("mode is git's", func(t *testing.T) {
		for _, shared := range []string{"", "group", "all", "0640", "umask", "true"} {
			t.Run("shared="+shared, func(t *testing.T) {
				dir := newRepo(t)
				if shared != "" {
					sh(t, dir, "config", "core.sharedRepository", shared)
				}
				r := discover(t, dir)
				fresh := func(oid string) bool { // it will lie in a directory that is made for it
					_, err := os.Stat(filepath.Join(r.objectDir, oid[:2]))
					return err != nil
				}
				var data []byte
				var theirs, want string
				for i := 0; theirs == "" || !fresh(want) || !fresh(theirs) || want[:2] == theirs[:2]; i++ {
					write(t, dir+"/f", fmt.Sprint("written by git ", i))
					theirs = sh(t, dir, "hash-object", "f")
					data = fmt.Append(nil, "written by cairn ", i)
					want = plumbing.ComputeHash(plumbing.BlobObject, data).String()
				}
				sh(t, dir, "hash-object", "-w", "f")
				db, err := r.objects(ctx)
				if err != nil {
					t.Fatal(err)
				}
				ours, err := db.write(ctx, plumbing.BlobObject, data)
				if err != nil {
					t.Fatal(err)
				}
				for _, part := range []func(string) string{
					func(oid string) string { return oid[:2] }, func(oid string) string { return oid[:2] + "/" + oid[2:] },
				} {
					a, _ := os.Stat(filepath.Join(r.objectDir, part(theirs)))
					b, _ := os.Stat(filepath.Join(r.objectDir, part(ours)))
					if a.Mode() != b.Mode() {
						t.Errorf("%s: git makes %v, we %v", part(ours), a.Mode(), b.Mode())
					}
				}
			})
		}
	})
	open := func(t *testing.T) (*looseStore, string) {
		s := newLooseStore(discover(t, newRepo(t)), sharing{})
		oid, err := s.write(ctx, plumbing.BlobObject, data)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.close() })
		return s, oid
	}
	t.Run("an existing object becomes young again", func(t *testing.T) {
		s, oid := open(t)
		old := time.Now().Add(-1000 * time.Hour)
		if err := os.Chtimes(s.path(oid), old, old); err != nil {
			t.Fatal(err)
		}
		s.write(ctx, plumbing.BlobObject, data)
		if st, _ := os.Stat(s.path(oid)); time.Since(st.ModTime()) > time.Hour {
			t.Errorf("still of %v: git gc would take it", st.ModTime())
		}
	})
	t.Run("an empty file of a power cut is written again", func(t *testing.T) {
		s, oid := open(t)
		os.Chmod(s.path(oid), 0o644)
		os.Truncate(s.path(oid), 0)
		s.write(ctx, plumbing.BlobObject, data)
		if _, got, err := s.files.read(oid); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("pruned before the ref moved", func(t *testing.T) {
		s, oid := open(t)
		os.Remove(s.path(oid))
		if err := s.restore(ctx); err != nil {
			t.Fatal(err)
		}
		if _, got, err := s.files.read(oid); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("damage is never returned", func(t *testing.T) {
		s, oid := open(t)
		whole, _ := os.ReadFile(s.path(oid))
		os.Chmod(s.path(oid), 0o644)
		for i := range whole {
			for _, bad := range [][]byte{whole[:i], append(append(bytes.Clone(whole[:i]), whole[i]^0x10), whole[i+1:]...)} {
				os.WriteFile(s.path(oid), bad, 0o644)
				if _, got, err := s.files.read(oid); err == nil && !bytes.Equal(got, data) {
					t.Fatalf("damage at %d: read %q", i, got)
				}
			}
		}
		if _, _, err := s.read(ctx, oid); err == nil {
			t.Error("no error in the end")
		}
	})
	t.Run("no temporary file stays", func(t *testing.T) {
		s, _ := open(t)
		names, _ := filepath.Glob(filepath.Join(s.dir, "tmp_obj_*"))
		if len(names) > 0 {
			t.Errorf("%v", names)
		}
	})
}

// TestCodecAgainstGoGit holds our trees and commits against go-git's own.
func TestCodecAgainstGoGit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[a-c.0-]{1,4}`), func(s string) string { return s }).Draw(t, "names")
		var entries []entry
		for i, name := range names {
			mode := rapid.SampledFrom([]filemode.FileMode{filemode.Regular, filemode.Dir, filemode.Executable, filemode.Symlink, filemode.Submodule}).Draw(t, "mode")
			entries = append(entries, entry{name, mode, fmt.Sprintf("%040x", i+1)})
		}
		data, err := encodeTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		mem := &plumbing.MemoryObject{}
		mem.SetType(plumbing.TreeObject)
		mem.Write(data)
		var theirs object.Tree
		if err := theirs.Decode(mem); err != nil {
			t.Fatal(err)
		}
		back := &plumbing.MemoryObject{}
		if err := theirs.Encode(back); err != nil { // fails when the order is not git's
			t.Fatal(err)
		}
		if back.Hash() != mem.Hash() {
			t.Fatalf("go-git encodes %v otherwise", entries)
		}
		ours, err := parseTree(data, 20)
		if err != nil || len(ours) != len(entries) {
			t.Fatalf("%v, %v", ours, err)
		}
		for i, e := range ours {
			if e != entries[i] {
				t.Fatalf("%v is read as %v", entries[i], e)
			}
		}

		c := commit{tree: strings.Repeat("ab", 20), parents: []string{strings.Repeat("01", 20), strings.Repeat("02", 20)}, author: person{"A B", "a@b"}, committer: nobody,
			when: when, subject: rapid.String().Draw(t, "subject"), body: rapid.String().Draw(t, "body")}
		cm := &plumbing.MemoryObject{}
		cm.SetType(plumbing.CommitObject)
		cm.Write(c.encode())
		var gc object.Commit
		if err := gc.Decode(cm); err != nil {
			t.Fatal(err)
		}
		cb := &plumbing.MemoryObject{}
		if err := gc.Encode(cb); err != nil {
			t.Fatal(err)
		}
		tree, err := commitTree(c.encode())
		if cb.Hash() != cm.Hash() || gc.NumParents() != 2 || tree != c.tree || err != nil || strings.Contains(oneLine(c.subject), "\n") {
			t.Fatalf("go-git reads %+v", gc)
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"), 20)
	f.Add([]byte("40000 d\x0001234567890123456789012345678901"), 32)
	f.Fuzz(func(t *testing.T, data []byte, rawLen int) {
		if rawLen != 20 && rawLen != 32 {
			return
		}
		entries, err := parseTree(data, rawLen)
		if err != nil {
			return
		}
		out, err := encodeTree(entries)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseTree(out, rawLen)
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%v is read back as %v, %v", entries, again, err)
		}
	})
}

// TestEncodeSizes reads objects around the size from which they are compressed
// back with go-git's codec and with git.
func TestEncodeSizes(t *testing.T) {
	dir := newRepo(t)
	ctx := context.Background()
	s := newLooseStore(discover(t, dir), sharing{})
	defer s.close()
	edge := storedMost - len("blob 4077\x00")
	for _, size := range []int{0, 1, edge - 1, edge, edge + 1, edge + 2, 65535, 65536, 70000, 3} {
		data := bytes.Repeat([]byte("a line of a shard\n"), size/18+1)[:size]
		oid, err := s.write(ctx, plumbing.BlobObject, data)
		if err != nil {
			t.Fatal(err)
		}
		kind, got, err := s.files.read(oid)
		if kind != plumbing.BlobObject || !bytes.Equal(got, data) || err != nil {
			t.Errorf("%d bytes: go-git reads a %s of %d bytes, %v", size, kind, len(got), err)
		}
		if kind, got, err = s.cat.read(ctx, oid); kind != plumbing.BlobObject || !bytes.Equal(got, data) || err != nil {
			t.Errorf("%d bytes: git reads a %s of %d bytes, %v", size, kind, len(got), err)
		}
	}
	if _, _, err := s.read(ctx, discover(t, dir).zeroOID()); !errors.Is(err, ErrMissing) {
		t.Errorf("err = %v", err)
	}
	fsck(t, dir)
}

// TestGCTakesFanOut: git gc removes empty directories of the object store
// between our making one and using it.
func TestGCTakesFanOut(t *testing.T) {
	dir := t.TempDir()
	s := &looseStore{dir: dir}
	stop := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-stop:
				return
			default:
				os.Remove(filepath.Join(dir, "aa")) // only when empty
			}
		}
	}()
	for range 2000 {
		f, err := tempObject(dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		final := filepath.Join(dir, "aa", "bb")
		if err := s.rename(f.Name(), final); err != nil {
			t.Fatal(err)
		}
		os.Remove(final)
	}
	close(stop)
	<-gone
}
