package objects

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"cairn/internal/recent"
)

// An Incoming takes in the output of a run in flight. Write, Commit and Abort are for
// one goroutine; Size and ReadAt may be called beside them.
//
// Bytes that Write acknowledged are in a file of their own (doc.go, Spool) and survive
// the death of this process. If the output outgrows 256 KiB, a goroutine hashes and
// compresses the bytes as they come; while it keeps up, Commit has next to nothing left
// to do. Bytes that come too fast to be compressed are only hashed, and compressed when
// the command is quiet; if much is still uncompressed at the end, the object stays so
// for now (CompressNoted). Memory stays under 16 MiB.
type Incoming struct {
	s    *Store
	name string
	lead int64 // maxLead, except in tests

	size     atomic.Int64 // bytes kept; spool is set before size is first above zero
	spool    *pending     // nil until the first byte
	small    []byte       // all bytes, until there are more than smallMax
	follower *follower    // nil until there are more than smallMax bytes
	recent   *recent.Window
	err      error // error of the first Write that failed
	uncut    error // why the spool could not be cut to size after that
	done     bool
}

// Receive begins to take in bytes under a name unique to the run (letters, digits, ".",
// "_" and "-"). The first byte creates the file.
func (s *Store) Receive(name string) (*Incoming, error) {
	if !validSpoolName(name) {
		return nil, fmt.Errorf("spool name %q: want 1 to 200 letters, digits, '.', '_' or '-', not first '.' nor last %q", name, tempSuffix)
	}
	return &Incoming{s: s, name: name, lead: maxLead}, nil
}

func validSpoolName(name string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	return name != "" && len(name) <= 200 && name[0] != '.' &&
		strings.Trim(name, allowed) == "" && !strings.HasSuffix(name, tempSuffix)
}

// Share says where the newest bytes are in memory, at the same offsets as they are
// written. It is called before the first Write. Those bytes must not change, since they
// are hashed instead of the file's.
func (in *Incoming) Share(w *recent.Window) { in.recent = w }

// Size is how many bytes are kept so far.
func (in *Incoming) Size() int64 { return in.size.Load() }

// Write keeps p. When it returns, n bytes of p are in the spool file. After an error
// the Incoming keeps nothing more, since the output would have a gap: call Commit to
// keep the bytes before.
func (in *Incoming) Write(p []byte) (int, error) {
	switch {
	case in.done:
		return 0, ErrDone
	case in.err != nil:
		return 0, in.err
	case len(p) == 0:
		return 0, nil
	}
	if in.spool == nil {
		if in.err = in.begin(); in.err != nil {
			return 0, in.err
		}
	}
	size := in.size.Load()
	n, err := writeAt(in.spool.file, p, headerSize+size)
	if err != nil {
		// On a full disk a write may have written more than it reports.
		in.uncut = in.spool.Truncate(headerSize + size + int64(n))
		in.err = fmt.Errorf("keep output in %s: %w (%d bytes are kept)", in.spool.path, err, size+int64(n))
	}
	in.remember(p[:n])
	in.size.Store(size + int64(n))
	if in.follower != nil && (size+int64(n))/BlockSize > size/BlockSize {
		in.follower.notify() // the follower reads whole blocks
	}
	return n, in.err
}

// begin makes the spool file.
func (in *Incoming) begin() error {
	p, err := in.s.createIn(in.name)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("spool %s exists: names of runs must be unique: %w", in.s.incoming(in.name), err)
	}
	if err != nil {
		return fmt.Errorf("keep output: %w", err)
	}
	if _, err := writeAt(p.file, header{codec: codecSpool}.encode(), 0); err != nil {
		in.s.discard(p)
		return fmt.Errorf("keep output in %s: %w", p.path, err)
	}
	in.spool = p
	return nil
}

// remember keeps up to smallMax bytes in memory; beyond that it starts the follower.
func (in *Incoming) remember(p []byte) {
	if in.follower != nil {
		return
	}
	if len(in.small)+len(p) <= smallMax {
		in.small = append(in.small, p...)
		return
	}
	in.small = nil
	in.follower = startFollower(in)
}

// ReadAt reads kept bytes, until Commit or Abort. At their end it returns io.EOF,
// though more may come.
func (in *Incoming) ReadAt(p []byte, off int64) (int, error) {
	left := in.size.Load() - off
	if left <= 0 || off < 0 {
		return 0, io.EOF
	}
	if int64(len(p)) <= left {
		return in.spool.ReadAt(p, headerSize+off)
	}
	n, err := in.spool.ReadAt(p[:left], headerSize+off)
	err = cmp.Or(err, io.EOF)
	return n, err
}

// Commit makes an object of the bytes and ends the Incoming. If a Write had failed, the
// bytes before it are committed and the error, beside a valid Info, is a *PartialError.
// If Commit fails otherwise, the spool stays and Abandoned finds it.
func (in *Incoming) Commit() (Info, error) {
	if in.done {
		return Info{}, ErrDone
	}
	in.done = true
	info, err := in.commit()
	if in.spool != nil {
		in.spool.Close()
		if err == nil {
			in.s.fs.Remove(in.spool.path) // fails if it became the object
		}
	}
	if err != nil {
		return Info{}, fmt.Errorf("commit output: %w", err)
	}
	if in.err != nil {
		return info, &PartialError{Kept: info.Size, Err: in.err}
	}
	return info, nil
}

func (in *Incoming) commit() (Info, error) {
	if in.spool == nil {
		return in.s.noBytes(), nil
	}
	if in.follower != nil {
		return in.commitFollowed()
	}
	d := newDigest()
	d.add(in.small)
	if info, ok, err := in.s.dedupe(d.id()); ok || err != nil {
		return info, err
	}
	if h, data := encodeSmall(d, in.small); h.codec == codecZstd {
		if info, err := in.s.putFrame(d.id(), h, data); err == nil {
			return info, nil
		}
		// The disk may be full; the spool is already there and needs no room.
	}
	return in.promote(d)
}

func (in *Incoming) commitFollowed() (Info, error) {
	d, twin, err := in.follower.finish()
	if err != nil {
		return Info{}, err
	}
	if twin != nil {
		if info, err := twin.publish(in.s, d); err == nil {
			return info, nil
		}
	}
	info, err := in.promote(d)
	if err == nil && in.follower.late {
		in.s.note(info.ID)
	}
	return info, err
}

// promote makes the spool itself the object, if it holds exactly the bytes that were
// counted.
func (in *Incoming) promote(d *digest) (Info, error) {
	h := d.plain()
	st, err := in.spool.Stat()
	if err == nil && st.Size() != headerSize+h.size {
		err = fmt.Errorf("%s has %d bytes, not the %d that were counted", in.spool.path, st.Size(), headerSize+h.size)
	}
	if err != nil {
		return Info{}, errors.Join(err, in.uncut)
	}
	if err := in.spool.seal(h); err != nil {
		return Info{}, err
	}
	return in.s.publish(in.spool, d.id(), h)
}

// Leave ends the Incoming without an object, and leaves the spool for Abandoned to
// find.
func (in *Incoming) Leave() {
	if in.done {
		return
	}
	in.done = true
	if in.follower != nil {
		in.follower.abort()
	}
	if in.spool != nil {
		in.spool.Close()
	}
}

// Abort ends the Incoming and removes the bytes.
func (in *Incoming) Abort() error {
	if in.done {
		return ErrDone
	}
	in.done = true
	if in.follower != nil {
		in.follower.abort()
	}
	if in.spool == nil {
		return nil
	}
	in.spool.Close()
	return in.s.fs.Remove(in.spool.path)
}

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
