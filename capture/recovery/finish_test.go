package recovery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// TestMain makes the test binary, when asked, the process that fills a spool and
// ends without a word.
func TestMain(m *testing.M) {
	if id := os.Getenv("FILL_SPOOL"); id != "" {
		spool, err := objects.Open(os.Args[1]).Receive(id)
		if err == nil {
			_, err = io.WriteString(spool, os.Args[2])
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// dieHolding leaves a spool behind whose writer is dead.
func dieHolding(t *testing.T, dir, id, output string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir, output)
	cmd.Env = append(os.Environ(), "FILL_SPOOL="+id)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// room is a place with what recovery needs of it.
type room struct {
	*Finisher
	t      *testing.T
	broken error // what Record fails with where there is output
	full   error // what Record fails with in any case
}

func newRoom(t *testing.T) *room {
	t.Helper()
	dir := t.TempDir()
	store, m := objects.Open(dir), manifest.Open(dir, manifest.Options{})
	r := &room{t: t}
	r.Finisher = &Finisher{
		Dir: dir, Objects: store, Manifest: m, Put: store.Put, Recover: objects.Leftover.Recover, Now: time.Now, Healthy: true,
		Files: Files{Write: (*os.File).Write, Sync: (*os.File).Sync, Link: os.Link, Remove: os.Remove},
	}
	r.Record = func(ctx context.Context, l *Left) error {
		if r.full != nil || r.broken != nil && l.Lost == nil {
			return cmp.Or(r.full, r.broken)
		}
		if l.Record.Partial = !l.Complete(); l.Lost == nil {
			l.Record.Raw = &manifest.Raw{OID: l.Output.ID.String(), Size: l.Output.Size}
		}
		return m.Append(ctx, l.Record)
	}
	return r
}

// begin makes the journal of a capture and, with output, the spool of a process
// that has died, and lets go of both.
func (r *room) begin(output string, end func(j *Journal, spool string)) (id string) {
	r.t.Helper()
	rec := newRecord()
	rec.ID = ulid.Make().String()
	j, err := Begin(r.Files, r.Dir, rec)
	if err != nil {
		r.t.Fatal(err)
	}
	if output != "" {
		if err := j.Add(streams.Run{Stream: streams.Stdout}); err != nil {
			r.t.Fatal(err)
		}
		dieHolding(r.t, r.Dir, rec.ID, output)
	}
	if end != nil {
		end(j, r.Objects.SpoolPath(rec.ID))
	}
	j.Close(false)
	return rec.ID
}

func (r *room) all() error { return r.All(r.t.Context()) }

// read gives what a record's object holds.
func (r *room) read(rec *manifest.Record) string {
	r.t.Helper()
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := r.Objects.ReadAll(id)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *room) records() (all []*manifest.Record) {
	r.t.Helper()
	for rec, err := range r.Manifest.Records(r.t.Context(), manifest.Query{}) {
		if err != nil {
			r.t.Fatal(err)
		}
		all = append(all, rec)
	}
	return all
}

// A capture is recorded once, with its bytes, wherever its process died.
func TestFinish(t *testing.T) {
	for _, tt := range []struct {
		name    string
		output  string
		end     func(j *Journal, spool string)
		partial bool
	}{
		{"before its first byte", "", nil, true},
		{"while it printed", "out", nil, true},
		{"when it had ended", "out", func(j *Journal, spool string) { j.Ended(Ending{Size: 3}, spool) }, false},
		{"with less in the spool than was counted", "out", func(j *Journal, spool string) { j.Ended(Ending{Size: 4}, spool) }, true},
		{"when not all was kept", "out", func(j *Journal, spool string) { j.Ended(Ending{Size: 3, Partial: true}, spool) }, true},
		{"when the spool had lost its first name", "out", func(j *Journal, spool string) {
			j.Ended(Ending{Size: 3}, spool)
			os.Remove(spool)
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRoom(t)
			id := r.begin(tt.output, tt.end)
			for range 2 {
				if err := r.all(); err != nil {
					t.Fatal(err)
				}
			}
			all := r.records()
			if len(all) != 1 || r.Recorded != 1 || all[0].ID != id || all[0].Partial != tt.partial || r.read(all[0]) != tt.output {
				t.Errorf("%d records, recorded %d: %+v", len(all), r.Recorded, all)
			}
			if left, err := os.ReadDir(journalDir(r.Dir)); len(left) > 0 || err != nil {
				t.Errorf("left: %v %v", left, err)
			}
		})
	}
}

// A capture that is recorded already gets no second record, and one that is
// being made is no one else's.
func TestFinishTakesNothingTwice(t *testing.T) {
	r := newRoom(t)
	rec := newRecord()
	rec.ID = r.begin("out", nil)
	if err := r.Manifest.Append(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	alive := newRecord()
	alive.ID = ulid.Make().String()
	j, err := Begin(r.Files, r.Dir, alive)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(true)
	if err := r.all(); err != nil {
		t.Fatal(err)
	}
	if n := len(r.records()); n != 1 || r.Recorded != 0 || r.Alive != 1 {
		t.Errorf("%d records, recorded %d, alive %d", n, r.Recorded, r.Alive)
	}
	if ids, err := Names(r.Dir); err != nil || len(ids) != 1 || ids[0] != alive.ID {
		t.Errorf("journals: %v %v", ids, err)
	}
	if got := Begun(r.Dir, alive.ID); got == nil || got.ID != alive.ID || !GoesOn(r.Dir, alive.ID) {
		t.Errorf("%+v is not seen to be running", got)
	}
}

// A capture whose output is gone is recorded without it and set aside, at once.
func TestSetAside(t *testing.T) {
	r := newRoom(t)
	id := r.begin("out", func(j *Journal, spool string) {
		j.Ended(Ending{Size: 3}, spool)
		os.Remove(spool)
		os.Remove(SecondName(r.Dir, newest(t, r.Dir)))
	})
	if err := r.all(); err == nil || !strings.Contains(err.Error(), id) {
		t.Errorf("told: %v", err)
	}
	if err := r.all(); err != nil {
		t.Errorf("told once more: %v", err)
	}
	if all := r.records(); len(all) != 1 || all[0].ID != id || all[0].Raw != nil || !all[0].Partial {
		t.Errorf("%+v", all)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "set-aside", id)); err != nil {
		t.Error(err)
	}
}

// While nothing can be recorded, no capture is given up.
func TestNothingIsGivenUpOnAFullDisk(t *testing.T) {
	r := newRoom(t)
	r.begin("out", nil)
	r.Healthy, r.full = false, syscall.ENOSPC
	for range 5 {
		if err := r.all(); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	r.full = nil
	if err := r.all(); err != nil || len(r.records()) != 1 {
		t.Errorf("%d records: %v", len(r.records()), err)
	}
}

// A capture that cannot be read keeps its bytes: they are named by its record, and lie
// set aside. It hinders no other capture, and is not tried again.
func TestRecordBreaksOff(t *testing.T) {
	r := newRoom(t)
	r.Healthy = false
	bad := r.begin("out", nil)
	record := r.Record
	r.Record = func(ctx context.Context, l *Left) error {
		if l.id() == bad && l.Lost == nil {
			panic("index out of range")
		}
		return record(ctx, l)
	}
	good := r.begin("fine", nil)
	if err := r.all(); err == nil || !strings.Contains(err.Error(), "index out of range") || !strings.Contains(err.Error(), "set-aside") {
		t.Errorf("told: %v", err)
	}
	if err := r.all(); err != nil {
		t.Errorf("told once more: %v", err)
	}
	all := r.records()
	if len(all) != 2 || all[0].ID != good && all[1].ID != good {
		t.Fatalf("%+v", all)
	}
	for _, path := range []string{"", ".spool"} {
		if _, err := os.Stat(filepath.Join(r.Dir, "set-aside", bad+path)); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(r.Dir, "set-aside", bad+".spool")); err != nil || !strings.HasSuffix(string(text), "out") {
		t.Errorf("the bytes that were set aside: %q %v", text, err)
	}
}

// Where the file system has no second names, the spool stays until the record is there.
func TestNoLinks(t *testing.T) {
	r := newRoom(t)
	r.Files.Link = func(old, new string) error { return syscall.EPERM }
	id := r.begin("out", nil)
	record, there := r.Record, false
	r.Record = func(ctx context.Context, l *Left) error {
		_, err := os.Stat(r.Objects.SpoolPath(id))
		there = err == nil
		return record(ctx, l)
	}
	if err := r.all(); err != nil || !there {
		t.Errorf("the spool is there: %v; %v", there, err)
	}
	if _, err := os.Stat(r.Objects.SpoolPath(id)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the spool is left: %v", err)
	}
	if all := r.records(); len(all) != 1 || r.read(all[0]) != "out" {
		t.Errorf("%+v", all)
	}
}

func newest(t *testing.T, dir string) string {
	t.Helper()
	ids, err := Names(dir)
	if err != nil || len(ids) == 0 {
		t.Fatal(ids, err)
	}
	return ids[len(ids)-1]
}

// What lies beside the journals and is not one, or says nothing, harms no one, and is
// reported once at most. Output of that name is kept for a person.
func TestStaleGarbage(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	for _, tt := range []struct {
		name string
		make func(path string) error
		told int
		left bool // where it was
	}{
		{"a directory", func(p string) error { return os.Mkdir(p, 0o700) }, 0, true},
		{"another name", func(p string) error { return os.WriteFile(filepath.Dir(p)+"/.nfs0001", []byte("x"), 0o600) }, 0, true},
		{"an old empty file", func(p string) error { return file(p, "", old) }, 0, false},
		{"a new empty file", func(p string) error { return file(p, "", time.Now()) }, 0, true},
		{"binary", func(p string) error { return file(p, "\x00\xff\n\n", old) }, 1, false},
		{"one endless line", func(p string) error { return file(p, strings.Repeat("x", 1<<20), old) }, 1, false},
		{"another record", func(p string) error {
			return file(p, `{"v":1,"id":"`+ulid.Make().String()+`","time":"2026-01-01T00:00:00.000000Z"}`+"\n", old)
		}, 1, false},
		{"a link to nothing", func(p string) error { return os.Symlink("nowhere", p) }, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRoom(t)
			if err := os.MkdirAll(journalDir(r.Dir), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := tt.make(journalPath(r.Dir, ulid.Make().String())); err != nil {
				t.Fatal(err)
			}
			told := 0
			for range 3 {
				if r.all() != nil {
					told++
				}
			}
			id := r.begin("out", nil)
			if err := r.all(); err != nil {
				t.Error(err)
			}
			if all := r.records(); told != tt.told || len(all) != 1 || all[0].ID != id {
				t.Errorf("told %d times, %d records", told, len(all))
			}
			if left, err := os.ReadDir(journalDir(r.Dir)); err != nil || (len(left) > 0) != tt.left {
				t.Errorf("left: %v %v", left, err)
			}
		})
	}
}

func file(path, text string, when time.Time) error {
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, when, when))
}

// A journal without an ending that can be read still has the order.
func TestTornEnding(t *testing.T) {
	r := newRoom(t)
	torn := false
	r.Files.Write = func(f *os.File, p []byte) (int, error) {
		if bytes.HasPrefix(p, []byte("{\"exit\"")) || bytes.Contains(p, []byte("duration_ms")) {
			torn = true
			p = p[:len(p)/2]
		}
		return f.Write(p)
	}
	r.begin("out", func(j *Journal, spool string) { j.Ended(Ending{Size: 3}, spool) })
	if err := r.all(); err != nil || !torn {
		t.Fatal(torn, err)
	}
	if all := r.records(); len(all) != 1 || !all[0].Partial || r.read(all[0]) != "out" {
		t.Errorf("%+v", all)
	}
}
