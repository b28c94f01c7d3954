package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestQueries(t *testing.T) {
	f := newFixture(t)
	var recs []*Record
	for i := range 10 {
		f.clock.t = noon.Add(time.Duration(i) * 7 * time.Hour)
		recs = append(recs, f.add(i%2))
	}
	ids := idsOf(recs...)
	reversed := slices.Clone(ids)
	slices.Reverse(reversed)
	at := func(i int) time.Time { return recs[i].Time }
	tests := []struct {
		name string
		q    Query
		want []string
	}{
		{"all", Query{}, ids},
		{"newest first", Query{Newest: true}, reversed},
		{"limit", Query{Limit: 3}, ids[:3]},
		{"newest three", Query{Newest: true, Limit: 3}, reversed[:3]},
		{"since is inclusive", Query{Since: at(4)}, ids[4:]},
		{"until is exclusive", Query{Until: at(4)}, ids[:4]},
		{"a range", Query{Since: at(2), Until: at(7)}, ids[2:7]},
		{"an empty range", Query{Since: at(7), Until: at(2)}, nil},
		{"the future", Query{Since: noon.AddDate(1, 0, 0)}, nil},
		{"all strings", Query{Contains: [][]byte{[]byte(`"exit":1`), Literal("key", "aabbccddeeff")}}, []string{ids[1], ids[3], ids[5], ids[7], ids[9]}},
		{"limit counts what is selected", Query{Contains: [][]byte{[]byte(`"exit":1`)}, Limit: 2, Newest: true}, []string{ids[9], ids[7]}},
		{"one string is missing", Query{Contains: [][]byte{[]byte(`"exit":1`), []byte("nowhere")}}, nil},
		{"an empty string", Query{Contains: [][]byte{nil}}, ids},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantIDs(t, f.ids(tt.q), tt.want...) })
	}
	if len(f.warnings) != 0 {
		t.Errorf("warnings %q", f.warnings)
	}
}

// A record from the future, by a clock that was wrong, is not the newest until that time has come.
func TestFromTheFuture(t *testing.T) {
	f := newFixture(t)
	write := func(writer string, at time.Time) string {
		line := makeLine(t, at, nil)
		f.write(shardPath(dayOf(at), writer, 1), line+"\n")
		r, _ := Decode([]byte(line))
		return r.ID
	}
	old := write("aaaa", noon.Add(-48*time.Hour))
	now := write("aaaa", noon)
	soon := write("bbbb", noon.AddDate(0, 0, 2))
	far := write("cccc", noon.AddDate(70, 0, 0))
	wantIDs(t, f.ids(Query{Newest: true}), now, old, far, soon)
	wantIDs(t, f.ids(Query{Newest: true, Limit: 1}), now)
	f.clock.add(48 * time.Hour)
	wantIDs(t, f.ids(Query{Newest: true}), soon, now, old, far)
}

func TestOneDayIsSortedWhateverTheShards(t *testing.T) {
	f := newFixture(t)
	var a, b string
	var want []string
	for i := range 200 {
		line := makeLine(t, noon.Add(time.Duration(i)*time.Second), nil)
		r, _ := Decode([]byte(line))
		want = append(want, r.ID)
		if i%3 == 0 {
			a = line + "\n" + a // backwards
		} else {
			b += line + "\n"
		}
	}
	f.write(shardPath(dayOf(noon), "aaaa", 1), b)
	f.write(shardPath(dayOf(noon), "bbbb", 1), a)
	wantIDs(t, f.ids(Query{}), want...)
}

