package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/manifest"
)

// tester is a test, or a check of a property.
type tester interface {
	rapid.TB
	Context() context.Context
}

// describe makes a row that has all of a record that the tests look at.
func describe(rec *manifest.Record) (Row, error) {
	if rec.Shell == "no row" {
		return Row{}, errors.New("it has none")
	}
	return Row{
		Key: rec.Key, Command: rec.Shell, What: rec.Signal, Where: rec.Dir, Who: rec.ID, Duration: rec.DurationMS, Raw: 3, Shown: 2, Flags: uint16(len(rec.More)),
		Findings: rec.More,
	}, nil
}

func record(t tester, i int, at time.Time) *manifest.Record {
	id, err := manifest.NewID(at)
	if err != nil {
		t.Fatal(err)
	}
	rec := &manifest.Record{V: 1, ID: id, Time: at, Key: fmt.Sprintf("key%d", i%7), Shell: fmt.Sprintf("run %d", i%11), Signal: []string{"", "SIGKILL"}[i%2], Dir: ".", DurationMS: int64(i)}
	for k := range i % 4 {
		rec.More = append(rec.More, fmt.Sprintf("%012x", (i+k)%13))
	}
	return rec
}

func line(t tester, rec *manifest.Record) string {
	b, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// put writes a shard as cairn does: this clone's last one of a day grows in place,
// any other is replaced.
func put(t tester, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, "manifest", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "writer"), []byte("w\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := path
	if base := filepath.Base(name); base != "w-3.jsonl" {
		to += ".new"
	}
	if err := os.WriteFile(to, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(to, path); err != nil {
		t.Fatal(err)
	}
}

// tell opens the index and gives all of its rows as text, oldest first.
func tell(t tester, dir string) []string {
	t.Helper()
	x, err := Open(t.Context(), manifest.Open(dir, manifest.Options{}), filepath.Join(dir, "index"), describe, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Need(Keys, Commands, Whats, Wheres, Whos, Numbers, Flags, Findings, Texts); err != nil {
		t.Fatal(err)
	}
	var rows []string
	err = x.Each(false, func(s *Segment, i int) bool {
		var has []string
		for _, n := range s.Has(i) {
			has = append(has, s.Finding(n))
		}
		if i%5 == 0 { // each opens its shard
			rec, err := x.Record(s, i)
			if err != nil || rec.ID != s.Text(s.Who(i)) {
				t.Fatalf("row %d is of %v (%v)", i, rec, err)
			}
		}
		rows = append(rows, fmt.Sprint(s.Time(i).Format(manifest.TimeLayout), " ", s.Text(s.Who(i)), " ", s.Text(s.Key(i)), " ", s.Text(s.Command(i)), " ",
			s.Text(s.What(i)), " ", s.Text(s.Where(i)), " ", s.Duration(i), " ", s.Flags(i), " ", has))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	n, twins := 0, false
	for _, s := range x.Segments() {
		n += s.Len()
		for i := range s.Len() {
			twins = twins || s.Twin(i)
		}
	}
	if x.Apart() && !twins && n != len(rows) {
		t.Fatalf("%d of %d rows count, though the segments are apart", len(rows), n)
	}
	var back []string
	if err := x.Each(true, func(s *Segment, i int) bool { back = append(back, s.Text(s.Who(i))); return true }); err != nil {
		t.Fatal(err)
	}
	selections(t, x)
	slices.Reverse(back)
	for i, id := range back {
		if !strings.Contains(rows[i], id) {
			t.Fatalf("newest first is another order: %s is not %s", id, rows[i])
		}
	}
	return rows
}

// reference reads the manifest without an index.
func reference(t tester, dir string) []string {
	t.Helper()
	var rows []string
	for rec, err := range manifest.Open(dir, manifest.Options{}).Records(t.Context(), manifest.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == manifest.TypeCapture && rec.Shell != "no row" {
			rows = append(rows, fmt.Sprint(rec.Time.Format(manifest.TimeLayout), " ", rec.ID, " ", rec.Key, " ", rec.Shell, " ", rec.Signal, " ", rec.Dir, " ", rec.DurationMS, " ", len(rec.More), " ", append([]string(nil), rec.More...)))
		}
	}
	return rows
}

func same(t rapid.TB, got, want []string) {
	t.Helper()
	got, want = slices.Clone(got), slices.Clone(want)
	slices.Sort(got) // of one microsecond the order is not promised
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("the index has %d rows, the manifest %d\ngot  %.2000v\nwant %.2000v", len(got), len(want), got, want)
	}
}

// TestDamagedSections flips a bit of each section in turn: what a walk comes to
// need only where two rows claim one run is found damaged before the walk, too.
func TestDamagedSections(t *testing.T) {
	before := writeFrom
	writeFrom = 1
	defer func() { writeFrom = before }()
	dir := t.TempDir()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var lines, others string
	for n := range 8 {
		rec := record(t, n, at.Add(time.Duration(n)*time.Second))
		lines += line(t, rec)
		rec.Partial, rec.Key = true, "partial"
		others += line(t, rec)
	}
	put(t, dir, "2026/11/01/one-1.jsonl", lines)
	put(t, dir, "2026/11/01/other-1.jsonl", others)
	want := reference(t, dir)
	for number := range sections {
		same(t, tell(t, dir), want)
		names, err := filepath.Glob(filepath.Join(dir, "index", "*"+suffix))
		if err != nil || len(names) != 1 {
			t.Fatalf("segments: %v, %v", names, err)
		}
		b, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		b[binary.LittleEndian.Uint64(b[len(magic)+number*entry:])] ^= 1
		if err := os.WriteFile(names[0], b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	same(t, tell(t, dir), want)
}

// TestListCatchesUp: folders that were too new to be trusted when the index was
// written, as all are of a record that was just fetched, are listed when they are
// trusted, and not before; then nothing is written any more.
func TestListCatchesUp(t *testing.T) {
	for _, more := range []bool{false, true} { // with new captures that are too few to be written for their own sake
		dir, list := t.TempDir(), ""
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		day := func(n int) string { return at.AddDate(0, 0, n).Format("2006/01/02") }
		listed := func() int {
			t.Helper()
			same(t, tell(t, dir), reference(t, dir))
			b, err := os.ReadFile(filepath.Join(dir, "index", listName))
			if err != nil {
				t.Fatal(err)
			}
			list = string(b)
			return strings.Count(list, " manifest/2026/")
		}
		for n := range listFrom {
			var lines string
			for k := range 1 + writeFrom/listFrom {
				lines += line(t, record(t, n, at.AddDate(0, 0, n).Add(time.Duration(k)*time.Second)))
			}
			put(t, dir, day(n)+"/one-1.jsonl", lines)
		}
		changed := func(ago time.Duration) {
			t.Helper()
			for n := range listFrom {
				then := time.Now().Add(-ago)
				if err := os.Chtimes(filepath.Join(dir, "manifest", filepath.FromSlash(day(n))), then, then); err != nil {
					t.Fatal(err)
				}
			}
		}
		changed(-time.Hour)
		if n := listed(); n != 0 {
			t.Fatalf("%d folders are listed that may have changed in this moment", n)
		}
		changed(time.Hour)
		if more {
			put(t, dir, day(listFrom)+"/one-1.jsonl", line(t, record(t, 0, at.AddDate(0, 0, listFrom))))
		}
		if n := listed(); n != listFrom {
			t.Fatalf("%d of %d folders are listed when all are old", n, listFrom)
		}
		before := list
		if listed(); list != before {
			t.Errorf("it is written again:\n%s\nwas\n%s", list, before)
		}
	}
}

// TestShardGoes takes a shard away between Open and the walk.
// A row from the future counts as the oldest, in both orders.
func TestFromTheFuture(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	var ids []string
	for i, at := range []time.Time{now.AddDate(0, 0, -2), now, now.AddDate(0, 0, 2), now.AddDate(70, 0, 0)} {
		rec := record(t, i, at)
		put(t, dir, fmt.Sprintf("%s/w%d-1.jsonl", at.Format("2006/01/02"), i), line(t, rec))
		ids = append(ids, rec.ID)
	}
	x, err := Open(t.Context(), manifest.Open(dir, manifest.Options{Now: func() time.Time { return now }}), filepath.Join(dir, "index"), describe, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Need(Whos, Texts); err != nil {
		t.Fatal(err)
	}
	for newest, want := range map[bool][]string{false: {ids[2], ids[3], ids[0], ids[1]}, true: {ids[1], ids[0], ids[3], ids[2]}} {
		var got []string
		at := map[string]int{}
		err := x.Each(newest, func(s *Segment, i int) bool {
			at[s.Text(s.Who(i))] = i
			got = append(got, s.Text(s.Who(i)))
			return true
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("newest %v: %v (%v), want %v", newest, got, err, want)
		}
		if len(x.Segments()) != 1 {
			t.Fatalf("%d segments", len(x.Segments()))
		}
		if s := x.Segments()[0]; !x.After(s, at[ids[1]], s, at[ids[3]]) || x.After(s, at[ids[2]], s, at[ids[0]]) {
			t.Error("After has another order")
		}
		first := 0
		if err := x.Each(newest, func(*Segment, int) bool { first++; return false }); err != nil || first != 1 {
			t.Errorf("newest %v: visited %d rows after the first was enough (%v)", newest, first, err)
		}
	}
}

func TestShardGoes(t *testing.T) {
	for _, gone := range [][]string{{"one"}, {"other"}, {"one", "other"}} {
		dir := t.TempDir()
		rec := record(t, 1, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		put(t, dir, "2026/11/01/one-1.jsonl", line(t, rec))
		rec.Partial, rec.Key = true, "partial"
		put(t, dir, "2026/11/01/other-1.jsonl", line(t, rec))
		x, err := Open(t.Context(), manifest.Open(dir, manifest.Options{}), filepath.Join(dir, "index"), describe, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if err := x.Need(Keys, Texts); err != nil {
			t.Fatal(err)
		}
		for _, name := range gone {
			if err := os.Remove(filepath.Join(dir, "manifest", "2026", "11", "01", name+"-1.jsonl")); err != nil {
				t.Fatal(err)
			}
		}
		var keys []string
		if err := x.Each(false, func(s *Segment, i int) bool { keys = append(keys, s.Text(s.Key(i))); return true }); err != nil {
			t.Fatalf("without %v: %v", gone, err)
		}
		want := map[string]string{"one": "partial", "other": "key1"}[gone[0]]
		if len(keys) != 1 || len(gone) == 1 && keys[0] != want {
			t.Errorf("without %v: the rows are of %v, want %s", gone, keys, want)
		}
	}
}

// TestSegmentLost: where the segment with the present state of a shard is gone, and another
// holds what the shard was before, the shard is read again, however old its folder is.
func TestSegmentLost(t *testing.T) {
	writeFrom, maxRows, maxSmall, smallRows = 1, 25, 9, 12
	dir := t.TempDir()
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	folder := filepath.Join(dir, "manifest", "2026", "11", "01")
	aged := func(seconds int) { // when the folder changed last
		at := time.Now().Add(-time.Duration(seconds) * time.Second)
		if err := os.Chtimes(folder, at, at); err != nil {
			t.Fatal(err)
		}
	}
	first := line(t, record(t, 1, day))
	put(t, dir, "2026/11/01/a-1.jsonl", first)
	put(t, dir, "2026/11/01/b-1.jsonl", line(t, record(t, 2, day.Add(time.Second))))
	aged(100)
	same(t, tell(t, dir), reference(t, dir))
	put(t, dir, "2026/11/01/a-1.jsonl", first+line(t, record(t, 3, day.Add(2*time.Second))))
	aged(50)
	same(t, tell(t, dir), reference(t, dir))
	segments, err := filepath.Glob(filepath.Join(dir, "index", "*.idx"))
	if err != nil || len(segments) != 2 {
		t.Fatalf("segments %v, %v", segments, err)
	}
	for _, gone := range segments {
		content, err := os.ReadFile(gone)
		if err == nil {
			err = os.Remove(gone)
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, tell(t, dir), reference(t, dir))
		if err := os.WriteFile(gone, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAgainstManifest changes shards in every way there is, and compares the
// index with the manifest after each step.
func TestAgainstManifest(t *testing.T) {
	writeFrom, maxRows, maxSmall, smallRows = 4, 25, 2, 12 // so that few rows make many segments
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		content := map[string]string{}
		n := 0
		var last *manifest.Record
		rt.Repeat(map[string]func(*rapid.T){
			"append": func(rt *rapid.T) {
				day := rapid.IntRange(1, 3).Draw(rt, "day")
				name := fmt.Sprintf("2026/11/%02d/w-%d.jsonl", day, rapid.IntRange(1, 3).Draw(rt, "shard"))
				for range rapid.SampledFrom([]int{1, 3, 8, 16}).Draw(rt, "count") {
					n++
					last = record(rt, n, time.Date(2026, 11, day, 0, 0, n, 0, time.UTC))
					if n%17 == 0 {
						last.Shell = "no row"
					}
					content[name] += line(rt, last)
				}
				put(rt, dir, name, content[name])
			},
			"twice": func(rt *rapid.T) { // the same line in another shard of its day, or another that claims its id
				if last == nil {
					return
				}
				other := *last
				if rapid.Bool().Draw(rt, "differs") {
					other.Partial, other.Key = true, "partial"
				}
				name := last.Time.Format("2006/01/02") + "/other-1.jsonl"
				content[name] += line(rt, &other)
				put(rt, dir, name, content[name])
			},
			"torn": func(rt *rapid.T) {
				name := "2026/11/01/torn-1.jsonl"
				content[name] += `{"v":1,"id":"` + "\n"
				put(rt, dir, name, content[name])
			},
			"remove": func(rt *rapid.T) {
				names := slices.Sorted(maps.Keys(content))
				if len(names) == 0 {
					return
				}
				delete(content, names[0])
				if err := os.Remove(filepath.Join(dir, "manifest", names[0])); err != nil {
					rt.Fatal(err)
				}
			},
			"damage": func(rt *rapid.T) {
				files, _ := filepath.Glob(filepath.Join(dir, "index", "*"))
				if len(files) == 0 {
					return
				}
				name := rapid.SampledFrom(files).Draw(rt, "file")
				b, err := os.ReadFile(name)
				if err != nil || len(b) == 0 {
					return
				}
				b[rapid.IntRange(0, len(b)-1).Draw(rt, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
				if err := os.WriteFile(name, b, 0o644); err != nil {
					rt.Fatal(err)
				}
			},
			"": func(rt *rapid.T) { same(rt, tell(rt, dir), reference(rt, dir)) },
		})
	})
}
