package outcomes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestListRoundTrips(t *testing.T) {
	l := List{
		{ID: `z "quoted" \ <b>`, Outcome: Failed, DurationMS: 7, At: "a.py:3"},
		{ID: "größe\n\x01", Outcome: XPassed, Times: 3},
		{ID: "rows", Outcome: Failed, Times: 3, Came: `{"failed":1,"passed":2}`},
		{ID: "a", Tool: "pytest", Outcome: Passed, Parent: true},
		{ID: "a", Tool: "go-test", Outcome: Skipped},
	}
	l.Sort()
	b := l.Encode()
	if n := bytes.Count(b, []byte{'\n'}); n != len(l) {
		t.Errorf("%d lines for %d tests:\n%s", n, len(l), b)
	}
	back, err := Decode(b)
	if err != nil || !reflect.DeepEqual(back, l) {
		t.Fatalf("read back: %+v, %v\nfrom %s", back, err, b)
	}
	if again := back.Encode(); !bytes.Equal(again, b) {
		t.Errorf("written again: %s, not %s", again, b)
	}
	if _, err := Decode([]byte("{\"id\":\"\"}\n")); err == nil {
		t.Error("an entry without an id was read")
	}
}

// A failure is never made a pass, in whatever order two verdicts come.
func TestJoinKeepsFailures(t *testing.T) {
	for _, a := range All {
		for _, b := range All {
			joined, filled := Test{ID: "x", Outcome: a}, Test{ID: "x", Outcome: a}
			joined.Join(Test{ID: "x", Outcome: b})
			filled.Fill(Test{ID: "x", Outcome: b})
			if bad := a.Bad() || b.Bad(); joined.Outcome.Bad() != bad || filled.Outcome.Bad() != bad {
				t.Errorf("%s and %s: joined %s, filled %s", a, b, joined.Outcome, filled.Outcome)
			}
		}
	}
	rows := Test{ID: "x", Outcome: Passed}
	for _, o := range []Test{{Outcome: Failed}, {Outcome: Error, Times: 1}, {Outcome: Passed}, {Outcome: Todo}, {Outcome: Error}} {
		rows.Join(o)
	}
	want := map[string]int{"error": 2, "failed": 1, "skipped": 1, "passed": 2}
	if got := (List{rows}).Counts(); rows.Outcome != Error || !reflect.DeepEqual(got, want) {
		t.Errorf("rows with one id: %+v, counted %v, want %v", rows, got, want)
	}
	if apart := (List{rows}).Verdicts(); len(apart) != 6 || !reflect.DeepEqual(apart.Counts(), want) {
		t.Errorf("taken apart: %+v", apart)
	}
	retried := Test{ID: "x", Outcome: Rerun}
	if retried.Join(Test{ID: "x", Outcome: Passed}); retried.Outcome != Flaky || retried.Times > 1 {
		t.Errorf("passed on the second try: %+v", retried)
	}
}

func many(n int) List {
	l := make(List, n)
	for i := range l {
		l[i] = Test{ID: fmt.Sprintf("tests/unit/test_module_%d.py::TestSomething::test_case_%d[param-%d]", i/100, i, i%7), Outcome: Passed, DurationMS: int64(i % 50)}
	}
	return l
}

func BenchmarkEncode(b *testing.B) {
	l := many(100_000)
	b.ReportAllocs()
	for b.Loop() {
		l.Sort()
		b.SetBytes(int64(len(l.Encode())))
	}
}

