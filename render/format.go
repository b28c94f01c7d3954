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
	FormatVim     Format = "vim" // of the answer to a capture alone
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

// ParseAnswerFormat reads the --format value of a capture, which editors read, too.
func ParseAnswerFormat(s string) (Format, error) {
	if Format(s) == FormatVim {
		return FormatVim, nil
	}
	f, err := ParseFormat(s)
	if err != nil {
		err = fmt.Errorf("%w, or vim", err)
	}
	return f, err
}

// Result renders a result in a format; raw as for Compact. JSON is one line,
// YAML a document without a leading "---".
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
