package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"cairn/result"
)

// same decodes JSON and YAML and compares what comes out.
func same(t interface{ Fatalf(string, ...any) }, line, doc []byte) {
	var a, b any
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	if err := yaml.Unmarshal(doc, &b); err != nil {
		t.Fatalf("YAML: %v\n%s", err, doc)
	}
	if b = asJSON(b); !reflect.DeepEqual(a, b) {
		t.Fatalf("JSON %q\nis %#v\nas YAML %#v\n%s", line, a, b, doc)
	}
}

// asJSON gives YAML's values the types of JSON's.
func asJSON(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case map[string]any:
		for k := range v {
			v[k] = asJSON(v[k])
		}
	case []any:
		for i := range v {
			v[i] = asJSON(v[i])
		}
	}
	return v
}

func TestYAMLIsTheJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSealed(t)
		line, err := Result(FormatJSON, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Result(FormatYAML, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, line, doc)
		if bytes.Count(line, []byte{'\n'}) != 1 {
			t.Fatalf("JSON of more than one line: %q", line)
		}
	})
}

func FuzzYAML(f *testing.F) {
	for _, s := range hostile {
		b, _ := json.Marshal(map[string]any{"a": s, s: []any{s, 1, nil, true, map[string]any{}}})
		f.Add(b)
	}
	f.Add([]byte(`{"a":"\ud83d\ude00","n":123456789012345678901234567890,"f":1.50}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`"x" 1`))
	f.Fuzz(func(t *testing.T, line []byte) {
		doc, err := YAML(line)
		if !json.Valid(line) {
			if err == nil {
				t.Fatalf("%q is not JSON and became %q", line, doc)
			}
			return
		}
		var v any
		if json.Unmarshal(line, &v) != nil || repeats(line) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		same(t, line, doc)
	})
}

// repeats: an object with a key twice means one thing to JSON and is an error
// in YAML.
func repeats(line []byte) bool {
	var n yaml.Node
	return yaml.Unmarshal(line, &n) != nil || n.Decode(new(any)) != nil
}

// What a reader of YAML 1.1 takes for a number, a truth value, nothing or a
// date must stand in quotes.
func TestYAMLQuotes(t *testing.T) {
	for _, s := range []string{
		"", "1", "-1", "+1", "1.5", ".5", "1e3", "0x1f", "0o17", "017", "1_000", "190:20:30", "12:30", ".inf", "-.inf", ".nan",
		"yes", "No", "on", "OFF", "y", "N", "true", "False", "null", "NULL", "~", "2026-11-20", "2026-11-20T10:00:00Z", "=", "<<",
		" lead", "trail ", "- x", "? x", "key: v", "#c", "a #c", "!t", "&a", "*a", "%d", "@x", "`x`", "{a}", "[a]", "'q'", `"q"`, "|", ">", "---", "...",
		"a\tb", "\u0085", "\ufeff", "a\u2028b", "x\n", "a\nb", "a\n\nb\n\n", " a\nb", "\na", "a \nb", "a\tb\nc", "a\r\nb", "\ta\nb", "a\n b", "#\nb", "a: b\n- c", "\n",
	} {
		line, err := json.Marshal([]any{s, map[string]string{"k": s}})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := YAML(line)
		if err != nil {
			t.Fatal(err)
		}
		same(t, line, doc)
	}
	for _, s := range []string{"yes", "12:30", "2026-11-20", "017", "null", "1e3", "="} {
		doc, err := YAML([]byte(`{"k":"` + s + `"}`))
		if want := `k: "` + s + "\"\n"; err != nil || string(doc) != want {
			t.Errorf("got %q, %v, want %q", doc, err, want)
		}
	}
}

func TestYAMLShape(t *testing.T) {
	const line = `{"z":1,"a":{"list":[{"x":"two\nlines\n","y":[]},"plain words"],"none":null},"n":12345678901234567890,"f":1.50,"b":true,"s":"😀 \ud83d\ude00"}`
	const want = `z: 1
a:
  list:
    - x: |
        two
        lines
      "y": []
    - plain words
  none: null
"n": 12345678901234567890
f: 1.50
b: true
s: "\U0001F600 \U0001F600"
`
	doc, err := YAML([]byte(line))
	if err != nil || string(doc) != want {
		t.Errorf("%v\n got %s\nwant %s", err, doc, want)
	}
}

func TestYAMLRefuses(t *testing.T) {
	for _, line := range []string{"", "{", "[1", `{"a"`, `{"a":}`, "1 2", "[]]", "nul", `{"a":1}x`} {
		if doc, err := YAML([]byte(line)); err == nil {
			t.Errorf("YAML(%q) = %q", line, doc)
		}
	}
}

func TestFormats(t *testing.T) {
	zero := 0
	r := &result.ToolResult{SchemaVersion: 1, Tool: "ruff", Kind: result.Lint, Status: result.OK, ExitCode: &zero, ParserConfidence: result.Parsed}
	for format, want := range map[Format]string{
		FormatCompact: "ruff ok\n",
		FormatJSON:    `{"schema_version":1,"tool":"ruff","kind":"lint","status":"ok","exit_code":0,"parser_confidence":"parsed","findings":[],"truncated":{"findings_total":0,"findings_shown":0,"raw":false}}` + "\n",
	} {
		if got, err := Result(format, r, nil); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", format, got, err, want)
		}
	}
}
