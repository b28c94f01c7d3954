package render

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"cairn/result"
)

// YAML rewrites one JSON value as block-style YAML with the keys in the same order, so the JSON encoding defines both.
// Numbers keep their digits; text of several lines is a literal block; text that a reader of YAML 1.1 or 1.2 could take
// for another type is quoted.
func YAML(line []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	doc, err := node(dec)
	if err == nil {
		_, err = dec.Token()
	}
	if !errors.Is(err, io.EOF) {
		err = cmp.Or(err, errors.New("more than one value"))
		return nil, fmt.Errorf("rewriting JSON as YAML: %w", err)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

// next is the next token of a value that has not ended; the end of the input is an error.
func next(dec *json.Decoder) (json.Token, error) {
	token, err := dec.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

// node reads the next JSON value.
func node(dec *json.Decoder) (*yaml.Node, error) {
	token, err := next(dec)
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return inside(dec, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
		}
		return inside(dec, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
	case string:
		return text(v), nil
	case json.Number:
		return number(string(v)), nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(v)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// inside reads the contents of a list or an object, keys and values in turn.
func inside(dec *json.Decoder, n *yaml.Node) (*yaml.Node, error) {
	for dec.More() {
		child, err := node(dec)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, child)
	}
	_, err := next(dec) // the closing bracket
	return n, err
}

// number is a number as JSON writes it. An integer of more than 64 bits becomes a float, as readers of JSON read it.
func number(s string) *yaml.Node {
	_, signed := strconv.ParseInt(s, 10, 64)
	_, unsigned := strconv.ParseUint(s, 10, 64)
	if strings.ContainsAny(s, ".eE") || signed != nil && unsigned != nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: s}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: s}
}

func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case literal(s):
		n.Style = yaml.LiteralStyle
	case ambiguous(s):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// literal says whether text can be a literal block. Text that begins with white space or has characters not allowed in
// a block is quoted instead.
func literal(s string) bool {
	return strings.Contains(s, "\n") && s[0] > ' ' &&
		strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) < 0
}

// ambiguous says whether some reader could take the text for a number, a date, a time, a truth value or null; YAML 1.1
// has more of these than 1.2. Unneeded quotes are harmless, so the check is generous.
func ambiguous(s string) bool {
	if s == "" || strings.Contains(s, "\n") || strings.IndexByte("0123456789+-.=~<", s[0]) >= 0 {
		return true
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// CSV is rows of comma-separated values (RFC 4180), with lines that end in \n. A cell that a spreadsheet would take for
// a formula gets an apostrophe in front; line ends and invisible characters are escaped, so that a row is one line.
func CSV(rows ...[]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = csvCell(cell)
		}
		w.Write(safe) // cannot fail: it writes to memory
	}
	w.Flush()
	return b.String()
}

// csvCell is the text of a cell. Formulas begin with one of these signs, also in the wide form of East Asian keyboards,
// and some programs skip spaces and quotes before them.
func csvCell(s string) string {
	s = result.CleanLine(s)
	if strings.IndexAny(strings.TrimLeft(s, " '\"\u00a0\u3000"), "=+-@|%＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

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
