package recovery

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/streams"
	"cairn/manifest"
)

// A long order leaves memory, and is the same.
func TestJournalSpills(t *testing.T) {
	dir := t.TempDir()
	files := Files{Write: (*os.File).Write, Sync: (*os.File).Sync, Remove: os.Remove}
	rec := newRecord()
	j, err := Begin(files, dir, rec)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(j.path); err != nil || bytes.Contains(text, []byte(rec.ID)) {
		t.Errorf("a search for words of the record finds them in %q, %v", text, err)
	}
	var want bytes.Buffer
	for i := range 200_000 {
		r := streams.Run{Stream: 1 + i%2, Offset: int64(i), MS: int64(i / 100)}
		want.Write(r.Append(nil))
		if err := j.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if !j.spill || j.memory != nil {
		t.Errorf("%d bytes of order are in memory", len(j.memory))
	}
	j.Ended(Ending{Size: 0, DurationMS: 7}, "")
	got, err := io.ReadAll(io.NewSectionReader(j, 0, j.Size()))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes, want %d: %v", len(got), want.Len(), err)
	}
	j.Close(false)
	l, alive, err := takeLeft(j.path)
	if l == nil || alive || err != nil {
		t.Fatal(l, alive, err)
	}
	defer l.close()
	if err := l.read(time.Now()); err != nil || l.Record.ID != rec.ID || l.Ending == nil || l.Ending.DurationMS != 7 || l.order != int64(want.Len()) {
		t.Errorf("%v %+v", err, l)
	}
	if got, err := io.ReadAll(l.Order()); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes are read again, want %d: %v", len(got), want.Len(), err)
	}
}

// A journal with anything behind its first line is read as far as it is true.
func FuzzLeft(f *testing.F) {
	head := `{"v":1,"id":"01JD5Z2V6Q8T9W0XABCDEFGHJK","time":"2026-01-01T00:00:00.000000Z"}` + "\n"
	f.Add("1 0 0\n2 4 1\n{\"exit\":3,\"size\":8}\n")
	f.Add("1 0 0\n2 4")
	f.Add("1 0 0\n\n{\"exit\":3}\ntried\ntried\n")
	f.Add("{\"exit\":[]}\n\x00\n")
	f.Fuzz(func(t *testing.T, rest string) {
		path := t.TempDir() + "/01JD5Z2V6Q8T9W0XABCDEFGHJK"
		if err := os.WriteFile(path, []byte(head+rest), 0o600); err != nil {
			t.Fatal(err)
		}
		l, _, err := takeLeft(path)
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		defer l.close()
		if err := l.read(time.Now()); err != nil {
			t.Fatal(err)
		}
		order, err := io.ReadAll(l.Order())
		if err != nil || !strings.HasPrefix(rest, string(order)) {
			t.Fatalf("order %q of %q: %v", order, rest, err)
		}
		for line := range strings.Lines(string(order)) {
			if _, err := streams.Parse([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// While journals come and go, a search for abandoned ones neither keeps a
// capture from beginning nor takes one that has ended for one left behind.
func TestLookingWhileOthersRun(t *testing.T) {
	dir := t.TempDir()
	files := Files{Write: (*os.File).Write, Sync: (*os.File).Sync, Remove: os.Remove}
	stop := make(chan struct{})
	var lookers sync.WaitGroup
	for range 3 {
		lookers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				lookOver(t, dir)
			}
		})
	}
	var runs sync.WaitGroup
	for range 3 {
		runs.Go(func() {
			for range 300 {
				rec := newRecord()
				rec.ID = ulid.Make().String()
				j, err := Begin(files, dir, rec)
				if err != nil {
					t.Error(err)
					return
				}
				j.Ended(Ending{}, "")
				j.Close(true)
			}
		})
	}
	runs.Wait()
	close(stop)
	lookers.Wait()
	if names, err := Names(dir); len(names) > 0 || err != nil {
		t.Errorf("left: %v %v", names, err)
	}
}

// lookOver does what recovery does up to reading: all it may find is one that is
// just being made.
func lookOver(t *testing.T, dir string) {
	names, err := Names(dir)
	if err != nil {
		t.Error(err)
	}
	for _, name := range names {
		l, _, err := takeLeft(journalPath(dir, name))
		if err != nil {
			t.Error(err)
		}
		if l == nil {
			continue
		}
		if err := l.read(time.Now()); err != errBegins {
			t.Errorf("%s was taken for one left behind: %v, %+v", name, err, l.Ending)
		}
		l.close()
	}
}

func newRecord() *manifest.Record {
	return &manifest.Record{V: 1, ID: "01JD5Z2V6Q8T9W0XABCDEFGHJK", Time: time.Unix(1e9, 0)}
}
