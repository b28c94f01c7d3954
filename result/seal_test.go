package result

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// clone is a deep copy by way of JSON, which every sealed result survives.
func clone(t interface{ Fatal(...any) }, r *ToolResult) *ToolResult {
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSealIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawResult(t)
		w := Workspace{Root: "/home/ann/proj", Dir: "/home/ann/proj/sub", Home: "/home/ann"}
		Seal(r, w)
		once, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		back := clone(t, r)
		if !reflect.DeepEqual(normal(r), normal(back)) {
			t.Fatalf("the JSON loses something:\n%#v\n%#v", r, back)
		}
		for _, again := range []*ToolResult{r, back} {
			Seal(again, w)
			twice, err := again.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if string(once) != string(twice) {
				t.Fatalf("once  %s\ntwice %s", once, twice)
			}
		}
	})
}

// normal makes empty lists and maps nil, as JSON leaves them out.
func normal(r *ToolResult) *ToolResult {
	var empty func(v reflect.Value)
	empty = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				empty(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				empty(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				empty(v.Index(i))
			}
			if v.Len() == 0 && v.CanSet() {
				v.SetZero()
			}
		case reflect.Map:
			if v.Len() == 0 && v.CanSet() {
				v.SetZero()
			}
		}
	}
	empty(reflect.ValueOf(r))
	return r
}

// TestSealCleansEverything puts an escape sequence into every string there is,
// found by reflection, so that a new field cannot be forgotten.
func TestSealCleansEverything(t *testing.T) {
	r := &ToolResult{}
	n := fill(reflect.ValueOf(r).Elem(), func(reflect.StructField, string) string { return "\x1b[31ma\u202e\x00\r\n\xffb" })
	if n < 70 {
		t.Fatalf("only %d strings were filled", n)
	}
	Seal(r, Workspace{})
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{`\u001b`, "\u202e", `\u0000`, `\r`, "[31m"} {
		if i := strings.Index(string(data), bad); i >= 0 {
			t.Errorf("%q is still there: …%s", bad, data[max(0, i-60):min(len(data), i+20)])
		}
	}
	if m := r.Findings[0].Message; strings.Contains(m, "\n") {
		t.Errorf("the message has two lines: %q", m)
	}
	if !strings.Contains(r.Body, "\n") {
		t.Errorf("the body lost its lines: %q", r.Body)
	}
}

// fill sets every string below v, keys of maps included, and returns how many.
// Lists get one element, pointers are followed.
func fill(v reflect.Value, text func(f reflect.StructField, owner string) string) int {
	var walk func(v reflect.Value, f reflect.StructField, owner string) int
	walk = func(v reflect.Value, f reflect.StructField, owner string) (n int) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(text(f, owner))
			return 1
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			return walk(v.Elem(), f, owner)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			return walk(v.Index(0), f, owner)
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			if v.Type().Elem().Kind() == reflect.Interface {
				deep := map[string]any{text(f, owner): []any{text(f, owner), []string{text(f, owner)}}}
				v.SetMapIndex(reflect.ValueOf(text(f, owner)), reflect.ValueOf(deep))
				return 4
			}
			v.SetMapIndex(reflect.ValueOf(text(f, owner)), reflect.ValueOf(1))
			return 1
		case reflect.Struct:
			for i := range v.NumField() {
				n += walk(v.Field(i), v.Type().Field(i), v.Type().Name())
			}
		}
		return n
	}
	return walk(v, reflect.StructField{}, "")
}

func TestMapStringsReachesEverything(t *testing.T) {
	// What is no free text: enumerations, digests, identities.
	fixed := map[string]bool{
		"ToolResult.Signal": true, "ToolResult.RawOID": true, "ToolResult.CasesOID": true, "Artifact.OID": true, "Outcomes.OID": true,
		"Stage.Signal": true, "Stage.RawOID": true,
		"ParserInfo.ColumnUnit": true, "Finding.Fingerprint": true, "Finding.Group": true, "Finding.Baseline": true, "Baseline.Run": true, "Baseline.Unchanged": true, "SameTree.Run": true,
		"Fix.Applicability": true, "Span.Stream": true,
	}
	r := &ToolResult{}
	enums := 0
	texts := fill(reflect.ValueOf(r).Elem(), func(f reflect.StructField, owner string) string {
		elem := f.Type
		if elem.Kind() == reflect.String && elem.Name() != "string" || fixed[owner+"."+f.Name] {
			enums++
			return "fixed"
		}
		return "secret " + owner + "." + f.Name
	})
	calls := 0
	r.MapStrings(func(s string) string {
		calls++
		if s == "fixed" {
			t.Error("an enumeration or a digest was given to the callback")
		}
		return strings.ReplaceAll(s, "secret", "redacted")
	})
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(data), "secret"); i >= 0 {
		t.Errorf("missed: %s", data[i:min(len(data), i+60)])
	}
	if calls != texts-enums {
		t.Errorf("%d calls for %d texts", calls, texts-enums)
	}
}

