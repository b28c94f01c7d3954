package result

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func compileSchema(t testing.TB) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:cairn:tool-result:1", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:cairn:tool-result:1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *jsonschema.Schema, data []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// TestSchemaAndTypes compares the schema with the Go types, field by field.
func TestSchemaAndTypes(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	resolve := func(s map[string]any) map[string]any {
		if ref, ok := s["$ref"].(string); ok {
			return defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		return s
	}
	seen := map[reflect.Type]bool{}
	var compare func(typ reflect.Type, s map[string]any, where string)
	compare = func(typ reflect.Type, s map[string]any, where string) {
		s = resolve(s)
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if s["description"] == nil && s["type"] != "string" {
			t.Errorf("%s has no description", where)
		}
		switch typ.Kind() {
		case reflect.Slice:
			compare(typ.Elem(), s["items"].(map[string]any), where+"[]")
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			compareFields(t, typ, s, where, compare)
		case reflect.String:
			if s["type"] != "string" && s["enum"] == nil {
				t.Errorf("%s is a string", where)
			}
		case reflect.Bool:
			if s["type"] != "boolean" {
				t.Errorf("%s is a boolean", where)
			}
		}
	}
	compare(reflect.TypeFor[ToolResult](), doc, "result")
	if len(seen) < 12 {
		t.Errorf("only %d types were compared", len(seen))
	}
}

func compareFields(t *testing.T, typ reflect.Type, s map[string]any, where string, compare func(reflect.Type, map[string]any, string)) {
	props := s["properties"].(map[string]any)
	var names, required []string
	for i := range typ.NumField() {
		name, opts, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		names = append(names, name)
		if opts != "omitempty" {
			required = append(required, name)
		}
		if p, ok := props[name].(map[string]any); ok {
			compare(typ.Field(i).Type, p, where+"."+name)
		}
	}
	slices.Sort(names)
	if listed := slices.Sorted(maps.Keys(props)); !slices.Equal(names, listed) {
		t.Errorf("%s: the type has %v,\nthe schema %v", where, names, listed)
	}
	var must []string
	for _, r := range asList(s["required"]) {
		must = append(must, r.(string))
	}
	slices.Sort(must)
	slices.Sort(required)
	if !slices.Equal(must, required) {
		t.Errorf("%s: always written are %v, required are %v", where, required, must)
	}
}

func asList(v any) []any { l, _ := v.([]any); return l }

func TestSchemaAcceptsSealed(t *testing.T) {
	s := compileSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		r := drawResult(t)
		Seal(r, Workspace{Root: "/home/ann/proj"})
		data, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(s, data); err != nil {
			t.Fatalf("%s\n%v", data, err)
		}
	})
}

func TestSchemaRejects(t *testing.T) {
	s := compileSchema(t)
	good := func() *ToolResult {
		zero := 0
		r := &ToolResult{Tool: "t", Kind: Test, Status: Passed, ExitCode: &zero, ParserConfidence: Parsed,
			Findings: []Finding{{Kind: Diagnostic, Severity: SevWarning, Message: "m"}}}
		Seal(r, Workspace{})
		return r
	}
	one := 1
	for name, change := range map[string]func(*ToolResult){
		"":                         func(*ToolResult) {},
		"passed with exit 1":       func(r *ToolResult) { r.ExitCode = &one },
		"ok with exit 1":           func(r *ToolResult) { r.Status, r.ExitCode = OK, &one },
		"passed without an exit":   func(r *ToolResult) { r.ExitCode = nil },
		"passed by signal":         func(r *ToolResult) { r.Signal = "SIGKILL" },
		"ok after the time was up": func(r *ToolResult) { r.Status, r.TimedOut = OK, true },
		"passed with a failure":    func(r *ToolResult) { r.Findings[0].Severity = SevFailure },
		"generic with findings":    func(r *ToolResult) { r.ParserConfidence = Untyped },
		"unknown status":           func(r *ToolResult) { r.Status = "fine" },
		"unknown confidence":       func(r *ToolResult) { r.ParserConfidence = "sure" },
		"message of two lines":     func(r *ToolResult) { r.Findings[0].Message = "a\nb" },
		"no fingerprint":           func(r *ToolResult) { r.Findings[0].Fingerprint = "" },
		"object id that is none":   func(r *ToolResult) { r.RawOID = "md5:00" },
		"line 0":                   func(r *ToolResult) { r.Findings[0].At = &Location{Path: "a", Line: -1} },
		"first occurrence marked":  func(r *ToolResult) { r.Findings[0].Occurrence = 1 },
		"no tool":                  func(r *ToolResult) { r.Tool = "" },
		"negative count":           func(r *ToolResult) { r.Counts = map[string]int{"failed": -1} },
		"other schema":             func(r *ToolResult) { r.SchemaVersion = 2 },
		"a part that passed, exit 1": func(r *ToolResult) {
			r.Parts = []Part{{Tool: "p", ParserConfidence: Parsed, Status: Passed, ExitCode: &one}}
		},
		"six suggestions":              func(r *ToolResult) { r.Findings[0].Suggestions = make([]string, 6) },
		"applicability of another age": func(r *ToolResult) { r.Findings[0].Fixes = []Fix{{Applicability: "maybe"}} },
	} {
		t.Run(name, func(t *testing.T) {
			r := good()
			change(r)
			data, err := r.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(s, data); (err == nil) != (name == "") {
				t.Errorf("%s\n%v", data, err)
			}
		})
	}
}
