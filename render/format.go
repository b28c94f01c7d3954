package render

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"cairn/result"
)

// Format names a rendering.
type Format string

const (
	FormatCompact Format = "compact"
	FormatYAML    Format = "yaml"
	FormatJSON    Format = "json"
)

// ParseFormat reads a --format value. "structured" is an alias of yaml.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case FormatCompact, FormatYAML, FormatJSON:
		return f, nil
	case "structured":
		return FormatYAML, nil
	}
	return "", fmt.Errorf("unknown format %q: use compact, yaml or json", s)
}

// Result renders a result in a format; raw as for Compact.
func Result(f Format, r *result.ToolResult, raw []byte) ([]byte, error) {
	switch f {
	case FormatCompact:
		return []byte(Compact(r, raw)), nil
	case FormatYAML:
		line, err := r.JSON()
		if err != nil {
			return nil, err
		}
		return YAML(line)
	}
	line, err := r.JSON()
	return append(line, '\n'), err
}

// YAML rewrites one JSON value as block-style YAML with the keys in the same
// order. JSON is YAML (YAML 1.2 section 1.3), so the one encoding defines both.
func YAML(json []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(json, &doc); err != nil {
		return nil, fmt.Errorf("rewriting JSON as YAML: %w", err)
	}
	blockStyle(&doc)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

func blockStyle(n *yaml.Node) {
	n.Style = 0
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "\n") {
		n.Style = yaml.LiteralStyle
	}
	for _, c := range n.Content {
		blockStyle(c)
	}
}