func TestSealDuplicates(t *testing.T) {
	f := Finding{Kind: Diagnostic, Severity: SevWarning, Rule: "R", Message: "m", At: at("a.rs", 3, 1)}
	other := with(f, func(f *Finding) { f.At.Line = 9 })
	nowhere := with(f, func(f *Finding) { f.At = nil })
	cut := with(f, func(f *Finding) { f.MessageTruncated = true; f.Message = "x..." })
	cut2 := with(cut, func(f *Finding) { f.Message = "y..." })
	r := ToolResult{Tool: "t", Findings: []Finding{f, with(f, func(*Finding) {}), other, nowhere, nowhere, cut, cut2}}
	Seal(&r, Workspace{})

	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%s#%d", f.Location, f.Occurrence))
	}
	want := "a.rs:3:1#0 a.rs:9:1#2 #0 #2 a.rs:3:1#0 a.rs:3:1#2"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if len(r.Suppressed) != 1 || r.Suppressed[0] != (Suppressed{Kind: "duplicates", Count: 1}) {
		t.Errorf("suppressed: %+v", r.Suppressed)
	}
	if r.Truncated.FindingsTotal != 6 || r.Truncated.FindingsShown != 6 {
		t.Errorf("truncated: %+v", r.Truncated)
	}
}

func TestSealKeepsTotals(t *testing.T) {
	r := ToolResult{Tool: "t", Truncated: Truncated{FindingsTotal: 500}, Findings: []Finding{{Message: "a"}, {Message: "b"}}}
	Seal(&r, Workspace{})
	if r.Truncated.FindingsTotal != 500 || r.Truncated.FindingsShown != 2 {
		t.Errorf("what the parser left out: %+v", r.Truncated)
	}
	r.Findings = r.Findings[:1]
	Seal(&r, Workspace{})
	if r.Truncated.FindingsTotal != 500 || r.Truncated.FindingsShown != 1 {
		t.Errorf("what the manifest left out: %+v", r.Truncated)
	}
}

func TestSealLimits(t *testing.T) {
	long := strings.Repeat("é", MaxDetail) // two bytes each
	f := Finding{Message: long, Detail: "x" + long, Expected: long, Actual: "short", Diff: long,
		Suggestions: []string{"1", "2", "3", "4", "5", "six"}}
	for i := range 12 {
		f.Frames = append(f.Frames, Location{Path: fmt.Sprintf("/rustc/%d/a.rs", i), Line: 1}, Location{Path: fmt.Sprintf("f%d.rs", i), Line: 1})
	}
	f.Frames = f.Frames[:14]
	r := ToolResult{Tool: "t", Findings: []Finding{f}}
	for i := range 60 {
		status := OK
		if i%2 == 1 {
			status = Failed
		}
		r.Parts = append(r.Parts, Part{Tool: "t", Status: status, Name: fmt.Sprint(i)})
	}
	Seal(&r, Workspace{})
	got := r.Findings[0]
	for name, s := range map[string]string{"message": got.Message, "detail": got.Detail, "expected": got.Expected, "diff": got.Diff} {
		if !utf8.ValidString(s) {
			t.Errorf("%s was cut within a character", name)
		}
	}
	if len(got.Message) != MaxMessage || len(got.Detail) != MaxDetail-1 || len(got.Expected) != MaxValue || got.Actual != "short" || len(got.Suggestions) != MaxSuggestions {
		t.Errorf("lengths: %d %d %d %q %d", len(got.Message), len(got.Detail), len(got.Expected), got.Actual, len(got.Suggestions))
	}
	want := (2*MaxDetail - MaxMessage) + (2*MaxDetail + 1 - (MaxDetail - 1)) + (2*MaxDetail - MaxValue) + (2*MaxDetail - MaxDetail) + len("six")
	if r.Truncated.DetailBytesOmitted != want {
		t.Errorf("omitted %d bytes, want %d", r.Truncated.DetailBytesOmitted, want)
	}
	near := 0
	for _, l := range got.Frames {
		if !l.External {
			near++
		}
	}
	if len(got.Frames) != MaxFrames || near != 7 {
		t.Errorf("%d frames, %d of the workspace", len(got.Frames), near)
	}
	failed := 0
	for _, p := range r.Parts {
		if p.Status == Failed {
			failed++
		}
	}
	if len(r.Parts) != MaxParts || failed != 30 {
		t.Errorf("%d parts, %d failed: a part that failed was dropped", len(r.Parts), failed)
	}
	short := seal1("t", Workspace{}, Finding{Message: long[:MaxMessage]})
	if got.Fingerprint == short.Fingerprint {
		t.Error("the fingerprint is that of the cut message")
	}
}

