package result

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON is the canonical form of r: one line, without a line break at its end.
func (r *ToolResult) JSON() ([]byte, error) { return r.encode("") }

// Indented is the canonical form with two spaces for every level, for people.
func (r *ToolResult) Indented() ([]byte, error) { return r.encode("  ") }

func (r *ToolResult) encode(indent string) ([]byte, error) {
	if r.Findings == nil { // [], never null, so that a reader can iterate over it
		c := *r
		c.Findings = []Finding{}
		r = &c
	}
	b, err := marshal(r, indent)
	if err != nil {
		return nil, fmt.Errorf("encoding the result of %s as JSON: %w", r.Tool, err)
	}
	return b, nil
}

// Marshal is json.Marshal without HTML escaping, so that "a < b" stays readable.
func Marshal(v any) ([]byte, error) { return marshal(v, "") }

func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads the JSON of one ToolResult. It ignores fields that it does not know,
// since a later cairn may add some; a schema version that it does not know is an error,
// since fields may then have another meaning.
func Decode(data []byte) (*ToolResult, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // keeps an integer in Extra exact, however long
	var r ToolResult
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("decoding a tool result: %w", err)
	}
	if dec.More() {
		return nil, fmt.Errorf("decoding a tool result: more data after the end of the object")
	}
	if r.SchemaVersion != SchemaVersion {
		return nil, fmt.Errorf("decoding a tool result: schema_version is %d, this cairn reads %d; a newer cairn may have written it",
			r.SchemaVersion, SchemaVersion)
	}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	r.Extra = plainExtra(r.Extra)
	for i := range r.Findings {
		r.Findings[i].Extra = plainExtra(r.Findings[i].Extra)
	}
	return &r, nil
}
