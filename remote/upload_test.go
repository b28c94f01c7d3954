package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"cairn/objects"
	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/oci"
)

// breaking is a way in which requests with a body end badly, some times.
type breaking struct {
	left  atomic.Int64 // how many more requests do
	after int64        // bytes that the registry gets of such a one; -1: all of them
	whole bool         // the registry's answer gets lost, not the body
	sent  atomic.Int64
}

// partial ends early.
type partial struct{ io.Reader }

func (partial) Close() error { return nil }

func (p partial) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (b *breaking) fault(w http.ResponseWriter, r *http.Request, serve http.Handler) {
	if r.ContentLength > remote.SmallObject {
		r.Body = counted{r.Body, &b.sent}
	}
	if r.ContentLength <= b.after || r.ContentLength < remote.SmallObject || b.left.Add(-1) < 0 {
		serve.ServeHTTP(w, r)
		return
	}
	if !b.whole {
		r.Body = partial{io.LimitReader(r.Body, b.after)}
	}
	serve.ServeHTTP(httptest.NewRecorder(), r)
	if b.whole {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	panic(http.ErrAbortHandler)
}

type counted struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// TestPushCut: a push to a registry goes on behind the byte at which its connection was cut, also where only the answer was lost. The smaller
// registry takes bodies in one piece.
func TestPushCut(t *testing.T) {
	for _, server := range []string{"registry", "distribution"} {
		t.Run(server, func(t *testing.T) {
			port := backendtest.Serve(t, "..", server)
			for i, c := range []struct {
				after int64
				cuts  int64
				whole bool
			}{{1, 1, false}, {100_000, 2, false}, {10_000_000, 3, false}, {-1, 1, true}} {
				t.Run(fmt.Sprint(c.after), func(t *testing.T) {
					cut := &breaking{after: c.after, whole: c.whole}
					if server == "registry" {
						c.cuts = 1
					}
					cut.left.Store(c.cuts)
					at := between(t, port, true, cut.fault)
					b, err := remote.OpenBackend(fmt.Sprintf("oci://%s/pushed/cut%d", at, i), map[string]remote.Opener{"oci": oci.Open})
					if err != nil {
						t.Fatal(err)
					}
					key := newKey(t)
					a, other := newClone(t, b, key), newClone(t, b, key)
					id := a.large(t)
					if _, err := a.r.Push(t.Context(), a.store, []objects.ID{id}); err != nil || cut.left.Load() > 0 {
						t.Fatalf("%v; %d cuts are left", err, cut.left.Load())
					}
					most := 2*remote.LargeBytes + remote.LargeBytes/2 + c.after // a busy registry may not know yet of what came last
					if c.whole {
						most += remote.LargeBytes // sent once more by the client's own retry
					}
					if sent := cut.sent.Load(); server != "registry" && sent > most {
						t.Errorf("%d bytes were sent of %d", sent, 2*remote.LargeBytes)
					}
					if err := other.r.Fetch(t.Context(), other.store, remote.Wanted{ID: id, Size: -1}); err != nil {
						t.Fatal(err)
					}
					same(t, a, other, []objects.ID{id})
					leftovers(t, a, other)
				})
			}
		})
	}
}

// TestPushAnew: a registry that has forgotten what was begun, or has other bytes of it, gets the body from its beginning.
func TestPushAnew(t *testing.T) {
	port := backendtest.Serve(t, "..", "distribution")
	for name, spoil := range map[string]func(t *testing.T, at, place string){
		"forgotten": func(t *testing.T, at, place string) { ask(t, http.MethodDelete, at, place, "", http.StatusNoContent) },
		"other bytes": func(t *testing.T, at, place string) {
			ask(t, http.MethodPatch, at, place, "other", http.StatusAccepted)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			at := between(t, port, true, func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
				if ctx.Err() == nil && strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprint(remote.LargeBytes, "-")) {
					cancel()
					io.Copy(io.Discard, r.Body)
				}
				serve.ServeHTTP(w, r)
			})
			b, err := remote.OpenBackend("oci://"+at+"/anew/"+name[:5], map[string]remote.Opener{"oci": oci.Open})
			if err != nil {
				t.Fatal(err)
			}
			a, other := newClone(t, b, nil), newClone(t, b, nil)
			id := a.large(t)
			if _, err := a.r.Push(ctx, a.store, []objects.ID{id}); !errors.Is(err, context.Canceled) {
				t.Fatalf("a push that was ended says %v", err)
			}
			begun, _ := filepath.Glob(filepath.Join(a.r.Dir, "tmp", "push-*.begun"))
			if len(begun) != 1 {
				t.Fatalf("noted: %v", begun)
			}
			text, err := os.ReadFile(begun[0])
			_, place, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
			if err != nil || place == "" {
				t.Fatalf("%v %q", err, text)
			}
			spoil(t, at, place)
			if p, err := a.r.Push(t.Context(), a.store, []objects.ID{id}); err != nil || p.Objects != 1 {
				t.Fatalf("%+v %v", p, err)
			}
			if err := other.r.Fetch(t.Context(), other.store, remote.Wanted{ID: id, Size: -1}); err != nil {
				t.Fatal(err)
			}
			same(t, a, other, []objects.ID{id})
			leftovers(t, a, other)
		})
	}
}

func ask(t *testing.T, method, at, place, body string, want int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+at+place, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != want {
		t.Fatalf("%s %s: %s", method, place, answer.Status)
	}
}
