package pytest

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cairn/parsers/text/term"
	"cairn/result"
)

// facts is a result, short enough to be compared by eye.
func facts(r *result.ToolResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s", r.Tool, r.Status, r.ExitMeaning, r.ParserConfidence)
	keys := make([]string, 0, len(r.Counts))
	for k := range r.Counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, " %s=%d", k, r.Counts[k])
	}
	fmt.Fprintf(&b, " %v\n", r.Extra)
	for _, f := range r.Findings {
		at := "-"
		if f.At != nil {
			at = f.At.String() + "(" + f.At.Function + ")"
		}
		fmt.Fprintf(&b, "  %s|%s|%s|%s|%s|%v\n", f.RawSeverity, f.ID, at, f.Rule, f.Message, f.MessageTruncated)
		if f.Operator+f.Expected+f.Actual != "" {
			fmt.Fprintf(&b, "      %q %q want %q\n", f.Actual, f.Operator, f.Expected)
		}
		for _, rel := range f.Related {
			fmt.Fprintf(&b, "      rel %s %v\n", rel.Message, rel.At)
		}
		fmt.Fprintf(&b, "      frames %v\n      detail %q\n", f.Frames, f.Detail)
	}
	return b.String()
}

// endless repeats a text, as a run that goes on and on.
type endless struct {
	Head, Text, Tail []byte
	Times            int
}

func (e endless) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		at := int64(0)
		for i := range e.Times + 2 {
			data := e.Text
			switch i {
			case 0:
				data = e.Head
			case e.Times + 1:
				data = e.Tail
			}
			if !yield(term.Chunk{Stream: term.Stdout, Offset: at, Data: data}) {
				return
			}
			at += int64(len(data))
		}
	}
}

// oneByOne yields each byte as a chunk of its own.
type oneByOne struct{ Of term.Bytes }

func (o oneByOne) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		for c := range o.Of.Chunks() {
			for i := range c.Data {
				if !yield(term.Chunk{Stream: c.Stream, Offset: c.Offset + int64(i), Data: c.Data[i : i+1]}) {
					return
				}
			}
		}
	}
}

// coloured paints every line.
func coloured(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		fmt.Fprintf(&b, "\x1b[31m\x1b[1m%s\x1b[0m", body)
		b.Write(line[len(body):])
	}
	return b.Bytes()
}
