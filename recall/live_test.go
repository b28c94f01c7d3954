package recall

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

func live(t *testing.T, b *book) map[objects.ID]objects.Ref {
	t.Helper()
	refs, err := Live(t.Context(), b.Site)
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

func TestLiveNamesEverything(t *testing.T) {
	b := newBook(t)
	other := func(text string) string { return digest(b, text) }
	cases := b.id(other("cases"))
	r := pytest("a")
	r.CasesOID, r.Artifacts = cases.String(), []result.Artifact{{Path: "log", OID: other("log")}}
	rec := b.capture("raw\n", nil, b.full(r), func(r *manifest.Record) {
		r.Raw.Order = other("order")
		r.Artifacts = []manifest.Artifact{{Path: "junit.xml", OID: other("artifact")}}
	})
	again := b.capture("raw\n", pytest("a"))
	unnamed := b.id(other("nobody names it"))
	refs := live(t, b)
	if _, ok := refs[unnamed]; ok || len(refs) != 6 {
		t.Errorf("%d refs: %v", len(refs), refs)
	}
	for _, oid := range []string{rec.Raw.Order, rec.Artifacts[0].OID, rec.ResultOID, cases.String()} {
		if ref, ok := refs[b.id(oid)]; !ok || !ref.Newest.Equal(rec.Time) {
			t.Errorf("%s: %+v", oid, ref)
		}
	}
	if ref := refs[b.id(rec.Raw.OID)]; !ref.Newest.Equal(again.Time) || strings.Join(ref.Captures, " ") != again.ID+" "+rec.ID {
		t.Errorf("raw: %+v", ref)
	}
}

// Of a command, what failed since its newest capture that accounts for
// everything is evidence, and that one if it failed.
func TestLiveEvidence(t *testing.T) {
	torn := pytest()
	torn.ParserConfidence, torn.Status = result.Heuristic, result.Failed
	tests := map[string]struct {
		runs string // oldest first: p passed, f failed, t torn, o another command failed, l failed and its bytes are elsewhere
		want string // which are evidence
	}{
		"passed":                  {"p", ""},
		"failed":                  {"f", "0"},
		"fixed":                   {"fp", ""},
		"still":                   {"ff", "1"},
		"torn since":              {"fft", "12"},
		"torn, fixed":             {"ftp", ""},
		"broke again":             {"fpf", "2"},
		"torn only":               {"tt", "01"},
		"another command's":       {"fop", "1"},
		"newer evidence is away":  {"fl", "01"},
		"and away ones only once": {"ffl", "12"},
	}
	for name, test := range tests {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			b := newBook(t)
			var recs []*manifest.Record
			for i, c := range test.runs {
				raw := string(rune('0'+i)) + name
				switch c {
				case 'p':
					recs = append(recs, b.capture(raw, pytest()))
				case 't':
					recs = append(recs, b.capture(raw, torn))
				case 'o':
					recs = append(recs, b.capture(raw, pytest("a"), key("000011112222")))
				default:
					recs = append(recs, b.capture(raw, pytest("a")))
				}
				if c == 'l' {
					b.lose(recs[i].Raw.OID)
				}
			}
			refs := live(t, b)
			got := ""
			for i, rec := range recs {
				if refs[b.id(rec.Raw.OID)].Evidence {
					got += string(rune('0' + i))
				}
			}
			if got != test.want {
				t.Errorf("evidence of %s: %q, want %q", test.runs, got, test.want)
			}
		})
	}
}

// Captures without a command key are no run of the same command.
func TestLiveWithoutKey(t *testing.T) {
	b := newBook(t)
	failed := b.capture("f", pytest("a"), key(""))
	b.capture("p", pytest(), key(""))
	if !live(t, b)[b.id(failed.Raw.OID)].Evidence {
		t.Error("a passing run of another command made it no evidence")
	}
}

func TestLivePins(t *testing.T) {
	b := newBook(t)
	run, object := b.capture("run\n", nil, b.full(pytest())), b.capture("object\n", pytest())
	orphan := digest(b, "orphan\n")
	pin := func(target string, keep bool, want string) {
		t.Helper()
		id, err := Pin(t.Context(), b.Site, target, "needed", keep)
		if err != nil || id != want {
			t.Fatalf("Pin(%q) = %q, %v; want %q", target, id, err, want)
		}
	}
	pinned := func() (got []string) {
		refs := live(t, b)
		for name, oid := range map[string]string{"raw": run.Raw.OID, "result": run.ResultOID, "object": object.Raw.OID, "orphan": orphan} {
			if refs[b.id(oid)].Pinned {
				got = append(got, name)
			}
		}
		return got
	}
	if got := pinned(); len(got) != 0 {
		t.Errorf("before any pin: %v", got)
	}
	pin(run.ID[:25], true, run.ID)
	pin(object.Raw.OID[:20], true, object.Raw.OID)
	pin(orphan, true, orphan)
	if got := pinned(); len(got) != 4 {
		t.Errorf("pinned: %v", got)
	}
	pin(run.ID, false, run.ID)
	pin(orphan, false, orphan)
	if got := pinned(); len(got) != 1 || got[0] != "object" {
		t.Errorf("after unpinning: %v", got)
	}
	if _, err := Pin(t.Context(), b.Site, "nothing", "", true); err == nil {
		t.Error("a pin of nothing")
	}
}

// A pin holds though the clock that stamped it was behind.
func TestLivePinFromAnotherClock(t *testing.T) {
	b := newBook(t)
	rec := b.capture("x\n", pytest())
	err := b.Manifest.Append(t.Context(), &manifest.Record{Type: manifest.TypePin, Target: rec.Raw.OID, Time: start.Add(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if !live(t, b)[b.id(rec.Raw.OID)].Pinned {
		t.Error("not pinned")
	}
}

// A line that cannot be read hides no other, and every object in its bytes is
// kept.
func TestLiveUnreadable(t *testing.T) {
	for name, edit := range map[string]func(*manifest.Record){
		"result": func(r *manifest.Record) { r.RawResult = json.RawMessage(`{"findings":"none"}`) },
		"id":     func(r *manifest.Record) { r.Artifacts = []manifest.Artifact{{Path: "p", OID: "md5:1234"}} },
		"newer":  func(r *manifest.Record) { r.V = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t)
			older := b.capture("older\n", pytest())
			bad := b.capture("bad\n", pytest(), edit)
			refs := live(t, b)
			if ref, ok := refs[b.id(older.Raw.OID)]; !ok || ref.Pinned {
				t.Errorf("the capture before it: %+v", ref)
			}
			if !refs[b.id(bad.Raw.OID)].Pinned {
				t.Error("what it names is not kept")
			}
		})
	}
}
