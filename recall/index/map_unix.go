//go:build unix

package index

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a whole file for reading.
func mapFile(f *os.File) (mapped []byte, unmap func() error, err error) {
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	mapped, err = unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return mapped, func() error { return unix.Munmap(mapped) }, nil
}

// releaseMap tells the system that it may take back the memory of a mapped file. The
// system may ignore that.
func releaseMap(mapped []byte) { _ = unix.Madvise(mapped, unix.MADV_DONTNEED) }
