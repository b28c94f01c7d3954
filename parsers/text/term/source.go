package term

import "iter"

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