func TestDamagedShards(t *testing.T) {
	good := func(i int) string { return makeLine(t, noon.Add(time.Duration(i)*time.Second), nil) }
	tests := []struct {
		name, content string
		records       int
		warned        []int // lines
	}{
		{"empty", "", 0, nil},
		{"blank lines", "\n\n" + good(1) + "\n\n", 1, nil},
		{"CRLF", good(1) + "\r\n" + good(2) + "\r\n", 2, nil},
		{"garbage", good(1) + "\nhello\n" + good(2) + "\n", 2, []int{2}},
		{"NUL", "\x00\x00\x00\n" + good(1) + "\n", 1, []int{1}},
		{"invalid UTF-8", good(1) + "\n\xff\xfe\n", 1, []int{2}},
		{"a torn line in the middle", good(1)[:40] + "\n" + good(2) + "\n", 1, []int{1}},
		{"a torn tail", good(1) + "\n" + good(2)[:90], 1, []int{2}},
		{"another JSON", "42\n[]\nnull\n" + good(1) + "\n", 1, []int{1, 2, 3}},
		{"a time that is none", strings.Replace(good(1), "2026-11-20T", "2026-99-20T", 1) + "\n" + good(2) + "\n", 1, []int{1}},
		{"the same line twice", good(1) + "\n" + good(2) + "\n", 2, nil},
		{"a long line of JSON", strings.TrimSuffix(good(2), "}") + `,"x":"` + strings.Repeat("x", MaxLine) + `"}` + "\n" + good(1) + "\n", 1, []int{1}},
		{"a newer version", strings.Replace(good(1), `{"v":`, `{"v":9`, 1) + "\n" + good(2) + "\n", 1, []int{1}},
		{"a result of another shape", strings.Replace(good(1), `"result":{`, `"result":{"findings":5,`, 1) + "\n" + good(2) + "\n", 1, []int{1}},
		{"a newer result", strings.Replace(good(1), `"result":{`, `"result":{"schema_version":2,`, 1) + "\n" + good(2) + "\n", 1, []int{1}},
		{"an object that is a path", strings.Replace(good(1), `"sha256:ab`, `"sha256:../`, 1) + "\n" + good(2) + "\n", 1, []int{1}},
		{"a very long line", strings.Repeat("x", 300_000) + "\n" + good(1) + "\n", 1, []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			path := shardPath(dayOf(noon), "wwww", 1)
			f.write(path, tt.content)
			if got := f.ids(Query{}); len(got) != tt.records {
				t.Errorf("%d records, want %d", len(got), tt.records)
			}
			var want []string
			for _, n := range tt.warned {
				want = append(want, fmt.Sprintf("%s:%d:", path, n))
			}
			var got []string
			for _, w := range f.warnings {
				got = append(got, w[:strings.Index(w, " ")])
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("warnings %q, want %q", f.warnings, want)
			}
		})
	}
}

func TestFilterFindsEveryLine(t *testing.T) {
	f := newFixture(t)
	var content string
	var want []string
	for i := range 50 {
		line := makeLine(t, noon.Add(time.Duration(i)*time.Second), func(r *Record) {
			if i%7 == 0 {
				r.Reason = "needle needle"
				want = append(want, r.ID)
			}
		})
		content += line + []string{"\n", "\r\n"}[i%2]
	}
	f.write(shardPath(dayOf(noon), "wwww", 1), strings.TrimRight(content, "\r\n"))
	wantIDs(t, f.ids(Query{Contains: [][]byte{[]byte("needle"), []byte("need")}}), want...)
}

func TestOneIDIsOneRecord(t *testing.T) {
	f := newFixture(t)
	id := "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	version := func(change func(*Record)) string {
		return makeLine(t, noon, func(r *Record) { r.ID = id; change(r) }) + "\n"
	}
	failed := version(func(r *Record) { two := 2; r.Exit = &two })
	f.write(shardPath(dayOf(noon), "aaaa", 1), version(func(r *Record) {})+failed)
	f.write(shardPath(dayOf(noon), "bbbb", 1), version(func(r *Record) {})+version(func(r *Record) { r.Partial = true }))
	for r, err := range f.Records(ctx, Query{}) {
		if err != nil || r.ID != id || *r.Exit != 2 {
			t.Errorf("got %+v, %v", r, err)
		}
	}
	wantIDs(t, f.ids(Query{Newest: true}), id)
	if len(f.warnings) == 0 || !strings.Contains(f.warnings[0], id) {
		t.Errorf("no warning: %q", f.warnings)
	}
}

func TestStopEarlyAndCancel(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	f.add(0)
	for range f.Records(ctx, Query{}) {
		break
	}
	cancelled, cancel := contextWithCancel()
	cancel()
	var got error
	for _, err := range f.Records(cancelled, Query{}) {
		got = err
	}
	if got == nil {
		t.Error("a cancelled read ends as if complete")
	}
}

