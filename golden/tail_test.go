package golden

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// TestBehindTail: what "tail" leaves of a run that failed, or a pipe of its stdout alone, which both hide its status,
// is never called passed.
func TestBehindTail(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		if !c.Failing() || strings.ContainsAny(c.Cmd, "|;&<>\n") {
			return
		}
		shows := func(output parsers.Bytes, filter string) {
			in := c.Input(output)
			in.Shell, in.Artifacts = c.Cmd+filter, nil
			if r, compact := answer(in, result.Exit{Observed: true}); r.Status == result.Passed {
				t.Errorf("%s: %s", filter, bytes.TrimSpace([]byte(compact)))
			}
		}
		ends := lineEnds(c.Raw())
		for _, n := range []int{3, 10, 30} {
			if len(ends) > n {
				shows(tail(c.Output, int64(ends[len(ends)-n-1])), fmt.Sprintf(" 2>&1 | tail -%d", n))
			}
		}
		if out := only(c.Output, parsers.Stdout); len(out) > 0 && len(out) < len(c.Output) {
			shows(out, " 2>/dev/null | cat")
		}
	})
}

// tail is an output from a byte on.
func tail(output parsers.Bytes, from int64) (out parsers.Bytes) {
	for _, chunk := range output {
		if drop := max(0, from-chunk.Offset); drop < int64(len(chunk.Data)) {
			out = append(out, parsers.Chunk{Stream: chunk.Stream, Offset: chunk.Offset + drop - from, Data: chunk.Data[drop:]})
		}
	}
	return out
}

// only is what was printed to one stream.
func only(output parsers.Bytes, stream parsers.Stream) (out parsers.Bytes) {
	at := int64(0)
	for _, chunk := range output {
		if chunk.Stream == stream {
			out = append(out, parsers.Chunk{Stream: stream, Offset: at, Data: chunk.Data})
			at += int64(len(chunk.Data))
		}
	}
	return out
}
