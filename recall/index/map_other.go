//go:build !unix

package index

import (
	"errors"
	"os"
)

// mapFile is not supported here, because a mapped file could not be removed.
func mapFile(*os.File) (mapped []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}

// releaseMap does nothing, because nothing is mapped.
func releaseMap([]byte) {}
