package render

import (
	"cairn/result"
)

// Format names a rendering.
type Format string

const (
	FormatCompact Format = "compact"
	FormatYAML    Format = "yaml"
	FormatJSON    Format = "json"
	FormatVim     Format = "vim" // only for the answer to a capture
)

// Result renders a result in a format; raw is as for Compact. JSON is one line, YAML a document without a leading
// "---".
func Result(f Format, r *result.ToolResult, raw []byte) ([]byte, error) {
	switch f {
	case FormatCompact:
		return []byte(Compact(r, raw)), nil
	case FormatVim:
		return []byte(Vim(r)), nil
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
