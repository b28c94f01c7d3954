package capture

import (
	"bufio"
	"fmt"
	"io"

	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
)

// maxInlineOrder is the longest stream order that a record itself holds, in bytes: so
// the many runs that print on one stream need no second object.
const maxInlineOrder = 64

// knownOrder is the part of a stream order that describes existing bytes.
type knownOrder struct {
	length int64 // bytes of that part
	lastMS int64 // when the last run of bytes began, whether its bytes exist or not
}

// orderWithin measures the part of an order that describes the first size bytes of the
// output: the order of bytes is written before the bytes, which may be missing. It ends
// at the first line that is not an order line.
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

// keepOrder returns the Raw of an output: its object and its stream order, which
// becomes an object too unless it is short.
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
