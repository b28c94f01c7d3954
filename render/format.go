package render

import (
	"fmt"

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

// Result renders a result in a format; raw as for Compact. JSON is one line,
// YAML a document without a leading "---".
func Result(f Format, r *result.ToolResult, raw []byte) ([]byte, error) {
	if f == FormatCompact {
		return []byte(Compact(r, raw)), nil
	}
	line, err := r.JSON()
	if err != nil {
		return nil, err
	}
	if f == FormatYAML {
		return YAML(line)
	}
	return append(line, '\n'), nil
}
