package recall

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
)

func TestFind(t *testing.T) {
	b := newBook(t)
	first := b.capture("first\n", pytest("a"))
	second := b.capture("second\n", pytest("a"))
	again := b.capture("second\n", pytest("a"))
	orphan, err := b.Objects.PutBytes([]byte("no capture\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ id, run, oid string }{
		"run":           {second.ID, second.ID, second.Raw.OID},
		"run, lower":    {strings.ToLower(first.ID), first.ID, first.Raw.OID},
		"run, begun":    {first.ID[:24], first.ID, first.Raw.OID},
		"object":        {first.Raw.OID, first.ID, first.Raw.OID},
		"object, bare":  {first.Raw.OID[7:], first.ID, first.Raw.OID},
		"object, begun": {first.Raw.OID[:19], first.ID, first.Raw.OID},
		"object, upper": {strings.ToUpper(first.Raw.OID[7:19]), first.ID, first.Raw.OID},
		"object twice":  {second.Raw.OID[:20], again.ID, second.Raw.OID}, // the newest capture of it
		"orphan":        {orphan.ID.String()[:17], "", orphan.ID.String()},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			out, err := Find(t.Context(), b.Site, test.id)
			if err != nil {
				t.Fatal(err)
			}
			run := ""
			if out.Record != nil {
				run = out.Record.ID
			}
			if run != test.run || out.ID.String() != test.oid {
				t.Errorf("Find(%q) is run %q, object %s", test.id, run, out.ID)
			}
		})
	}
	for _, id := range []string{"", "zzz", "sha256:", "sha256:xyz", "0000000000000000", "sha256:" + strings.Repeat("0", 64), strings.Repeat("0", 65), "../x"} {
		if out, err := Find(t.Context(), b.Site, id); !errors.Is(err, manifest.ErrNotFound) {
			t.Errorf("Find(%q) = %v, %v", id, out, err)
		}
	}
}

func digest(b *book, text string) string {
	info, err := b.Objects.PutBytes([]byte(text))
	if err != nil {
		b.t.Fatal(err)
	}
	return info.ID.String()
}

// What begins a run's id and an object's means both, and both are listed.
func TestFindAmbiguous(t *testing.T) {
	b := newBook(t)
	rec := b.capture("x\n", pytest(), func(r *manifest.Record) { r.ID = "01ABCDEF00000000000000000A" })
	raw := &manifest.Raw{OID: "sha256:01abcdef" + strings.Repeat("1", 56)}
	b.capture("", pytest(), func(r *manifest.Record) { r.Raw = raw; r.ID = "02ABCDEF00000000000000000A" })
	_, err := Find(t.Context(), b.Site, "01abcd")
	var several *AmbiguousError
	if !errors.As(err, &several) || several.Total != 2 || !strings.Contains(err.Error(), rec.ID) || !strings.Contains(err.Error(), raw.OID) {
		t.Errorf("got %v", err)
	}
	b.capture("y\n", pytest(), func(r *manifest.Record) { r.ID = "01ABCDEF00000000000000000B" })
	if _, err = Find(t.Context(), b.Site, "01abcdef"); !errors.As(err, &several) || several.Total != 3 {
		t.Errorf("got %v", err)
	}
	if out, err := Find(t.Context(), b.Site, "sha256:01abcdef"); err != nil || out.ID.String() != raw.OID {
		t.Errorf("an object by its own name: %v, %v", out, err)
	}
	if _, err := Find(t.Context(), b.Site, "01ABCDEF00000000000000000A"); err != nil {
		t.Errorf("a whole run id: %v", err)
	}
}

func TestOutput(t *testing.T) {
	b := newBook(t)
	rec := b.capture("out1err1out2", pytest("a"), func(r *manifest.Record) { r.Raw.Order = "1 0 0;2 4 30;1 8 90" })
	out, err := Find(t.Context(), b.Site, rec.ID)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if err := errors.Join(out.Stream(&stdout, 1), out.Stream(&stderr, 2)); err != nil || stdout.String() != "out1out2" || stderr.String() != "err1" {
		t.Errorf("streams %q and %q, %v", &stdout, &stderr, err)
	}
	var both bytes.Buffer
	var slept time.Duration
	if err := out.Replay(&both, &both, func(d time.Duration) { slept += d }); err != nil || both.String() != "out1err1out2" || slept != 90*time.Millisecond {
		t.Errorf("replay %q in %s, %v", &both, slept, err)
	}
	if err := out.Replay(io.Discard, io.Discard, nil); err != nil {
		t.Errorf("replay without pauses: %v", err)
	}
	none := b.capture("", pytest())
	if out, err = Find(t.Context(), b.Site, none.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Open(); fail(err, "kept no output") != "" {
		t.Error(fail(err, "kept no output"))
	}
	if err := out.Stream(io.Discard, 1); err == nil {
		t.Error("streams of no output")
	}
}

// The full result of a record is looked up, and its absence is said.
func TestOutputResult(t *testing.T) {
	b := newBook(t)
	r := pytest("a", "b")
	rec := b.capture("x", nil, b.full(r))
	out, err := Find(t.Context(), b.Site, rec.ID)
	if err != nil {
		t.Fatal(err)
	}
	if whole, note, err := out.Result(); err != nil || note != "" || len(whole.Findings) != 2 {
		t.Errorf("%v, %q, %v", whole, note, err)
	}
	b.lose(rec.ResultOID)
	if short, note, err := out.Result(); err != nil || !strings.Contains(note, "not in this clone") || len(short.Findings) != 0 {
		t.Errorf("%v, %q, %v", short, note, err)
	}
	bare := b.capture("y", nil)
	if out, err = Find(t.Context(), b.Site, bare.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := out.Result(); fail(err, "has no result") != "" {
		t.Error(fail(err, "has no result"))
	}
	orphan := digest(b, "orphan")
	if out, err = Find(t.Context(), b.Site, orphan); err != nil {
		t.Fatal(err)
	}
	if _, _, err := out.Result(); fail(err, "object of no capture") != "" {
		t.Error(fail(err, "object of no capture"))
	}
	if _, err := out.Order(); !errors.Is(err, errNoOrder) {
		t.Errorf("order of an orphan: %v", err)
	}
}
