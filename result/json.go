package result

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a sealed ToolResult. It allows fields
// that it does not name, since a later version may add some, and forbids
// contradictions: success without an exit code of 0, and findings where no parser
// recognised the output.
func Schema() []byte { return slices.Clone(schema) }

// Libraries and toolchains are installed in different places on every machine. Their
// files are identified by the part of the path after an anchor.

// keptAnchors are anchors that stay in the path.
var keptAnchors = []string{"node_modules", "site-packages", "dist-packages"}

// isLibrary says whether a path within the workspace belongs to an installed library.
// Its path stays complete, so that it can be opened.
func isLibrary(rel string) bool {
	return slices.ContainsFunc(keptAnchors, func(anchor string) bool {
		return strings.HasPrefix(rel, anchor+"/") || strings.Contains(rel, "/"+anchor+"/")
	})
}

// Installed says whether a package manager or a compiler installed the file; path is in
// the form of Workspace.Path.
func Installed(path string) bool {
	return strings.HasPrefix(path, "/usr/") || isLibrary(path) || slices.ContainsFunc(cutAnchors, func(anchor string) bool { return strings.HasPrefix(path, anchor) })
}

// libraryPath cuts s to the part from its anchor on.
func libraryPath(s string) (string, bool) {
	for _, anchor := range keptAnchors {
		if i := strings.Index(s, "/"+anchor+"/"); i >= 0 {
			return s[i+1:], true
		}
	}
	if i := strings.Index(s, "/lib/rustlib/src/rust/"); i >= 0 {
		return "rustc/" + s[i+len("/lib/rustlib/src/rust/"):], true
	}
	if rest, ok := strings.CutPrefix(s, "/rustc/"); ok {
		if _, file, ok := strings.Cut(rest, "/"); ok {
			return "rustc/" + file, true // without the hash of the compiler
		}
	}
	if i := strings.Index(s, "/registry/src/"); i >= 0 {
		if _, file, ok := strings.Cut(s[i+len("/registry/src/"):], "/"); ok {
			return "registry/src/" + file, true // without the name of the index
		}
	}
	for i := 0; ; i++ {
		n := strings.Index(s[i:], "/src/")
		if n < 0 {
			break
		}
		if i += n; isGoRoot(s[:i]) {
			return "go" + s[i:], true
		}
	}
	if i := strings.Index(s, "/pkg/mod/"); i >= 0 {
		return s[i+1:], true
	}
	return "", false
}

// isGoRoot says that a directory looks like an installation of Go: …/go,
// …/go-1.26, …/go1.26.1, …/go/1.26.1/x64, …/toolchain@v0.0.1-go1.26.1.linux-amd64.
func isGoRoot(dir string) bool {
	dir, last := cutLast(dir)
	switch last {
	case "libexec", "x64", "arm64", "x86":
		dir, version := cutLast(dir)
		_, name := cutLast(dir)
		return name == "go" && startsWithDigit(version)
	}
	if strings.HasPrefix(last, "toolchain@") {
		return true
	}
	rest, ok := strings.CutPrefix(last, "go")
	return ok && (rest == "" || startsWithDigit(strings.TrimPrefix(rest, "-")))
}

func cutLast(dir string) (before, last string) {
	i := strings.LastIndexByte(dir, '/')
	return dir[:max(i, 0)], dir[i+1:]
}

func startsWithDigit(s string) bool { return s != "" && isDigit(s[0]) }
