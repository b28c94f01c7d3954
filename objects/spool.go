package objects

import (
	"io"
	"os"
)

// For callers that finish an interrupted run: where its spool is, and its bytes, so
// that they need not know the format (doc.go, Spool).

// SpoolPath is where the spool of a run is until Commit. A hard link to it keeps its
// bytes reachable when Commit takes the name away.
func (s *Store) SpoolPath(name string) string { return s.incoming(name) }

// SpoolSize is how many bytes of output a run's spool holds. The error is
// fs.ErrNotExist if there is no spool.
func (s *Store) SpoolSize(name string) (int64, error) {
	st, err := s.fs.Stat(s.incoming(name))
	if err != nil {
		return 0, err
	}
	return max(0, st.Size()-headerSize), nil
}

// SpoolBytes is the output in a file that is a spool, or was a spool and has become an
// object.
func SpoolBytes(f *os.File) (*io.SectionReader, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f, headerSize, max(0, st.Size()-headerSize)), nil
}
