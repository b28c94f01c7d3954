package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"cairn/objects"
	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

// large puts an object that no compression makes smaller, of two parts and a bit.
func (c clone) large(t *testing.T) objects.ID {
	t.Helper()
	b := make([]byte, 2*remote.LargeBytes+1000)
	rand.New(rand.NewSource(2)).Read(b)
	info, err := c.store.PutBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	return info.ID
}

// wire is a server whose answers can be cut, and what went over it.
type wire struct {
	cutAfter  atomic.Int64 // bytes of a body, after which its connection is cut; 0: it is not
	most      atomic.Int64 // connections that are cut
	atCut     func()
	sent      atomic.Int64 // bytes of answers to GET
	put       atomic.Int64 // bytes of requests
	cuts      atomic.Int64
	ranges    atomic.Int64
	asked     atomic.Int64 // requests that ask how much of a body came
	beforePut atomic.Pointer[func(r *http.Request)]
}

func (w *wire) fault(to http.ResponseWriter, r *http.Request, serve http.Handler) {
	w.put.Add(max(r.ContentLength, 0))
	if r.Header.Get("Range") != "" {
		w.ranges.Add(1)
	}
	if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/uploads/") {
		w.asked.Add(1)
	}
	if before := w.beforePut.Load(); before != nil && (r.Method == http.MethodPut || r.Method == http.MethodPatch) {
		(*before)(r)
	}
	serve.ServeHTTP(&cutting{to, w, r, 0}, r)
}

type cutting struct {
	http.ResponseWriter
	w *wire
	r *http.Request
	n int64
}

func (c *cutting) Write(p []byte) (int, error) {
	if most := c.w.cutAfter.Load(); most > 0 && c.w.cuts.Load() < c.w.most.Load() && c.r.Method == http.MethodGet && c.n+int64(len(p)) > most {
		c.w.cuts.Add(1)
		c.ResponseWriter.Write(p[:max(0, most-c.n)])
		c.ResponseWriter.(http.Flusher).Flush()
		if c.w.atCut != nil {
			c.w.atCut()
		}
		panic(http.ErrAbortHandler)
	}
	n, err := c.ResponseWriter.Write(p)
	c.n += int64(n)
	if c.r.Method == http.MethodGet {
		c.w.sent.Add(int64(n))
	}
	return n, err
}

func (c *cutting) Flush() { c.ResponseWriter.(http.Flusher).Flush() }

// TestResume: a large object goes on where its connection was cut, and where the process ended in which it travelled. The smaller
// registry neither sends nor takes part of a body: there the object travels whole once more.
func TestResume(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	for _, server := range []string{"versitygw", "minio", "registry", "distribution"} {
		t.Run(server, func(t *testing.T) {
			kind := map[string]string{"versitygw": "s3", "minio": "s3", "registry": "oci", "distribution": "oci"}[server]
			w := &wire{}
			at := between(t, backendtest.Serve(t, "..", server), true, w.fault)
			address := map[string]string{"s3": "s3://cairn/resume?endpoint=http://" + at + "&region=us-east-1", "oci": "oci://" + at + "/resume/all"}[kind]
			b, err := remote.OpenBackend(address, map[string]remote.Opener{"s3": s3.Open, "oci": oci.Open})
			if err != nil {
				t.Fatal(err)
			}
			key := newKey(t)
			a := newClone(t, b, key)
			id := a.large(t)
			pushInterrupted(t, server, w, a, id)
			t.Run("cut", func(t *testing.T) {
				c := newClone(t, b, key)
				w.most.Store(100)
				if server == "registry" {
					w.most.Store(1)
				}
				pullCut(t, w, c, id, server != "registry")
				same(t, a, c, []objects.ID{id})
				leftovers(t, c)
			})
			t.Run("ended", func(t *testing.T) {
				c := newClone(t, b, key)
				w.most.Store(100)
				pullEnded(t, w, c, id, server != "registry")
				same(t, a, c, []objects.ID{id})
				leftovers(t, a, c)
			})
		})
	}
}

// pushInterrupted pushes, is ended in the middle, and goes on behind what arrived, but for the smaller registry.
func pushInterrupted(t *testing.T, server string, w *wire, a clone, id objects.ID) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan struct{})
	before := func(r *http.Request) {
		switch number := r.URL.Query().Get("partNumber"); {
		case server == "registry" && r.ContentLength > remote.LargeBytes, strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprint(remote.LargeBytes, "-")):
			cancel()
			io.Copy(io.Discard, r.Body)
		case number == "1":
			go func() { <-r.Context().Done(); close(first) }()
		case number == "2", number == "3":
			<-first // has arrived
			cancel()
			io.Copy(io.Discard, r.Body) // until the client is gone
		}
	}
	w.beforePut.Store(&before)
	if _, err := a.r.Push(ctx, a.store, []objects.ID{id}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a push that was ended says %v", err)
	}
	if kept, _ := filepath.Glob(filepath.Join(a.r.Dir, "tmp", "push-*")); len(kept) != 2 {
		t.Errorf("kept for the next push: %v", kept)
	}
	w.beforePut.Store(nil)
	w.put.Store(0)
	again := *a.r // as the next process has it
	if p, err := again.Push(t.Context(), a.store, []objects.ID{id}); err != nil || p.Objects != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	if server == "registry" && w.asked.Load() != 1 {
		t.Errorf("whether it takes parts of a body was asked %d times", w.asked.Load())
	}
	if sent := w.put.Load(); server != "registry" && (sent < remote.LargeBytes || sent > remote.LargeBytes+remote.LargeBytes/2) {
		t.Errorf("%d bytes were sent the second time, of %d", sent, 2*remote.LargeBytes)
	}
}

