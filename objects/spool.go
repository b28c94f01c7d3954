package objects

import (
	"io"
	"os"
)

// What those need to know of spools who finish what was cut short: where one is,
// and what is in it, without knowing how (doc.go, Spool).

// SpoolPath is where the spool of a run is while there is one. A hard link to it
// keeps its bytes findable while Commit takes its name away.
func (s *Store) SpoolPath(name string) string { return s.incoming(name) }

// SpoolSize is how many bytes of output a run's spool holds. The error is
// fs.ErrNotExist without one.
func (s *Store) SpoolSize(name string) (int64, error) {
	st, err := s.fs.Stat(s.incoming(name))
	if err != nil {
		return 0, err
	}
	return max(0, st.Size()-headerSize), nil
}

// SpoolBytes is the output in a file that is a spool, or was one and has become
// an object.
func SpoolBytes(f *os.File) (*io.SectionReader, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f, headerSize, max(0, st.Size()-headerSize)), nil
}