func TestForms(t *testing.T) {
	d := Document{Tool: "pytest", Tests: List{{ID: "a::b[<x> & \"y\"]", Outcome: Failed, DurationMS: 1200}, {ID: "a::c # 1", Outcome: Skipped}, {ID: "a::d", Outcome: Flaky}}}
	d.Said.Counts, d.Said.Complete = d.Tests.Counts(), true
	d.Said.Unnamed = map[string]int{"passed": 41}
	want := map[string][]string{
		"table": {"failed      1.2s  a::b[<x> & \"y\"]", "1 skipped, 1 flaky, 1 failed, 41 passed (unnamed)"},
		"json":  {`"tool":"pytest"`, `"complete":true`, `"tests":[{"id":"a::b[<x> & \"y\"]","outcome":"failed","duration_ms":1200}`},
		"jsonl": {`{"id":"a::c # 1","outcome":"skipped"}`},
		"junit": {`<testcase name="a::b[&lt;x&gt; &amp; &#34;y&#34;]" classname="pytest" time="1.200"><failure message="failed"></failure></testcase>`, `tests="3" failures="1"`},
		"ctrf":  {`"name":"a::d","status":"passed","duration":0,"rawStatus":"flaky","flaky":true`, `"skipped":1`},
		"tap":   {"1..3", "not ok 1 - a::b[<x> & \"y\"]", `ok 2 - a::c \# 1 # SKIP`},
		"map":   {`"a::c # 1": "SKIPPED"`, `"a::d": "FLAKY"`},
	}
	for _, form := range Formats {
		var b bytes.Buffer
		if err := Write(&b, form, d); err != nil {
			t.Fatal(err)
		}
		for _, part := range want[form] {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s has no %s:\n%s", form, part, b.String())
			}
		}
	}
	if err := Write(&bytes.Buffer{}, "yaml", d); err == nil {
		t.Error("an unknown form was written")
	}
}

// TestDecodeAsJSON: the quick way of reading an entry gives what a reader of JSON gives, whatever the text is.
func TestDecodeAsJSON(t *testing.T) {
	for _, line := range []string{
		`{"id":"a","outcome":"passed"}`, `{"id":"a b","tool":"pytest","outcome":"failed","duration_ms":12,"at":"a.py:3","times":2,"parent":true}`,
		`{"id":"q\"\\u00e9[é]","outcome":"skipped"}`, `{"outcome":"passed","id":"later"}`, `{ "id" : "spaced" , "outcome" : "error" }`,
		`{"id":"a","outcome":"passed","more":{"x":1}}`, `{"id":"a","outcome":"passed","duration_ms":-1}`, `{"id":"a","outcome":"unheard"}`,
		`{"id":"a","outcome":"passed","duration_ms":"x"}`, `{"id":"a","outcome":"passed",}`, `{"id":"a" "outcome":"passed"}`, `{"id":"a","outcome":"passed"`, `[]`, `{}`,
		"{\"id\":\"\xff\",\"outcome\":\"passed\"}", `{"id":"a","outcome":"passed","times":}`, `{"id":"a","outcome":"failed","times":3,"came":{ "passed":2, "failed":1 }}`,
		`{"id":"a","outcome":"failed","times":3,"came":[]}`, `{"id":"a","outcome":"passed","times":3,"came":{"passed":3}}`, `{"id":"a","outcome":"passed","parent":false}`,
	} {
		var want Test
		failed := json.Unmarshal([]byte(line), &want) != nil || want.ID == "" || want.Outcome == ""
		got, err := Decode([]byte(line + "\n"))
		if (err != nil) != failed || err == nil && got[0] != want {
			t.Errorf("%s: %+v %v, want %+v, an error: %v", line, got, err, want, failed)
		}
	}
}

// large is a list as that of a large suite.
func large(n int) (l List) {
	for i := range n {
		l = append(l, Test{
			ID:      fmt.Sprintf("tests/unit/test_module_%03d.py::TestClass%02d::test_behaviour_%d[case-%d]", i%400, i%17, i%23, i),
			Outcome: All[7-i%97%2*i%8], DurationMS: int64(i % 900), At: fmt.Sprintf("tests/unit/test_module_%03d.py:%d", i%400, i%700),
		})
	}
	l.Sort()
	return l
}

// BenchmarkList writes, compresses as the store does, and reads the list of 100,000 tests.
func BenchmarkList(b *testing.B) {
	l := large(100_000)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for b.Loop() {
		text := l.Encode()
		packed := w.EncodeAll(text, nil)
		if back, err := Decode(text); err != nil || len(back) != len(l) {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(packed))/float64(len(l)), "stored-B/test")
		b.ReportMetric(float64(len(text))/float64(len(l)), "B/test")
	}
	b.ReportAllocs()
}
