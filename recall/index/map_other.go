//go:build !unix

package index

import (
	"errors"
	"os"
)

// mapFile is not for here: a file that is mapped could not be removed.
func mapFile(*os.File) (mapped []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}

// releaseMap has nothing to do where nothing is mapped.
func releaseMap([]byte) {}
