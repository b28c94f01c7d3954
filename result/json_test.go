package result

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestExampleLiterally is the shape that readers rely on.
func TestExampleLiterally(t *testing.T) {
	code := 1
	r := &ToolResult{Tool: "pytest", Kind: Test, ExitCode: &code, Counts: map[string]int{"passed": 1, "failed": 1}, ParserConfidence: Parsed,
		RawOID: "sha256:" + strings.Repeat("0", 64),
		Findings: []Finding{{Kind: TestFailure, Severity: SevFailure, ID: "tests/test_auth.py::test_login", Rule: "AssertionError",
			Message: "assert 401 < 200", Expected: "200", Actual: "401", At: at("tests/test_auth.py", 42, 5)}}}
	r.Status, r.StatusSource = Derive(Exit{Observed: true, Code: 1}, r.Kind, MeansFindings, Parsed, true, r.Findings)
	Seal(r, Workspace{})
	got, err := r.Indented()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "example.golden.json", string(got)+"\n")

	line, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(line, "\n\r") {
		t.Errorf("more than one line: %s", line)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, got); err != nil || !bytes.Equal(compact.Bytes(), line) {
		t.Errorf("the two forms differ: %v", err)
	}
}

func TestJSONFindingsAreNeverNull(t *testing.T) {
	r := &ToolResult{SchemaVersion: 1, Tool: "x"}
	data, err := r.JSON()
	if err != nil || !strings.Contains(string(data), `"findings":[]`) {
		t.Errorf("%s %v", data, err)
	}
	if r.Findings != nil {
		t.Error("JSON changed its receiver")
	}
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ name, in, fails string }{
		{"good", `{"schema_version":1,"tool":"x","findings":null}`, ""},
		{"unknown field", `{"schema_version":1,"tool":"x","colour":"red"}`, ""},
		{"trailing line break", "{\"schema_version\":1,\"tool\":\"x\"}\n", ""},
		{"newer", `{"schema_version":2,"tool":"x"}`, "schema_version is 2"},
		{"no version", `{"tool":"x"}`, "schema_version is 0"},
		{"two objects", `{"schema_version":1}{}`, "more data"},
		{"cut short", `{"schema_version":1`, "decoding"},
		{"retyped", `{"schema_version":1,"tool":3}`, "decoding"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Decode([]byte(tt.in))
			switch {
			case tt.fails == "" && err != nil:
				t.Fatal(err)
			case tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)):
				t.Fatalf("error %v, want %q", err, tt.fails)
			case tt.fails == "" && r.Findings == nil:
				t.Error("findings are nil")
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema_version":1,"tool":"x","findings":[{"message":"m","at":{"path":"a","line":1}}],"extra":{"a":1e400,"b":[1.5]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		Seal(r, Workspace{Root: "/r"})
		once, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(once)
		if err != nil {
			t.Fatal(err)
		}
		Seal(back, Workspace{Root: "/r"})
		twice, err := back.JSON()
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("once  %s\ntwice %s\n%v", once, twice, err)
		}
	})
}
