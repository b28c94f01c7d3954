package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/remote"
	"cairn/remote/backendtest"
	"cairn/remote/oci"
	"cairn/remote/s3"
)

// TestStalled: a place that stops at any point of a request is given up, and one that is slow and goes on is not.
func TestStalled(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	hang := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	mux.HandleFunc("/silent", hang)
	mux.HandleFunc("/half", func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 100))
		w.(http.Flusher).Flush()
		hang(w, r)
	})
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.Write([]byte("."))
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for range 6 {
			w.Write(make([]byte, 4096))
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	get := func(path string, stall time.Duration, body io.Reader) error {
		client := http.Client{Transport: remote.Transport(stall)}
		defer client.CloseIdleConnections()
		answer, err := client.Post(server.URL+path, "", body)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		_, err = io.Copy(io.Discard, answer.Body)
		return err
	}
	for _, path := range []string{"/silent", "/half", "/drip"} {
		if err := get(path, 200*time.Millisecond, strings.NewReader("x")); !errors.Is(err, remote.ErrStalled) || !strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := get("/silent", 200*time.Millisecond, endless{}); !errors.Is(err, remote.ErrStalled) {
		t.Errorf("an upload that is not read: %v", err)
	}
	if err := get("/slow", 30*time.Second, strings.NewReader(strings.Repeat("x", 1<<20))); err != nil {
		t.Errorf("one that is slow: %v", err)
	}
}

// endless is a body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// between is a proxy that lets a fault happen to the first request for each address, or to all of them.
func between(t *testing.T, port int, always bool, fault func(w http.ResponseWriter, r *http.Request, serve http.Handler)) (at string) {
	t.Helper()
	behind := &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}
	proxy := &httputil.ReverseProxy{ModifyResponse: throughProxy(behind.String()), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind)
		r.Out.Host = r.In.Host // it is part of a signature
	}}
	var seen sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		place, _, _ := strings.Cut(r.URL.Path, "/uploads/") // each upload has an address of its own
		if _, before := seen.LoadOrStore(r.Method+place, true); before && !always {
			proxy.ServeHTTP(w, r)
			return
		}
		fault(w, r, proxy)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// throughProxy has the requests that a server of git LFS wants, too, come to the proxy.
func throughProxy(server string) func(*http.Response) error {
	return func(answer *http.Response) error {
		if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/vnd.git-lfs+json") {
			return nil
		}
		text, err := io.ReadAll(answer.Body)
		text = bytes.ReplaceAll(text, []byte(server), []byte("http://"+answer.Request.Host))
		answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		answer.Header.Set("Content-Length", fmt.Sprint(len(text)))
		return err
	}
}

