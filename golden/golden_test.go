package golden

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cairn/golden/runfile"
	"cairn/internal/racing"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write the file want of every case")

// all reads the cases once for all tests.
var all = sync.OnceValues(func() ([]Case, error) { return Load(".") })

// excused are the cases of which a test is known not to hold, as lines "TEST
// TOOL/CASE because WHY" of the file excused.txt.
var excused = sync.OnceValue(func() map[string]string {
	text, err := os.ReadFile("excused.txt")
	if err != nil {
		panic(err)
	}
	all := map[string]string{}
	for _, line := range lines(string(text)) {
		if what, why, ok := strings.Cut(line, " because "); ok && !strings.HasPrefix(line, "#") {
			all[what] = why
		}
	}
	return all
})

func each(t *testing.T, test func(t *testing.T, c Case)) {
	t.Helper()
	cases, err := all()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases found")
	}
	few := oneOf()
	for i, c := range cases {
		if i%few != 0 && (racing.Enabled || !everyCase[t.Name()]) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(t.Name(), "/")
			if why := excused()[name+" "+c.Name]; why != "" {
				t.Log("excused: ", why)
				return
			}
			test(t, c)
		})
	}
}

// everyCase are the tests that read each case once, so that they try all of them.
var everyCase = map[string]bool{"TestExpected": true, "TestTruth": true, "TestFiles": true, "TestUnderAnotherName": true, "TestOutcomes": true, "TestBehindTail": true}

// answer is the result of a case and its compact text, as a capture gives them.
func answer(in parsers.Input, exit result.Exit) (*result.ToolResult, string) {
	r := parsers.Parse(in, exit)
	var raw []byte
	for chunk := range in.Source.Chunks() {
		raw = append(raw, chunk.Data...)
	}
	r.RawOID = fmt.Sprintf("sha256:%x", sha256.Sum256(raw))
	if len(raw) > render.RawLimit {
		raw = nil
	}
	return r, render.Compact(r, raw)
}

func indented(t *testing.T, r *result.ToolResult) []byte {
	t.Helper()
	b, err := r.Indented()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestExpected compares each case with what its folder expects.
func TestExpected(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		r, compact := answer(c.Input(c.Output), c.Exit)
		got := compact
		if table := tests(t, c); table != "" {
			got += runfile.TestsBelow + table
		}
		got += runfile.ResultBelow + string(indented(t, r))
		path := filepath.Join(c.Dir, runfile.Want)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (go test ./golden -run TestExpected -update writes it)", err)
		}
		if string(want) != got {
			t.Errorf("%s differs: - expected, + got (go test ./golden -run TestExpected -update)\n%s", path, diff(string(want), got))
		}
	})
}

// TestTwice: equal input gives equal bytes.
func TestTwice(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		a, first := answer(c.Input(c.Output), c.Exit)
		b, second := answer(c.Input(c.Output), c.Exit)
		if !bytes.Equal(indented(t, a), indented(t, b)) || first != second {
			t.Errorf("two results of one output differ:\n%s", diff(string(indented(t, a)), string(indented(t, b))))
		}
	})
}

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(result.Schema()))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("tool-result.json", doc); err != nil {
		return nil, err
	}
	return compiler.Compile("tool-result.json")
})

// TestSchema validates every result against the published schema.
func TestSchema(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		r, _ := answer(c.Input(c.Output), c.Exit)
		published, err := schema()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(indented(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		if err := published.Validate(value); err != nil {
			t.Error(err)
		}
	})
}

// TestTruth: what a person sees in the output is in the compact text.
func TestTruth(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		r, compact := answer(c.Input(c.Output), c.Exit)
		_, below, _ := strings.Cut(compact, "\n")
		if strings.TrimSpace(below) == strings.TrimSpace(result.Clean(string(c.Raw()))) {
			return // the raw output itself
		}
		for _, f := range c.Truth {
			if f.Kind == "says" && r.ParserConfidence == result.Parsed || f.Kind == "at" && located(r, f.Text) {
				continue
			}
			if !strings.Contains(compact, f.Text) && !strings.Contains(render.Expand(compact), f.Told()) {
				t.Errorf("the compact text does not tell: %s %s\n%s", f.Kind, f.Text, compact)
			}
		}
		honest(t, c, "as recorded", r, compact)
	})
}

// located says that one of the further places of a finding is at.
func located(r *result.ToolResult, at string) bool {
	for _, f := range r.Findings {
		places := slices.Concat(f.Locations, f.Frames)
		for _, rel := range f.Related {
			if rel.At != nil {
				places = append(places, *rel.At)
			}
		}
		for _, p := range places {
			if strings.HasPrefix("/"+p.String()+":", "/"+at+":") || strings.Contains(p.String()+":", "/"+at+":") {
				return true
			}
		}
	}
	return false
}

// TestSpans: every finding points at the bytes that say so.
func TestSpans(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		r, _ := answer(c.Input(c.Output), c.Exit)
		raw := c.Raw()
		for _, f := range r.Findings {
			if f.RawSpan == nil && f.Extra["artifact"] != nil {
				continue // it stands in a file
			}
			if f.RawSpan == nil {
				t.Errorf("no raw_span: %s %s", f.ID, f.Message)
				continue
			}
			if s := f.RawSpan; s.Start < 0 || s.End <= s.Start || s.End > int64(len(raw)) {
				t.Errorf("raw_span %d-%d of %d bytes: %s %s", s.Start, s.End, len(raw), f.ID, f.Message)
				continue
			}
			if text := spanText(c, *f.RawSpan); !tells(text, f) && f.Extra["artifact"] == nil {
				t.Errorf("raw_span %d-%d tells neither %q nor %q:\n%s", f.RawSpan.Start, f.RawSpan.End, f.Name, f.Message, text)
			}
		}
	})
}

// spanText is the bytes of a span as a parser sees them.
func spanText(c Case, s result.Span) string {
	var part parsers.Bytes
	for _, chunk := range c.Output {
		from, to := max(s.Start, chunk.Offset), min(s.End, chunk.Offset+int64(len(chunk.Data)))
		if from < to {
			part = append(part, parsers.Chunk{Stream: chunk.Stream, Offset: from, Data: chunk.Data[from-chunk.Offset : to-chunk.Offset]})
		}
	}
	var b strings.Builder
	in := parsers.Input{Source: part}
	for l := range in.Lines() {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

func tells(text string, f result.Finding) bool {
	text = html.UnescapeString(text) // of XML
	text = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\u003e`, ">", `\u003c`, "<", `\u0026`, "&").Replace(text)
	for _, what := range []string{f.Name, f.ID, f.Message} {
		if what != "" && strings.Contains(text, what) {
			return true
		}
	}
	if strings.Contains(f.Message, "not shown in this output: ") {
		return strings.ContainsAny(text, "123456789") // the counts of failures that tail cut off
	}
	if f.At != nil && strings.HasPrefix(text, "diff ") && strings.Contains(text, f.At.Path) {
		return true // what is to be changed in a file says that the file is not as it should be
	}
	// A message in the parser's own words has some of the tool's.
	for _, word := range strings.Fields(f.Message) {
		if word = strings.Trim(word, ".,:;()\"'"); len(word) >= 5 && strings.Contains(text, word) {
			return true
		}
	}
	return f.Name+f.ID+f.Message == ""
}
