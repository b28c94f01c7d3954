package objects

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A Leftover is a spool whose writer died: the output of a run up to that moment.
type Leftover struct {
	Name    string // as given to Receive
	Size    int64  // bytes of output
	ModTime time.Time
	s       *Store
}

// Abandoned lists the spools that hold output and whose writers are dead, in
// order of name.
func (s *Store) Abandoned() ([]Leftover, error) {
	files, err := s.readIncoming()
	if err != nil {
		return nil, err
	}
	var left []Leftover
	for _, f := range files {
		// A spool is locked before its header is written, so a shorter file may be a
		// run that is just beginning. It holds no output in any case.
		if f.temp || f.size <= headerSize || !s.dead(f.name) {
			continue
		}
		left = append(left, Leftover{f.name, f.size - headerSize, f.mtime, s})
	}
	return left, nil
}

// incomingFile is a file in incoming/.
type incomingFile struct {
	name  string
	size  int64 // of the file
	mtime time.Time
	temp  bool
}

func (s *Store) readIncoming() ([]incomingFile, error) {
	entries, err := s.fs.ReadDir(s.incoming(""))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []incomingFile
	for _, e := range entries {
		st, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // its run ended meanwhile
		}
		if err != nil {
			return nil, err
		}
		if st.Mode().IsRegular() {
			files = append(files, incomingFile{e.Name(), st.Size(), st.ModTime(), strings.HasSuffix(e.Name(), tempSuffix)})
		}
	}
	return files, nil
}

// dead reports whether no living process holds the file's lock.
func (s *Store) dead(name string) bool {
	p, err := s.seize(name)
	if err == nil {
		p.Close()
	}
	return err == nil
}

// seize opens a file in incoming/ and takes its lock, without waiting.
func (s *Store) seize(name string) (*pending, error) {
	path := s.incoming(name)
	f, err := s.fs.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := f.TryLock(true); err != nil {
		f.Close()
		if errors.Is(err, errLocked) {
			err = fmt.Errorf("%s: %w", path, ErrBusy)
		}
		return nil, err
	}
	// The previous holder of the lock may have removed or published the file.
	was, err := f.Stat()
	if err == nil {
		var is fs.FileInfo
		if is, err = s.fs.Stat(path); err == nil && !os.SameFile(was, is) {
			err = fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &pending{f, path}, nil
}

// Recover commits the bytes of the spool and removes it. ErrBusy means that another
// process is doing that, fs.ErrNotExist that one has done it.
func (l Leftover) Recover() (Info, error) {
	p, err := l.s.seize(l.Name)
	if err != nil {
		return Info{}, fmt.Errorf("recover output: %w", err)
	}
	defer p.Close()
	st, err := p.Stat()
	if err != nil {
		return Info{}, fmt.Errorf("recover output: %w", err)
	}
	bytes := func() io.Reader { return io.NewSectionReader(p, headerSize, max(0, st.Size()-headerSize)) }
	info, err := l.s.Put(bytes())
	if err != nil {
		if info, err = l.s.promoteLeftover(p, bytes()); err != nil {
			return Info{}, fmt.Errorf("recover output: %w", err)
		}
	}
	l.s.fs.Remove(p.path) // fails if it became the object
	return info, nil
}

// promoteLeftover makes the spool itself the object, if there is no room for a copy.
func (s *Store) promoteLeftover(p *pending, r io.Reader) (Info, error) {
	d := newDigest()
	if _, err := io.CopyBuffer(digestWriter{d}, r, make([]byte, 64<<10)); err != nil {
		return Info{}, err
	}
	if err := p.seal(d.plain()); err != nil {
		return Info{}, err
	}
	return s.publish(p, d.id(), d.plain())
}

type digestWriter struct{ d *digest }

func (w digestWriter) Write(p []byte) (int, error) {
	w.d.add(p)
	return len(p), nil
}

// Discard removes the spool and the bytes in it.
func (l Leftover) Discard() error {
	p, err := l.s.seize(l.Name)
	if err != nil {
		return fmt.Errorf("discard output: %w", err)
	}
	defer p.Close()
	return l.s.fs.Remove(p.path)
}

// Hold keeps gc from removing objects that are put from now on, until release is called
// or the process ends. It is for callers that put bytes first and then write the record
// that names them.
func (s *Store) Hold() (release func(), err error) {
	p, err := s.createTemp()
	if err != nil {
		return nil, fmt.Errorf("hold what is put from gc: %w", err)
	}
	return func() { s.discard(p) }, nil
}

// heldSince is the time of the oldest temporary file of a living process, which may be
// a hold; zero if none exists.
func (s *Store) heldSince() (since time.Time, err error) {
	files, err := s.readIncoming()
	for _, f := range files {
		if f.temp && !s.dead(f.name) && (since.IsZero() || f.mtime.Before(since)) {
			since = f.mtime
		}
	}
	return since, err
}
