package golden

import (
	"fmt"
	"strings"

	"cairn/internal/streams"
	"cairn/parsers"
)

// merge combines two streams in the order in which they were read.
func merge(stdout, stderr []byte, order string) (parsers.Bytes, error) {
	if order == "" {
		return parsers.Separate(stdout, stderr), nil
	}
	var merged parsers.Bytes
	rest := map[int][]byte{streams.Stdout: stdout, streams.Stderr: stderr}
	size := int64(len(stdout) + len(stderr))
	err := streams.Spans(strings.NewReader(order+"\n"), size, func(s streams.Span) error {
		n := s.End - s.Offset
		if n > int64(len(rest[s.Stream])) {
			return fmt.Errorf("order gives %d bytes to stream %d, which has only %d left", n, s.Stream, len(rest[s.Stream]))
		}
		merged = append(merged, parsers.Chunk{Stream: parsers.Stream(s.Stream), Offset: s.Offset, Data: rest[s.Stream][:n]})
		rest[s.Stream] = rest[s.Stream][n:]
		return nil
	})
	return merged, err
}