func TestSealRepairs(t *testing.T) {
	r := ToolResult{Tool: "t", ParserConfidence: Untyped, Counts: map[string]int{"failed": -1}, Findings: []Finding{
		{Severity: "blocker", Message: "a", At: &Location{Path: "", Line: 4}},
		{Severity: SevInfo, Message: "b", At: &Location{Path: "x", Line: -1, Column: 3, EndLine: 5}, Fingerprint: "not one"},
		{Severity: SevInfo, Message: "c", At: &Location{Path: "x", Line: 7, EndLine: 3}, Extra: map[string]any{"f": 1.5, "i": 2.0, "s": struct{ A int }{3}, "c": make(chan int)}},
	}}
	Seal(&r, Workspace{})
	a, b, c := r.Findings[0], r.Findings[1], r.Findings[2]
	if a.Severity != SevError || a.RawSeverity != "blocker" || a.At != nil || a.Location != "" {
		t.Errorf("%+v", a)
	}
	if b.Location != "x" || b.At.EndLine != 0 || !isIdentity(b.Fingerprint) {
		t.Errorf("%+v", b)
	}
	if c.Location != "x:7" || c.At.EndLine != 0 || c.Extra["f"] != "1.5" || c.Extra["i"] != int64(2) {
		t.Errorf("%+v", c)
	}
	if s := c.Extra["s"].(map[string]any); s["A"] != int64(3) {
		t.Errorf("%+v", s)
	}
	if r.ParserConfidence != Heuristic || r.Counts["failed"] != 0 {
		t.Errorf("%s %v", r.ParserConfidence, r.Counts)
	}
}

// three are failures of one test name, as a loop around test(name, …) makes them.
func three(failed int, actual ...string) *ToolResult {
	r := &ToolResult{Tool: "jest", Kind: Test, Counts: map[string]int{"failed": failed}}
	for _, a := range actual {
		r.Findings = append(r.Findings, Finding{Kind: TestFailure, Severity: SevFailure, ID: "same", Message: "expect(received).toBe(expected)",
			Expected: "0", Actual: a, At: &Location{Path: "a.test.js", Line: 3, Column: 9}})
	}
	return r
}

func TestTestsOfOneNameAreAllThere(t *testing.T) {
	for _, c := range []struct {
		about     string
		r         *ToolResult
		times     []int
		occurs    []int
		duplicate int
	}{
		{"other values", three(3, "1", "2", "3"), []int{0, 0, 0}, []int{0, 2, 3}, 0},
		{"all alike", three(3, "1", "1", "1"), []int{3}, []int{0}, 0},
		{"some alike", three(3, "1", "2", "1"), []int{2, 0}, []int{0, 2}, 0},
		{"not counted", three(0, "1", "1"), []int{2}, []int{0}, 0},
		{"in two ways", three(2, "1", "2", "1"), []int{2, 0}, []int{0, 2}, 0},
		{"told twice", three(1, "1", "1"), []int{0}, []int{0}, 1},
	} {
		Seal(c.r, Workspace{})
		Seal(c.r, Workspace{})
		var times, occurs []int
		for _, f := range c.r.Findings {
			times, occurs = append(times, f.Times), append(occurs, f.Occurrence)
		}
		duplicates := 0
		for _, s := range c.r.Suppressed {
			duplicates += s.Count
		}
		if fmt.Sprint(times, occurs, duplicates) != fmt.Sprint(c.times, c.occurs, c.duplicate) {
			t.Errorf("%s: times %v, occurrence %v, %d duplicates", c.about, times, occurs, duplicates)
		}
	}
}

func TestIDsHoldNoAbsolutePath(t *testing.T) {
	w := Workspace{Root: "/home/ann/my proj", Dir: "/home/ann/my proj/web", Home: "/home/ann"}
	for id, want := range map[string]string{
		"/home/ann/my proj/web/a.test.js":             "a.test.js",
		"/home/ann/my proj/lib/a.test.js › adds":      "../lib/a.test.js › adds",
		"/home/ann/my proj/web/a.test.js:5 > adds":    "a.test.js:5 > adds",
		"/tmp/a.test.mjs":                             "<tmp>/a.test.mjs",
		"GET /api/list.js is fast":                    "GET /api/list.js is fast",
		"/api/list.js is fast":                        "/api/list.js is fast",
		"/api › /home/ann/my proj/web/a.js › «C:\\x»": "/api › a.js › «C:\\x»",
		"com.acme.FooTest":                            "com.acme.FooTest",
	} {
		plain := &ToolResult{Tool: "t", Kind: Test, Findings: []Finding{{Kind: TestFailure, Severity: SevFailure, ID: id, Name: id, Message: "m"}}}
		named := &ToolResult{Tool: "t", Kind: Test, Findings: []Finding{{Kind: TestFailure, Severity: SevFailure, ID: want, Message: "m"}}}
		Seal(plain, w)
		Seal(named, w)
		if f := plain.Findings[0]; f.ID != want || f.Name != want || f.Fingerprint != named.Findings[0].Fingerprint {
			t.Errorf("%s: id %q, name %q, fingerprint %s of %s", id, f.ID, f.Name, f.Fingerprint, named.Findings[0].Fingerprint)
		}
	}
}
