// Package backendtest has the tests that every Backend of package remote must pass.
package backendtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"cairn/remote"
)

// Run tests an empty backend.
func Run(t *testing.T, b remote.Backend) {
	ctx := context.Background()
	put := func(key string, body []byte) {
		t.Helper()
		if err := b.Put(ctx, key, bytes.NewReader(body), int64(len(body))); err != nil {
			t.Fatalf("put %s: %v", key, err)
		}
	}
	get := func(key string) []byte {
		t.Helper()
		r, err := b.Get(ctx, key, 0)
		if err != nil {
			t.Fatalf("get %s: %v", key, err)
		}
		defer r.Close()
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("get %s: %v", key, err)
		}
		return body
	}
	if _, err := b.Get(ctx, "objects/ab/cd.zst", 0); !errors.Is(err, remote.ErrMissing) {
		t.Fatalf("a body that is not there: %v", err)
	}
	if n := count(t, b, "objects/"); n != 0 {
		t.Fatalf("%d bodies in an empty backend", n)
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	began := time.Now().Add(-2 * time.Second)
	put("objects/ab/cd.zst", big)
	put("packs/ef.idx", []byte("x"))
	put("objects/ab/empty.zst", nil)
	if got := get("objects/ab/cd.zst"); !bytes.Equal(got, big) {
		t.Fatalf("%d bytes came back, of %d", len(got), len(big))
	}
	for _, from := range []int64{1, 17, int64(len(big)) - 1, int64(len(big))} { // offsets, as after an interrupted read
		if got, err := rest(b, "objects/ab/cd.zst", from); err != nil || !bytes.Equal(got, big[from:]) {
			t.Fatalf("behind %d bytes there are %d of %d, and %v", from, len(got), len(big), err)
		}
	}
	if got := get("objects/ab/empty.zst"); len(got) != 0 {
		t.Fatalf("%d bytes came back of an empty body", len(got))
	}
	put("packs/ef.idx", []byte("y")) // the backend may keep either body
	if got := string(get("packs/ef.idx")); got != "x" && got != "y" {
		t.Fatalf("a body that was written twice is %q", got)
	}
	if n := count(t, b, "objects/"); n != 2 {
		t.Fatalf("%d bodies listed, want 2", n)
	}
	if n := count(t, b, "packs/"); n != 1 {
		t.Fatalf("%d packs listed, want 1", n)
	}
	checkTimes(t, b, began)
	race(t, b)
	for range 2 {
		if err := b.Delete(ctx, "objects/ab/cd.zst"); err != nil {
			t.Fatalf("delete: %v", err)
		}
	}
	if _, err := b.Get(ctx, "objects/ab/cd.zst", 0); !errors.Is(err, remote.ErrMissing) {
		t.Fatalf("a body that was removed: %v", err)
	}
}

// rest reads a body from an offset on. A backend may report at once that nothing follows.
func rest(b remote.Backend, key string, from int64) ([]byte, error) {
	r, err := b.Get(context.Background(), key, from)
	if err != nil {
		return nil, ignoreEOF(err)
	}
	defer r.Close()
	return io.ReadAll(r)
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func count(t *testing.T, b remote.Backend, prefix string) (n int) {
	t.Helper()
	for _, err := range b.List(context.Background(), prefix) {
		if err != nil {
			t.Fatalf("list %s: %v", prefix, err)
		}
		n++
	}
	return n
}

// checkTimes tests that a body has the time when it was written, from List or from Written.
func checkTimes(t *testing.T, b remote.Backend, began time.Time) {
	t.Helper()
	for e, err := range b.List(context.Background(), "objects/") {
		if err != nil {
			t.Fatal(err)
		}
		if dater, ok := b.(remote.Dater); ok && e.Time.IsZero() {
			if e.Time, e.Size, err = dater.Written(context.Background(), e.Key); err != nil {
				t.Fatalf("when %s was written: %v", e.Key, err)
			}
		}
		if e.Time.Before(began) || e.Time.After(time.Now().Add(time.Minute)) {
			t.Errorf("%s was written at %v", e.Key, e.Time)
		}
	}
}

// race tests that while many writers write one body, each reader gets the complete bytes of one writer.
func race(t *testing.T, b remote.Backend) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			body := bytes.Repeat([]byte(fmt.Sprint(i)), 100_000)
			if err := b.Put(context.Background(), "objects/aa/race.zst", bytes.NewReader(body), int64(len(body))); err != nil {
				t.Errorf("put beside others: %v", err)
			}
		})
	}
	wg.Wait()
	r, err := b.Get(context.Background(), "objects/aa/race.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	body, err := io.ReadAll(r)
	if err != nil || len(body) != 100_000 || bytes.Count(body, body[:1]) != len(body) {
		t.Errorf("a body that several wrote: %d bytes, %v", len(body), err)
	}
	if err := b.Delete(context.Background(), "objects/aa/race.zst"); err != nil {
		t.Error(err)
	}
}