// A shard that cannot be read, or that is no shard by its size, hides no other
// and is not left out silently.
func TestUnreadableShard(t *testing.T) {
	f := newFixture(t)
	r := f.add(0)
	f.write(shardPath(dayOf(noon), "yyyy", 1)+"/inside", "a folder where a shard should be")
	f.write(shardPath(dayOf(noon), "zzzz", 1), strings.Repeat(strings.Repeat("x", 99)+"\n", maxLocal/100+1))
	var warned []Warning
	f.opts.Warn = func(w Warning) { warned = append(warned, w) }
	wantIDs(t, f.ids(Query{}), r.ID)
	if len(warned) != 2 || !warned[0].Incomplete || !warned[1].Incomplete {
		t.Errorf("warnings %v", warned)
	}
}

// TestBigDay reads days of more shards than are read at once, by two
// writers, with runs that lasted for hours and so stand long after their time.
func TestBigDay(t *testing.T) {
	f := newFixture(t)
	type line struct {
		at, end time.Time
		text    string
	}
	midnight := noon.Truncate(24 * time.Hour)
	var want []string
	byWriter := map[string][]line{}
	for i := range 1000 {
		at := midnight.Add(time.Duration(i) * 80 * time.Second)
		took := time.Duration(0)
		if i%50 == 0 {
			took = time.Duration(i%7) * time.Hour
		}
		text := makeLine(t, at, func(r *Record) { r.DurationMS = took.Milliseconds(); want = append(want, r.ID) })
		w := []string{"aaaa", "bbbb"}[i%2]
		byWriter[w] = append(byWriter[w], line{at, at.Add(took), text})
	}
	for w, all := range byWriter {
		slices.SortStableFunc(all, func(a, b line) int { return a.end.Compare(b.end) })
		for i := 0; i < len(all); i += 5 {
			var content string
			for _, l := range all[i : i+5] {
				content += l.text + "\n"
			}
			f.write(shardPath(dayOf(noon), w, i/5+1), content)
		}
	}
	wantIDs(t, f.ids(Query{}), want...)
	slices.Reverse(want)
	wantIDs(t, f.ids(Query{Newest: true}), want...)
	for _, limit := range []int{1, 20, 300} {
		wantIDs(t, f.ids(Query{Newest: true, Limit: limit}), want[:limit]...)
	}
	var some []string
	for i, id := range want {
		if i%100 == 7 {
			some = append(some, id)
		}
	}
	for _, id := range some {
		wantIDs(t, f.ids(Query{Newest: true, Contains: [][]byte{[]byte(id)}}), id)
	}
	if len(f.warnings) != 0 {
		t.Errorf("warnings %q", f.warnings)
	}
}

func TestNeedleIsIndex(t *testing.T) {
	alphabet := rapid.SampledFrom([]byte(`aaab"7:Z`))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(alphabet, 0, 5).Draw(t, "text")
		s := rapid.SliceOfN(alphabet, 0, 400).Draw(t, "s")
		if got, want := newNeedle(text).index(s), bytes.Index(s, text); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

// TestAlso: what lies in another cairn directory of this clone is read as its own,
// and nothing is written there.
func TestAlso(t *testing.T) {
	other := newFixture(t)
	waits := other.add(1)
	f := newFixture(t)
	f.clock.add(1e9)
	r := f.add(0)
	f.Manifest = Open(f.dir, Options{Also: []string{other.dir}, Branch: f.fake, Now: f.clock.now})
	wantIDs(t, f.ids(Query{}), waits.ID, r.ID)
	for rec, err := range f.Records(t.Context(), Query{}) {
		if err != nil || rec.Elsewhere() {
			t.Errorf("%s is another clone's: %v", rec.ID, err)
		}
	}
	days, err := f.ShardDays(t.Context(), nil)
	var found []string
	for _, d := range days {
		for _, s := range d.Shards {
			if !s.Own {
				t.Errorf("%s is another clone's", s.Path)
			}
			records, err := f.ReadShard(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range records {
				found = append(found, rec.ID)
			}
		}
	}
	if slices.Sort(found); err != nil || !slices.Equal(found, []string{waits.ID, r.ID}) {
		t.Errorf("listed %v, %v", found, err)
	}
	before := other.ids(Query{})
	f.add(0)
	wantIDs(t, other.ids(Query{}), before...)
	if got, err := f.Find(t.Context(), waits.ID[:20]); err != nil || got.ID != waits.ID {
		t.Errorf("by the beginning of its id: %v, %v", got, err)
	}
}
