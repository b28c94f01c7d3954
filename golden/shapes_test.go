package golden

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cairn/parsers"
	"cairn/result"
)

// chunked replays an output in chunks of other sizes. With poison, the buffer
// of a chunk is overwritten once the next one is asked for.
type chunked struct {
	of     parsers.Bytes
	sizes  []int // used in turn; 0 ends a chunk at a line's end
	poison bool
}

func (s chunked) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		n := 0
		for _, chunk := range s.of {
			for at := 0; at < len(chunk.Data); n++ {
				data := chunk.Data[at:min(len(chunk.Data), at+s.size(n, chunk.Data[at:]))]
				if s.poison {
					data = bytes.Clone(data)
				}
				if !yield(parsers.Chunk{Stream: chunk.Stream, Offset: chunk.Offset + int64(at), Data: data}) {
					return
				}
				at += len(data)
				if s.poison {
					poison(data)
				}
			}
		}
	}
}

func (s chunked) size(n int, rest []byte) int {
	if size := s.sizes[n%len(s.sizes)]; size > 0 {
		return size
	}
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return i + 1
	}
	return len(rest)
}

func poison(data []byte) {
	for i := range data {
		data[i] = "\nFAILED ok "[i%len("\nFAILED ok ")]
	}
}

// TestChunks: how the output arrives changes nothing at all.
func TestChunks(t *testing.T) {
	shapes := map[string]chunked{
		"line by line":    {sizes: []int{0}},
		"bulk":            {sizes: []int{1 << 30}},
		"single bytes":    {sizes: []int{1}},
		"odd sizes":       {sizes: []int{5, 6, 7, 8}},
		"poisoned lines":  {sizes: []int{0}, poison: true},
		"poisoned chunks": {sizes: []int{7, 61, 1024}, poison: true},
	}
	each(t, func(t *testing.T, c Case) {
		want := indented(t, asRecorded(c))
		for name, s := range shapes {
			s.of = c.Output
			if got := indented(t, parsers.Parse(c.Input(s), c.Exit)); !bytes.Equal(got, want) {
				t.Errorf("%s:\n%s", name, diff(string(want), string(got)))
			}
		}
	})
}

// edited is an output whose chunks went through edit.
func edited(output parsers.Bytes, edit func([]byte) []byte) parsers.Bytes {
	var out parsers.Bytes
	var at int64
	for _, chunk := range output {
		data := edit(chunk.Data)
		out = append(out, parsers.Chunk{Stream: chunk.Stream, Offset: at, Data: data})
		at += int64(len(data))
	}
	return out
}

// withoutBytes is a result without what depends on the number of bytes.
func withoutBytes(r *result.ToolResult) *result.ToolResult {
	r.Raw, r.RawOID = nil, ""
	for i := range r.Findings {
		r.Findings[i].RawSpan = nil
	}
	for i := range r.Parts {
		r.Parts[i].RawSpan = nil
	}
	return r
}

func crlf(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }

// colour paints words, links lines and erases to their end, as tools do.
func colour(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		if len(body) == 0 || !utf8.Valid(body) || bytes.ContainsFunc(body, func(r rune) bool { return r < 0x20 && r != '\t' || r == 0x7f }) {
			b.Write(line)
			continue
		}
		b.WriteString("\x1b]8;;file:///tmp/x y\x1b\\\x1b[38;5;9m")
		for i, word := range bytes.SplitAfter(body, []byte(" ")) {
			fmt.Fprintf(&b, "\x1b[%dm%s\x1b[0m", 30+i%8, word)
		}
		b.WriteString("\x1b]8;;\a\x1b[K")
		b.Write(line[len(body):])
	}
	return b.Bytes()
}

// TestDress: line endings and colours change no word of the result.
func TestDress(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		want := indented(t, withoutBytes(parsers.Parse(c.Input(c.Output), c.Exit)))
		for name, edit := range map[string]func([]byte) []byte{"CRLF": crlf, "colour": colour} {
			r := parsers.Parse(c.Input(edited(c.Output, edit)), c.Exit)
			if got := indented(t, withoutBytes(r)); !bytes.Equal(got, want) {
				t.Errorf("%s:\n%s", name, diff(string(want), string(got)))
			}
		}
	})
}

// identities are what must be equal between two runs with the same failures.
func identities(r *result.ToolResult) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%s %s %s %s: %s", f.Fingerprint, f.Group, f.Location, f.ID, f.Message))
	}
	slices.Sort(all)
	return fmt.Sprintf("%s %s %s %s\n%s", r.Tool, r.Status, r.ParserConfidence, r.ExitMeaning, strings.Join(all, "\n"))
}

// fingerprints is identities without the texts that may hold what was edited.
func fingerprints(r *result.ToolResult) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Fingerprint)
	}
	slices.Sort(all)
	return fmt.Sprintf("%s %s\n%s", r.Tool, r.Status, strings.Join(all, "\n"))
}

// reordered gives the lines of both streams in another order, each stream's
// own kept.
func reordered(c Case, next func(i int) parsers.Stream) parsers.Bytes {
	left := map[parsers.Stream][][]byte{}
	for _, s := range []parsers.Stream{parsers.Stdout, parsers.Stderr} {
		var text []byte
		for _, chunk := range c.Output {
			if chunk.Stream == s {
				text = append(text, chunk.Data...)
			}
		}
		left[s] = slices.Collect(bytes.Lines(text))
	}
	var out parsers.Bytes
	var at int64
	for i := 0; len(left[parsers.Stdout])+len(left[parsers.Stderr]) > 0; i++ {
		s := next(i)
		if len(left[s]) == 0 {
			s = parsers.Stdout + parsers.Stderr - s
		}
		out = append(out, parsers.Chunk{Stream: s, Offset: at, Data: left[s][0]})
		at += int64(len(left[s][0]))
		left[s] = left[s][1:]
	}
	return out
}

// TestStreamOrder: two pipes have no order between them.
func TestStreamOrder(t *testing.T) {
	orders := map[string]func(i int) parsers.Stream{
		"stdout first": func(int) parsers.Stream { return parsers.Stdout },
		"stderr first": func(int) parsers.Stream { return parsers.Stderr },
		"alternating":  func(i int) parsers.Stream { return parsers.Stdout + parsers.Stream(i%2) },
		"in threes":    func(i int) parsers.Stream { return parsers.Stdout + parsers.Stream(i/3%2) },
	}
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		for name, next := range orders {
			r, compact := answer(c.Input(reordered(c, next)), c.Exit)
			honest(t, c, name, r, compact)
			if fingerprints(r) != fingerprints(want) {
				t.Errorf("%s:\n%s", name, diff(identities(want), identities(r)))
			}
		}
	})
}
