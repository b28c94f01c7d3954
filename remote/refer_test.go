package remote_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	oras "oras.land/oras-go/v2/registry/remote"

	"cairn/objects"
	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/oci"
)

// discovered is what "oras discover HOST/REPOSITORY:commit-…" finds: the titles of the layers of every manifest that refers to the commit.
func discovered(t *testing.T, at, commit string) (titles []string) {
	t.Helper()
	repo, err := oras.NewRepository(at)
	if err != nil {
		t.Fatal(err)
	}
	repo.PlainHTTP = true
	subject, err := repo.Resolve(t.Context(), "commit-"+commit)
	if err != nil {
		t.Fatal(err)
	}
	err = repo.Referrers(t.Context(), subject, "", func(page []ocispec.Descriptor) error {
		for _, d := range page {
			from, err := repo.Fetch(t.Context(), d)
			if err != nil {
				return err
			}
			var m ocispec.Manifest
			if err := json.NewDecoder(from).Decode(&m); err != nil {
				return err
			}
			from.Close()
			if d.ArtifactType != "application/vnd.cairn.runs.v1" || m.Annotations[ocispec.AnnotationRevision] != commit {
				t.Errorf("%+v", d)
			}
			for _, l := range m.Layers {
				if there, err := repo.Blobs().Exists(t.Context(), l); err != nil || !there {
					t.Errorf("layer %s: %v %v", l.Digest, there, err)
				}
				titles = append(titles, l.Annotations[ocispec.AnnotationTitle])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(titles)
	return titles
}

// TestReferrers: a commit in a registry has the bodies of its runs as referrers, of a first push and of later ones, until a collection takes
// the bodies.
func TestReferrers(t *testing.T) {
	for _, server := range []string{"registry", "distribution"} {
		t.Run(server, func(t *testing.T) {
			at := fmt.Sprintf("127.0.0.1:%d/refer/app", backendtest.Serve(t, "..", server))
			b, err := remote.OpenBackend("oci://"+at, map[string]remote.Opener{"oci": oci.Open})
			if err != nil {
				t.Fatal(err)
			}
			a := newClone(t, b, newKey(t))
			put := func(n int, text string) objects.ID {
				info, err := a.store.PutBytes(bytes.Repeat([]byte(text), n))
				if err != nil {
					t.Fatal(err)
				}
				return info.ID
			}
			small, shared, big, later := put(10, "small"), put(10, "shared"), put(20_000, "large"), put(9, "later")
			first, second := strings.Repeat("1", 40), strings.Repeat("2", 40)
			push := func(ids []objects.ID, commits ...remote.Commit) {
				t.Helper()
				r := *a.r
				r.Commits = commits
				if _, err := r.Push(t.Context(), a.store, ids); err != nil {
					t.Fatal(err)
				}
			}
			of := remote.Commit{Name: first, IDs: []objects.ID{small, shared, big}}
			push([]objects.ID{small, shared, big}, of)
			was := discovered(t, at, first)
			if len(was) != 2 || !strings.HasPrefix(was[0], "objects/") || !strings.HasPrefix(was[1], "packs/") {
				t.Fatalf("%v", was)
			}
			push([]objects.ID{small, shared, big, later}, remote.Commit{Name: second, IDs: []objects.ID{shared, later}}, of)
			if got := discovered(t, at, first); !slices.Equal(got, was) {
				t.Errorf("nothing new was pushed of the first commit, which has now %v", got)
			}
			if got := discovered(t, at, second); len(got) != 2 || !slices.Contains(got, was[1]) {
				t.Errorf("of the second commit there are %v, want the pack of its own and %s", got, was[1])
			}
			collect := func(live ...objects.ID) (commits []string) {
				t.Helper()
				later := time.Now().Add(time.Hour)
				is := func(id objects.ID) bool { return slices.Contains(live, id) }
				plan, err := a.r.Collect(t.Context(), is, later, 0, true)
				if err != nil {
					t.Fatal(err)
				}
				done, err := a.r.Collect(t.Context(), is, later, 0, false)
				if err != nil || len(done) == 0 || !slices.EqualFunc(plan, done, func(a, b remote.Removal) bool { return a.Key == b.Key }) {
					t.Fatalf("%v; removed %v, of which a dry run says %v", err, done, plan)
				}
				for _, g := range done {
					if strings.HasPrefix(g.Key, "commit-") {
						commits = append(commits, g.Key)
					}
				}
				return commits
			}
			if gone := collect(shared, later); len(gone) > 0 {
				t.Errorf("removed: %v", gone)
			}
			if got := discovered(t, at, first); !slices.Equal(got, was[1:]) {
				t.Errorf("without the large object the first commit has %v", got)
			}
			if gone := collect(); !slices.Equal(gone, []string{"commit-" + first, "commit-" + second}) {
				t.Errorf("removed: %v", gone)
			}
			for e, err := range b.List(t.Context(), "") {
				if err != nil || !strings.HasPrefix(e.Key, "tombstones/") && !strings.HasPrefix(e.Key, "sha256-") {
					t.Errorf("left: %v %v", e.Key, err)
				}
			}
		})
	}
}
