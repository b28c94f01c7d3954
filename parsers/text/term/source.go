package term

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Stream is one of the two outputs of the recorded command.
type Stream uint8

const (
	Stdout Stream = 1
	Stderr Stream = 2
)

func (s Stream) String() string {
	if s == Stderr {
		return "stderr"
	}
	return "stdout"
}

// Chunk is a run of bytes of one stream. Data is valid until the next chunk.
type Chunk struct {
	Stream Stream
	Offset int64 // of Data[0] in the merged output
	Data   []byte
}

// Source replays an output from its first byte, in the order in which it was read. It can be replayed any number of
// times and from several goroutines at once. While the run is still going on, Chunks blocks until more output
// comes.
type Source interface {
	Chunks() iter.Seq[Chunk]
}

// Bytes is the Source of an output that is completely in memory.
type Bytes []Chunk

// Separate is the output of a run whose read order was not recorded: all of stdout, then all of stderr.
func Separate(stdout, stderr []byte) Bytes {
	return Bytes{
		{Stream: Stdout, Data: stdout},
		{Stream: Stderr, Offset: int64(len(stdout)), Data: stderr},
	}
}

// Chunks yields the chunks that are not empty.
func (b Bytes) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for _, c := range b {
			if len(c.Data) > 0 && !yield(c) {
				return
			}
		}
	}
}

// Take removes the first n bytes from the chunk and returns them.
func (c *Chunk) Take(n int) Chunk {
	first := Chunk{Stream: c.Stream, Offset: c.Offset, Data: c.Data[:n]}
	c.Data, c.Offset = c.Data[n:], c.Offset+int64(n)
	return first
}

// Mark is the byte order mark with which a file in UTF-8 may begin.
const Mark = "\ufeff"

// Decode returns a line without a byte order mark, and in UTF-8 if it is one of a file in UTF-16, as the ">" of
// PowerShell writes it. Lines end at the newline's first byte, so that the second one begins the next line.
func Decode(line []byte) []byte {
	rest, begins := bytes.CutPrefix(line, []byte("\xff\xfe"))
	if !begins {
		if rest, begins = bytes.CutPrefix(line, []byte{0}); !begins {
			return bytes.TrimPrefix(line, []byte(Mark))
		}
	}
	if nul := bytes.Count(rest, []byte{0}); len(rest)%2 != 0 || nul*2 > len(rest) || nul*4 < len(rest) && !bytes.HasSuffix(rest, []byte("\r\x00")) {
		return line
	}
	units := make([]uint16, len(rest)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(rest[2*i:])
	}
	text := utf16.Decode(units)
	if slices.ContainsFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || r < ' ' && !strings.ContainsRune("\t\r\b\x1b", r)
	}) {
		return line // bytes of a binary file
	}
	return []byte(string(text))
}
