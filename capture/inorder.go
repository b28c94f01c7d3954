package capture

import (
	"bufio"
	"fmt"
	"io"

	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// maxInlineOrder is the longest stream order that a record holds itself: with
// it, the many runs that print on one stream need no second object.
const maxInlineOrder = 64

// knownOrder is the part of a stream order that speaks of bytes that exist.
type knownOrder struct {
	length int64 // bytes of it
	lastMS int64 // when the last run began, whether its bytes exist or not
}

// orderWithin measures the part of an order that is about the first size
// bytes: a run is written before its bytes, and those may not have come. It
// ends before anything that is no order.
func orderWithin(order io.Reader, size int64) (known knownOrder) {
	lines := bufio.NewReader(order)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return known
		}
		r, err := streams.Parse(line[:len(line)-1])
		if err != nil {
			return known
		}
		if known.lastMS = r.MS; r.Offset < size {
			known.length += int64(len(line))
		}
	}
}

// keepOrder names an object and its stream order, which is made an object too
// unless it is short.
func keepOrder(b *backend, info objects.Info, order *io.SectionReader) (*manifest.Raw, error) {
	raw := &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	if order.Size() <= maxInlineOrder {
		text, err := io.ReadAll(order)
		if !atOnce(text) {
			raw.Order = streams.Inline(text)
		}
		return raw, err
	}
	o, err := b.put(order)
	if err != nil {
		raw.Order = orderLost
		return raw, fmt.Errorf("keeping the stream order: %w", err)
	}
	raw.Order = o.ID.String()
	return raw, nil
}
