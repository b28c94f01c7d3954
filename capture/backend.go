package capture

import (
	"context"
	"io"
	"os"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// backend is every step by which a capture writes something down. Tests make
// each of them fail, or the process die in it.
type backend struct {
	write   func(f *os.File, p []byte) (int, error) // to a journal
	receive func(name string) (incoming, error)     // a spool
	put     func(io.Reader) (objects.Info, error)
	append  func(context.Context, *manifest.Record) error
	remove  func(path string) error // a journal, or the second name of a spool
	now     func() time.Time
}

// incoming is what a capture needs of objects.Incoming.
type incoming interface {
	spooler
	Commit() (objects.Info, error)
}

func newBackend(s *place.Site) *backend {
	return &backend{
		write:   (*os.File).Write,
		receive: func(name string) (incoming, error) { return s.Objects.Receive(name) },
		put:     s.Objects.Put,
		append:  s.Manifest.Append,
		remove:  os.Remove,
		now:     time.Now,
	}
}