// answer is a fault that is a status.
func answer(status int, header, body string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		io.Copy(io.Discard, r.Body)
		if name, value, is := strings.Cut(header, ": "); is {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

const xmlError = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>%s</Code><Message>no</Message></Error>`

// TestFaults: what a server does once is got over, and what it goes on doing is an error that says what to do and leaves nothing half there.
func TestFaults(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "cairn")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "cairn-secret")
	ports := map[string]int{"s3": backendtest.Serve(t, "..", "versitygw"), "oci": backendtest.Serve(t, "..", "registry"), "lfs": backendtest.Serve(t, "..", "gitlfs")}
	openers := map[string]remote.Opener{"s3": s3.Open, "oci": oci.Open, "git+lfs": openLFS(t)}
	n := 0
	open := func(kind, at string) remote.Backend {
		n++
		address := fmt.Sprintf("s3://cairn/faults%d?endpoint=http://%s&region=us-east-1", n, at)
		switch kind {
		case "oci":
			address = fmt.Sprintf("oci://%s/faults/n%d", at, n)
		case "lfs":
			address = fmt.Sprintf("git+lfs://%s/app%d.git", at, n)
		}
		b, err := remote.OpenBackend(address, openers)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, once := range map[string]func(http.ResponseWriter, *http.Request, http.Handler){
		"429": answer(429, "Retry-After: 1", fmt.Sprintf(xmlError, "SlowDown")),
		"500": answer(500, "", fmt.Sprintf(xmlError, "InternalError")),
		"503": answer(503, "", fmt.Sprintf(xmlError, "ServiceUnavailable")),
		"cut": func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				c.Close()
			}
		},
	} {
		for kind, port := range ports {
			t.Run(name+"/"+kind, func(t *testing.T) {
				b := open(kind, between(t, port, false, once))
				const key = "objects/aa/bb.zst"
				if err := b.Put(t.Context(), key, strings.NewReader("some bytes"), 10); err != nil {
					t.Fatalf("put: %v", err)
				}
				body, err := b.Get(t.Context(), key, 0)
				if err != nil {
					t.Fatalf("get: %v", err)
				}
				defer body.Close()
				if text, err := io.ReadAll(body); string(text) != "some bytes" || err != nil {
					t.Errorf("%q %v", text, err)
				}
			})
		}
	}
	for _, c := range []struct{ kind, code, says string }{
		{"s3", "RequestTimeTooSkewed", "clock"}, {"s3", "ExpiredToken", "credentials"}, {"s3", "XMinioStorageFull", "is full"}, {"oci", "DENIED", "docker login"},
		{"oci", "UNAUTHORIZED", "docker login"}, {"oci", "QuotaFull", "is full"},
		{"lfs", "Unauthorized", "Authentication failed"}, {"lfs", "Denied", "403"},
	} {
		t.Run(c.code, func(t *testing.T) {
			status := 403
			switch {
			case strings.HasSuffix(c.code, "Full"):
				status = 507
			case strings.EqualFold(c.code, "UNAUTHORIZED"):
				status = 401
			}
			a := newClone(t, open(c.kind, between(t, ports[c.kind], true, answer(status, "", fmt.Sprintf(xmlError, c.code)))), nil)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if _, err := a.r.Push(ctx, a.store, a.fill(t)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "remote there") {
				t.Errorf("%v, want an error with %q", err, c.says)
			}
		})
	}
	t.Run("wrong key", func(t *testing.T) {
		t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
		a := newClone(t, open("s3", fmt.Sprintf("127.0.0.1:%d", ports["s3"])), nil)
		if _, err := a.r.Push(t.Context(), a.store, a.fill(t)); err == nil || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
			t.Error(err)
		}
	})
	for kind, port := range ports {
		t.Run("two pushers/"+kind, func(t *testing.T) { twoPushers(t, open(kind, fmt.Sprintf("127.0.0.1:%d", port))) })
		t.Run("wrong bytes/"+kind, func(t *testing.T) {
			var spoilt atomic.Bool
			b := open(kind, between(t, port, true, func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
				if spoilt.Load() && r.Method == http.MethodGet {
					w = spoiling{w}
				}
				serve.ServeHTTP(w, r)
			}))
			wrongBytes(t, b, func() { spoilt.Store(true) })
		})
	}
	t.Run("two pushers/file", func(t *testing.T) { twoPushers(t, backend(t, "file://"+t.TempDir())) })
}

// spoiling is an answer whose body has one bit that is another, as of a bad disk behind the server.
type spoiling struct{ http.ResponseWriter }

func (s spoiling) Write(p []byte) (int, error) {
	if len(p) < 1_000 { // a list, a manifest
		return s.ResponseWriter.Write(p)
	}
	q := bytes.Clone(p)
	q[len(q)/2] ^= 4
	return s.ResponseWriter.Write(q)
}

// wrongBytes: what comes damaged is an error that names the remote and the object, and nothing of it is kept.
func wrongBytes(t *testing.T, b remote.Backend, spoil func()) {
	a, c := newClone(t, b, nil), newClone(t, b, nil)
	ids := a.fill(t)
	if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	spoil()
	for _, id := range ids[5:7] { // one byte more than a small object, and more
		if err := c.r.Fetch(t.Context(), c.store, remote.Wanted{ID: id, Size: -1}); err == nil || !strings.Contains(err.Error(), "remote there: "+id.String()) || c.store.Has(id) {
			t.Errorf("%s: %v", id, err)
		}
	}
	leftovers(t, c)
}

// twoPushers: two clones that push the same objects at the same time both succeed, and a third one gets every byte.
func twoPushers(t *testing.T, b remote.Backend) {
	key := newKey(t)
	first, second, third := newClone(t, b, key), newClone(t, b, key), newClone(t, b, key)
	ids := first.fill(t)
	second.fill(t)
	var wg sync.WaitGroup
	for _, c := range []clone{first, second} {
		wg.Go(func() {
			if _, err := c.r.Push(t.Context(), c.store, ids); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := third.r.Pull(t.Context(), third.store, wanted(ids)); err != nil {
		t.Fatal(err)
	}
	same(t, first, third, ids)
}

// TestFullDisk: a directory on a disk that is full gets no half body, the error says so, and once there is room the same push goes on.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	b := backend(t, "file://"+dir)
	a, other := newClone(t, b, nil), newClone(t, b, nil)
	ids := a.fill(t)
	_, err := a.r.Push(t.Context(), a.store, ids)
	if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "remote there") {
		t.Fatalf("a full disk: %v", err)
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".zst") && !strings.HasSuffix(path, ".idx") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.r.Pull(t.Context(), other.store, wanted(ids)); err != nil {
		t.Errorf("what is there cannot be pulled: %v", err)
	}
	if out, err := exec.Command("mount", "-o", "remount,size=64m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	if _, err := other.r.Pull(t.Context(), other.store, wanted(ids)); err != nil {
		t.Fatal(err)
	}
	same(t, a, other, ids)
}