// pullCut: each connection is cut after a third, and nothing is sent twice.
func pullCut(t *testing.T, w *wire, c clone, id objects.ID, ranges bool) {
	t.Helper()
	w.cutAfter.Store(remote.LargeBytes * 2 / 3)
	defer w.cutAfter.Store(0)
	w.sent.Store(0)
	w.cuts.Store(0)
	if p, err := c.r.Pull(t.Context(), c.store, []remote.Wanted{{ID: id, Size: 2*remote.LargeBytes + 1000}}); err != nil || p.Objects != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	if n := w.cuts.Load(); n < min(3, w.most.Load()) {
		t.Errorf("it was cut %d times", n)
	}
	if sent := w.sent.Load(); ranges && sent > 2*remote.LargeBytes+remote.LargeBytes/2 {
		t.Errorf("%d bytes were sent for one of %d", sent, 2*remote.LargeBytes)
	}
}

// pullEnded: the process ends in the middle, and the next one asks for the rest.
func pullEnded(t *testing.T, w *wire, c clone, id objects.ID, ranges bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.cutAfter.Store(remote.LargeBytes)
	w.cuts.Store(0)
	w.atCut = cancel
	want := []remote.Wanted{{ID: id, Size: 2*remote.LargeBytes + 1000}}
	if _, err := c.r.Pull(ctx, c.store, want); err == nil {
		t.Fatal("a pull that was ended succeeds")
	}
	w.cutAfter.Store(0)
	kept, _ := filepath.Glob(filepath.Join(c.r.Dir, "tmp", "fetch-*"))
	if len(kept) != 1 || c.store.Has(id) {
		t.Fatalf("kept for the next pull: %v", kept)
	}
	info, err := os.Stat(kept[0])
	if err != nil || info.Size() == 0 { // how much had arrived is a matter of time
		t.Fatalf("%v %v", info.Size(), err)
	}
	w.sent.Store(0)
	w.ranges.Store(0)
	again := *c.r
	if p, err := again.Pull(t.Context(), c.store, want); err != nil || p.Objects != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	if ranges && w.ranges.Load() == 0 || ranges && w.sent.Load() > 2*remote.LargeBytes-info.Size()+100_000 {
		t.Errorf("%d bytes were sent, though %d were here; %d requests were for a rest", w.sent.Load(), info.Size(), w.ranges.Load())
	}
}

// TestResumeDamaged: what is kept of another body, or is damaged, is thrown away and the object comes whole.
func TestResumeDamaged(t *testing.T) {
	for name, text := range map[string]string{"other bytes": strings.Repeat("x", 5000), "longer than the body": strings.Repeat("x", 3*remote.LargeBytes)} {
		t.Run(name, func(t *testing.T) {
			b, key := backend(t, "file://"+t.TempDir()), newKey(t)
			a, c := newClone(t, b, key), newClone(t, b, key)
			id := a.large(t)
			if _, err := a.r.Push(t.Context(), a.store, []objects.ID{id}); err != nil {
				t.Fatal(err)
			}
			// Ended before the first byte: the name is that of the file that the next one looks for.
			ctx, cancel := context.WithCancel(t.Context())
			f := &ending{b, cancel}
			ended := *c.r
			ended.Backend = f
			want := remote.Wanted{ID: id, Size: -1}
			if err := ended.Fetch(ctx, c.store, want); err == nil {
				t.Fatal("it was ended, and succeeds")
			}
			kept, _ := filepath.Glob(filepath.Join(c.r.Dir, "tmp", "fetch-*"))
			if len(kept) != 1 {
				t.Fatalf("kept: %v", kept)
			}
			if err := os.WriteFile(kept[0], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := c.r.Fetch(t.Context(), c.store, want); err != nil {
				t.Fatal(err)
			}
			same(t, a, c, []objects.ID{id})
			leftovers(t, a, c)
		})
	}
}

// ending ends the process, as it were, in the middle of a body.
type ending struct {
	remote.Backend
	end func()
}

func (e *ending) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	body, err := e.Backend.Get(ctx, key, from)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(body, 1000), failing{e.end}), body}, nil
}

type failing struct{ end func() }

func (f failing) Read([]byte) (int, error) {
	f.end()
	return 0, fmt.Errorf("ended: %w", context.Canceled)
}

// TestPackEnded: a pull that is interrupted while it unpacks says so, though the pack itself was read without an error.
func TestPackEnded(t *testing.T) {
	b, key := backend(t, "file://"+t.TempDir()), newKey(t)
	a, c := newClone(t, b, key), newClone(t, b, key)
	ids := a.fill(t)
	if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := *c.r
	ended.Backend = &interrupted{b, cancel}
	if _, err := ended.Pull(ctx, c.store, wanted(ids)); !errors.Is(err, context.Canceled) {
		t.Errorf("it was interrupted, and says %v", err)
	}
	if _, err := c.r.Pull(t.Context(), c.store, wanted(ids)); err != nil {
		t.Fatal(err)
	}
	same(t, a, c, ids)
}

// interrupted ends the pull when the pack is open.
type interrupted struct {
	remote.Backend
	end func()
}

func (i *interrupted) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	body, err := i.Backend.Get(context.WithoutCancel(ctx), key, from)
	if strings.HasPrefix(key, "packs/") {
		i.end()
	}
	return body, err
}
