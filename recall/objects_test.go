package recall

import (
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/result"
)

func ask(t *testing.T, b *book, f Filters) (hits []*Hit) {
	t.Helper()
	return askFor(t, b, Query{Filters: f})
}

func askFor(t *testing.T, b *book, q Query) (hits []*Hit) {
	t.Helper()
	for hit, err := range Objects(t.Context(), b.Site, q) {
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, hit)
	}
	return hits
}

// at is the time of the n-th capture of a book, as a filter takes it.
func at(n int) string { return start.Add(time.Duration(n) * time.Minute).Format(time.RFC3339) }

func TestObjects(t *testing.T) {
	b := newBook(t)
	names := map[string]string{} // run id to the name it has here
	add := func(name, raw string, r *result.ToolResult, edit ...func(*manifest.Record)) *manifest.Record {
		rec := b.capture(raw, r, edit...)
		names[rec.ID] = name
		return rec
	}
	failed := pytest("a", "b")
	fp := failed.Findings[0].Fingerprint
	add("pass", "all well\n", pytest(), on("c0ffee00", "main"))
	add("fail", "it broke: a\n", failed, on("c0ffee11", "topic"))
	add("full", "", nil, b.full(failed), func(r *manifest.Record) { r.Raw = nil })
	add("lint", "F401\n", sealed(&result.ToolResult{
		Tool: "ruff", Kind: result.Lint, ParserConfidence: result.Parsed,
		Findings: []result.Finding{{
			Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", RuleName: "unused-import", Message: "unused",
			At: &result.Location{Path: "src/shop/a.py", Line: 1}, Related: []result.Related{{Message: "here", At: &result.Location{Path: "src/b.py", Line: 2}}},
		}},
	}, 1))
	add("make", "two tools\n", sealed(&result.ToolResult{
		Tool: "make", Kind: result.Generic, ParserConfidence: result.Parsed,
		Findings: []result.Finding{{Kind: result.TestFailure, Severity: result.SevFailure, Source: "go-test", ID: "m.TestX", Message: "m", Frames: []result.Location{{Path: "x_test.go", Line: 1}}}},
		Parts:    []result.Part{{Tool: "go-test", Kind: result.Test}, {Tool: "mypy", Kind: result.Typecheck}},
	}, 2))
	add("go", "ok\n", sealed(&result.ToolResult{Tool: "go-vet", ToolFamily: "go", Kind: result.Lint, ParserConfidence: result.Parsed}, 0))
	add("none", "", nil, func(r *manifest.Record) { r.Argv = []string{"x"} })
	if err := b.Manifest.Append(t.Context(), &manifest.Record{Type: manifest.TypePin, Target: "x", Time: start.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		q    Filters
		want string
	}{
		"all":           {Filters{}, "none go make lint full fail pass"},
		"limit":         {Filters{Limit: 2}, "none go"},
		"status":        {Filters{Status: "failed"}, "make lint full fail"},
		"statuses":      {Filters{Status: "passed,ok"}, "go pass"},
		"tool":          {Filters{Tool: "pytest"}, "full fail pass"},
		"part's tool":   {Filters{Tool: "mypy"}, "make"},
		"source":        {Filters{Tool: "go-test"}, "make"},
		"family":        {Filters{Tool: "go"}, "go make"},
		"no family":     {Filters{Tool: "py"}, ""},
		"kind":          {Filters{Kind: "lint"}, "go lint"},
		"part's kind":   {Filters{Kind: "typecheck"}, "make"},
		"fingerprint":   {Filters{Fingerprint: filter.List(fp)}, "full fail"},
		"beginning":     {Filters{Fingerprint: filter.List(strings.ToUpper(fp[:6]))}, "full fail"},
		"no such":       {Filters{Fingerprint: "000000"}, ""},
		"rule":          {Filters{Rule: "F401"}, "lint"},
		"rule's name":   {Filters{Rule: "unused-import"}, "lint"},
		"rule in full":  {Filters{Rule: "AssertionError"}, "full fail"},
		"file":          {Filters{File: "src/shop/a.py"}, "lint"},
		"file's end":    {Filters{File: "shop/a.py"}, "lint"},
		"dotted":        {Filters{File: "./tests/../tests/test_a.py"}, "full fail"},
		"absolute":      {Filters{File: filter.One(filepath.Join(b.Workspace.Root, "tests", "test_a.py"))}, "full fail"},
		"part of name":  {Filters{File: "est_a.py"}, ""},
		"base name":     {Filters{File: "a.py"}, "lint"},
		"related":       {Filters{File: "src/b.py"}, "lint"},
		"frame":         {Filters{File: "x_test.go"}, "make"},
		"branch":        {Filters{Branch: "topic"}, "fail"},
		"commit":        {Filters{Commit: "C0FFEE"}, "fail pass"},
		"whole commit":  {Filters{Commit: "c0ffee11"}, "fail"},
		"since":         {Filters{Since: at(5)}, "none go"},
		"until":         {Filters{Until: at(1)}, "pass"},
		"between":       {Filters{Since: at(1), Until: at(3)}, "full fail"},
		"raw":           {Filters{Grep: "it broke"}, "fail"},
		"finding's":     {Filters{Grep: "AssertionError: b"}, "full fail"},
		"joined":        {Filters{Status: "failed", Tool: "pytest", Branch: "topic", Grep: "broke"}, "fail"},
		"one finding":   {Filters{Rule: "F401", File: "tests/test_a.py"}, ""},
		"two of one":    {Filters{Rule: "AssertionError", File: "tests/test_a.py", Fingerprint: filter.List(fp)}, "full fail"},
		"limit of some": {Filters{Tool: "pytest", Limit: 1}, "full"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			var got []string
			for _, hit := range ask(t, b, test.q) {
				got = append(got, names[hit.Record.ID])
				if hit.Unsure != "" {
					t.Errorf("unsure of %s: %s", names[hit.Record.ID], hit.Unsure)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for hit, err := range Objects(t.Context(), b.Site, Query{Filters: Filters{Fingerprint: "xyz"}}) {
		if fail(err, "hex digits") != "" {
			t.Errorf("%v, %v", hit, err)
		}
	}
}

// A capture whose full result is elsewhere may hold what is asked for: it is
// listed, and says so. Of a fingerprint the record itself knows.
func TestObjectsUnsure(t *testing.T) {
	b := newBook(t)
	r := pytest("a")
	rec := b.capture("x\n", nil, b.full(r))
	b.lose(rec.ResultOID)
	for _, q := range []Filters{{Rule: "AssertionError"}, {File: "tests/test_a.py"}, {Rule: "other"}} {
		hits := ask(t, b, q)
		if len(hits) != 1 || !strings.Contains(hits[0].Unsure, "not in this clone") {
			t.Errorf("%+v: %+v", q, hits)
		}
	}
	if hits := ask(t, b, Filters{Fingerprint: filter.List(r.Findings[0].Fingerprint)}); len(hits) != 1 || hits[0].Unsure != "" {
		t.Errorf("by fingerprint: %+v", hits)
	}
	if hits := ask(t, b, Filters{Fingerprint: "0123456789ab", Rule: "AssertionError"}); len(hits) != 0 {
		t.Errorf("by another fingerprint: %+v", hits)
	}
}

func TestObjectsGrep(t *testing.T) {
	b := newBook(t)
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	rec := b.capture("1\nneedle "+secret+"\n\x00\xffneedle\n"+strings.Repeat("needle\n", 9), pytest())
	hits := ask(t, b, Filters{Grep: "needle"})
	if len(hits) != 1 || len(hits[0].Lines) != grepShown || strings.Contains(hits[0].Lines[0], secret) || !strings.HasPrefix(hits[0].Lines[0], "2: needle ") || hits[0].Lines[1] != "3: \ufffdneedle" {
		t.Errorf("%+v", hits)
	}

	// Without the bytes the findings still answer, and what could not be
	// searched is counted.
	gone := b.capture("other needle\n", pytest("needle"))
	silent := b.capture("third needle\n", pytest())
	b.lose(gone.Raw.OID)
	b.lose(silent.Raw.OID)
	unsearched := 0
	hits = askFor(t, b, Query{Filters{Grep: "needle"}, &unsearched})
	if len(hits) != 2 || hits[0].Record.ID != gone.ID || hits[1].Record.ID != rec.ID || !strings.Contains(hits[0].Unsure, "could not be searched") || unsearched != 2 {
		t.Errorf("%+v, %d unsearched", hits, unsearched)
	}
}

// One damaged output does not keep the others from being searched.
func TestObjectsDamaged(t *testing.T) {
	b := newBook(t)
	b.capture("needle in a good one\n", pytest())
	bad := b.capture("needle in a bad one\n", pytest())
	hex := b.id(bad.Raw.OID).Hex()
	write(t, filepath.Join(b.Dir, "objects", hex[:2], hex[2:]), "rubbish")
	unsearched := 0
	if hits := askFor(t, b, Query{Filters{Grep: "needle"}, &unsearched}); len(hits) != 1 || unsearched != 1 {
		t.Errorf("%+v, %d unsearched", hits, unsearched)
	}
}

// What says that a value is a secret may stand far before the part of the line
// that is shown, even in a window before it.
func TestObjectsGrepRedactsBeforeItCuts(t *testing.T) {
	secret := "S3" + strings.Repeat("q7Lz", 55)
	for name, line := range map[string]string{
		"before the part that is shown": strings.Repeat("x ", 370) + "password=" + secret + " needle " + strings.Repeat("y ", 400),
		"around the match":              strings.Repeat("x ", 370) + "password=" + secret[:90] + "needle" + secret[90:],
		"in the window before":          strings.Repeat("x", window-100-len("password=")) + " password=" + secret + " needle",
		"in the window behind":          "needle" + strings.Repeat("x", window-100-len("needle password=")) + " password=" + secret,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t)
			b.capture(line+"\n", pytest("test_a"))
			hits := ask(t, b, Filters{Grep: "needle"})
			if len(hits) != 1 || len(hits[0].Lines) != 1 {
				t.Fatalf("%d captures", len(hits))
			}
			if got := hits[0].Lines[0]; strings.Contains(got, "q7Lz") {
				t.Errorf("shows %q", got)
			}
		})
	}
}

// A large object of one line is searched in bounded memory.
func TestObjectsGrepLarge(t *testing.T) {
	b := newBook(t)
	const size = 100 << 20
	info, err := b.Objects.Put(io.MultiReader(io.LimitReader(filler{}, size), strings.NewReader("needle\n")))
	if err != nil {
		t.Fatal(err)
	}
	b.capture("", pytest(), func(r *manifest.Record) {
		r.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hits := ask(t, b, Filters{Grep: "needle"})
	runtime.ReadMemStats(&after)
	if len(hits) != 1 || len(hits[0].Lines) != 1 || !strings.HasSuffix(hits[0].Lines[0], "xxneedle") {
		t.Errorf("%+v", hits)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > size/4 {
		t.Errorf("searching %d bytes took %d bytes of memory", size, used)
	}
}

// filler is an endless line.
type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
