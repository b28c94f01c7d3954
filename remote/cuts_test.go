package remote_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
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

// cutAt closes the connection of a request at one byte of what is sent, or of what is answered.
type cutAt struct {
	n    int64
	ends atomic.Int64 // how many more connections are cut
	sent bool         // at a byte of what is sent
}

func (c *cutAt) fault(w http.ResponseWriter, r *http.Request, serve http.Handler) {
	if c.sent && r.ContentLength > c.n && c.ends.Add(-1) >= 0 {
		io.CopyN(io.Discard, r.Body, c.n)
		panic(http.ErrAbortHandler)
	}
	if c.sent {
		serve.ServeHTTP(w, r)
		return
	}
	serve.ServeHTTP(&cutAnswer{ResponseWriter: w, c: c, get: r.Method == http.MethodGet}, r)
}

type cutAnswer struct {
	http.ResponseWriter
	c    *cutAt
	get  bool
	came int64
}

func (a *cutAnswer) Write(p []byte) (int, error) {
	if over := a.came + int64(len(p)) - a.c.n; a.get && over > 0 && a.c.ends.Add(-1) >= 0 {
		a.ResponseWriter.Write(p[:max(0, a.c.n-a.came)])
		a.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	a.came += int64(len(p))
	return a.ResponseWriter.Write(p)
}

// TestCutAt: a connection that is cut once, at any byte, costs nothing; where each one is, the error names remote and object, and
// nothing is half there on either side.
func TestCutAt(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	openers := map[string]remote.Opener{"s3": s3.Open, "oci": oci.Open, "git+lfs": openLFS(t)}
	for kind, servers := range map[string][]string{"s3": {"versitygw", "minio"}, "oci": {"registry", "distribution"}, "lfs": {"gitlfs"}} {
		server := servers[0]
		if len(servers) > 1 && strings.Contains(os.Getenv("CAIRN_TEST_SERVERS"), servers[1]) {
			server = servers[1]
		}
		port := backendtest.Serve(t, "..", server)
		open := func(n int, at string) remote.Backend {
			address := fmt.Sprintf("s3://cairn/cuts%d?endpoint=http://%s&region=us-east-1", n, at)
			switch kind {
			case "oci":
				address = fmt.Sprintf("oci://%s/cuts/n%d", at, n)
			case "lfs":
				address = fmt.Sprintf("git+lfs://%s/app%d.git", at, n+1)
			}
			b, err := remote.OpenBackend(address, openers)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		for i, n := range []int64{1, 100_000} {
			t.Run(fmt.Sprintf("%s/once/%d", kind, n), func(t *testing.T) {
				t.Parallel()
				up, down := &cutAt{n: n, sent: true}, &cutAt{n: n}
				up.ends.Store(1)
				down.ends.Store(1)
				a := newClone(t, open(i, between(t, port, true, up.fault)), newKey(t))
				c := newClone(t, open(i, between(t, port, true, down.fault)), nil)
				c.r.Identities = a.r.Identities
				ids := a.fill(t)
				if _, err := a.r.Push(t.Context(), a.store, ids); err != nil || up.ends.Load() > 0 {
					t.Fatalf("push: %v; %d cuts are left", err, up.ends.Load())
				}
				if _, err := c.r.Pull(t.Context(), c.store, wanted(ids)); err != nil || down.ends.Load() > 0 {
					t.Fatalf("pull: %v; %d cuts are left", err, down.ends.Load())
				}
				same(t, a, c, ids)
				leftovers(t, a, c)
			})
		}
		t.Run(kind+"/always", func(t *testing.T) {
			t.Parallel()
			down := &cutAt{n: 50_000} // lists and manifests are shorter
			down.ends.Store(1 << 40)
			a := newClone(t, open(9, fmt.Sprintf("127.0.0.1:%d", port)), nil)
			ids := a.fill(t)
			if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
				t.Fatal(err)
			}
			c := newClone(t, open(9, between(t, port, true, down.fault)), nil)
			_, err := c.r.Pull(t.Context(), c.store, wanted(ids))
			if err == nil || !strings.Contains(err.Error(), "remote there: ") || !strings.Contains(err.Error(), "EOF") {
				t.Errorf("%v", err)
			}
			whole(t, a, c, ids)
			leftovers(t, c)
		})
	}
}

// whole: what a store has of these it has to the last byte.
func whole(t *testing.T, a, c clone, ids []objects.ID) {
	t.Helper()
	var there []objects.ID
	for _, id := range ids {
		if c.store.Has(id) {
			there = append(there, id)
		}
	}
	if len(there) == len(ids) {
		t.Error("nothing is missing")
	}
	same(t, a, c, there)
	if list, _ := os.ReadDir(filepath.Join(c.store.Root(), "incoming")); len(list) > 0 {
		t.Errorf("left behind: %v", list)
	}
}

// TestFullPuller: where the disk of the one who pulls is full nothing half is there, the error says so, and the same pull goes on.
func TestFullPuller(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	b := backend(t, "file://"+t.TempDir())
	a, c := newClone(t, b, nil), newClone(t, b, nil)
	c.store, c.r.Dir = objects.Open(filepath.Join(dir, "cairn")), filepath.Join(dir, "remote")
	ids := a.fill(t) // more than the disk
	if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	_, err := c.r.Pull(t.Context(), c.store, wanted(ids))
	if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "remote there: ") {
		t.Errorf("%v", err)
	}
	var bad *objects.CorruptError
	if errors.As(err, &bad) {
		t.Errorf("a full disk is taken for damage: %v", err)
	}
	whole(t, a, c, ids)
	if out, err := exec.Command("mount", "-o", "remount,size=200m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if _, err := c.r.Pull(t.Context(), c.store, wanted(ids)); err != nil {
		t.Fatal(err)
	}
	same(t, a, c, ids)
	leftovers(t, c)
}
