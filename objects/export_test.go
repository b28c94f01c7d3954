package objects

import (
	"io"
	"time"
)

// What the tests outside the package need of the seam to the disk.
type (
	FileSystem = fileSystem
	File       = file
)

var (
	OSFS      FileSystem = osFS{}
	ErrLocked            = errLocked
)

const (
	HeaderSize = headerSize
	SmallMax   = smallMax
	MaxLead    = maxLead
)

func OpenOn(root string, fs FileSystem, wait time.Duration) *Store {
	return &Store{root: root, fs: fs, now: time.Now, wait: wait}
}

func (s *Store) ObjectPath(id ID) string { return s.objectPath(id) }

// DecodeFile decodes a whole object file as OpenObject would, but for its ID.
func DecodeFile(f io.ReaderAt, size int64) ([]byte, error) {
	h, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	var all []byte
	err = scan(f, h, coding{codec: h.codec}, func(_ block, plain, _ []byte) error {
		all = append(all, plain...)
		return nil
	})
	return all, err
}

// EncodeFile is the object file of b as Put makes it.
func EncodeFile(b []byte) []byte {
	d := newDigest()
	d.add(b)
	h, data := encodeSmall(d, b)
	return append(h.encode(), data...)
}

// FrameAround puts a correct zstd header before arbitrary data.
func FrameAround(data []byte, size int64) []byte {
	return append(header{codecZstd, size, int64(len(data)), 0, checksum(data)}.encode(), data...)
}
