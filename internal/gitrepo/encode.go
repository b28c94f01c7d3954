package gitrepo

import (
	"bytes"
	"compress/zlib"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// looseEncoder makes the content of loose object files: "<kind> <size>\x00" and
// the data in one zlib stream. go-git's encoder takes the default effort, which for the few
// kilobytes of a fold is three times the work for a few per cent that the next
// gc wins anyway. The tests read what is written with go-git and with git.
type looseEncoder struct {
	buf bytes.Buffer
	z   *zlib.Writer // used again: a new one takes 0.7 MB
}

// encode returns the content of a file, valid until the next call.
func (e *looseEncoder) encode(kind plumbing.ObjectType, data []byte) ([]byte, error) {
	e.buf.Reset()
	if e.z == nil {
		var err error
		if e.z, err = zlib.NewWriterLevel(&e.buf, zlib.BestSpeed); err != nil {
			return nil, err
		}
	} else {
		e.z.Reset(&e.buf)
	}
	header := strconv.AppendInt(append(kind.Bytes(), ' '), int64(len(data)), 10)
	_, err := e.z.Write(append(header, 0))
	if err == nil {
		_, err = e.z.Write(data)
	}
	if err == nil {
		err = e.z.Close()
	}
	return e.buf.Bytes(), err
}
