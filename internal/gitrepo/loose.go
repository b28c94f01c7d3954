package gitrepo

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/flate"
)

// looseStore reads objects from their files and writes loose ones, in process. Objects
// that the files do not have (damaged, or not fetched yet) are read by git.
//
// Files are made one after the other: making several at once was measured and is not
// faster, since the file system's journal serialises them anyway.
type looseStore struct {
	dir   string // .git/objects
	share sharing
	files *objectFiles
	cat   *catFile
	fresh []looseObject // written since the last restore
	looseEncoder
}

type looseObject struct {
	kind plumbing.ObjectType
	data []byte
	oid  string
}

func newLooseStore(r *Repo, share sharing) *looseStore {
	return &looseStore{dir: r.objectDir, share: share, files: r.objectFiles(), cat: newCatFile(r)}
}

func (s *looseStore) path(oid string) string { return filepath.Join(s.dir, oid[:2], oid[2:]) }

func (s *looseStore) read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error) {
	kind, data, err := s.files.read(oid)
	if err != nil { // missing or damaged: git may have another copy, and has better messages
		return s.cat.read(ctx, oid)
	}
	return kind, data, nil
}

func (s *looseStore) write(_ context.Context, kind plumbing.ObjectType, data []byte) (string, error) {
	oid := plumbing.ComputeHash(kind, data).String()
	s.fresh = append(s.fresh, looseObject{kind, data, oid})
	if s.freshen(oid) {
		return oid, nil
	}
	if err := s.writeLoose(kind, data, oid); err != nil {
		return "", &Error{Op: "write a " + kind.String(), Kind: ErrRefused, Err: err}
	}
	return oid, nil
}

// freshen reports whether the object exists, and updates its time, as git does, so that
// a prune that runs now leaves it alone. An empty file is what a power cut leaves of an
// object that was not flushed; it is written again.
func (s *looseStore) freshen(oid string) bool {
	path := s.path(oid)
	st, err := os.Lstat(path)
	if err != nil || st.Size() == 0 {
		return false
	}
	now := time.Now()
	// The file of another user in a shared repository cannot be touched; then an equal,
	// new file replaces it.
	return os.Chtimes(path, now, now) == nil
}

// writeLoose makes the file as git does: a temporary name that git's prune knows, mode
// 0444 under the umask, renamed when complete. Replacing a file by rename is safe,
// since equal names mean equal content.
//
// The temporary file is in the objects directory itself: file systems put a new file
// near its directory, and objects made in one place take 10 µs each, while the 256
// directories spread over a large disk make it 140 µs (ext4, measured).
func (s *looseStore) writeLoose(kind plumbing.ObjectType, data []byte, oid string) error {
	encoded, err := s.encode(kind, data)
	if err != nil {
		return err
	}
	tmp, err := tempObject(s.dir)
	if err != nil {
		return err
	}
	_, err = tmp.Write(encoded)
	if err == nil {
		err = adjust(tmp.Name(), s.share)
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = s.rename(tmp.Name(), s.path(oid))
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// rename moves a complete file into its directory, and makes the directory if needed.
// It tries again if git gc removes the empty directory at that moment.
func (s *looseStore) rename(tmp, final string) error {
	dir := filepath.Dir(final)
	for try := 0; ; try++ {
		err := os.Rename(tmp, final)
		if !errors.Is(err, os.ErrNotExist) || try == 1000 {
			return err
		}
		if err := os.Mkdir(dir, 0o777); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return err
		}
		if err := adjust(dir, s.share); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
}

// adjust applies core.sharedRepository; without that setting the umask has decided.
func adjust(path string, share sharing) error {
	if share.bits == 0 {
		return nil
	}
	st, err := os.Lstat(path)
	if err != nil {
		return err
	}
	mode := st.Mode() & (os.ModePerm | os.ModeSetgid)
	if want := share.apply(mode, st.IsDir()); want != mode {
		return os.Chmod(path, want)
	}
	return nil
}

// restore writes missing objects again, even if they are missing because git has packed
// them meanwhile: a second copy does little harm, a missing one destroys the branch.
func (s *looseStore) restore(context.Context) error {
	for _, o := range s.fresh {
		if _, err := os.Lstat(s.path(o.oid)); err == nil {
			continue
		}
		if err := s.writeLoose(o.kind, o.data, o.oid); err != nil {
			return &Error{Op: "write a " + o.kind.String(), Kind: ErrRefused, Err: err}
		}
	}
	s.fresh = nil
	return nil
}

func (s *looseStore) close() error { return s.cat.close() }

// storedMost is the longest object that is not compressed, in bytes: with zlib's own
// bytes it fits in a block of the disk, the least that a file takes.
const storedMost = 4096 - 2 - 5 - 4

// looseEncoder makes the content of loose object files: "<kind> <size>\x00" and the
// data in one zlib stream. go-git's encoder compresses all with the default effort; the
// trees and commits of a fold need none, and its file of lines the least, since the
// next gc does it better anyway. The tests read the files with go-git and with git.
type looseEncoder struct {
	buf bytes.Buffer
}

// encode returns the content of a file, valid until the next call.
func (e *looseEncoder) encode(kind plumbing.ObjectType, data []byte) ([]byte, error) {
	e.buf.Reset()
	header := append(strconv.AppendInt(append(kind.Bytes(), ' '), int64(len(data)), 10), 0)
	if len(header)+len(data) <= storedMost {
		e.store(header, data)
		return e.buf.Bytes(), nil
	}
	err := e.compress(header, data)
	return e.buf.Bytes(), err
}

// store makes a zlib stream (RFC 1950) of one block that is not compressed (RFC
// 1951, 3.2.4).
func (e *looseEncoder) store(header, data []byte) {
	size := uint16(len(header) + len(data))
	stream := []byte{0x78, 0x01, 0x01}
	stream = binary.LittleEndian.AppendUint16(stream, size)
	stream = binary.LittleEndian.AppendUint16(stream, ^size)
	e.buf.Write(stream)
	e.buf.Write(header)
	e.buf.Write(data)
	sum := adler32.Checksum(e.buf.Bytes()[len(stream):])
	e.buf.Write(binary.BigEndian.AppendUint32(nil, sum))
}

// compress makes a zlib stream with the matcher that keeps no state: a fold writes one
// such object, and the usual matcher allocates a megabyte first.
func (e *looseEncoder) compress(header, data []byte) error {
	whole := append(header, data...)
	e.buf.Write([]byte{0x78, 0x01})
	if err := flate.StatelessDeflate(&e.buf, whole, true, nil); err != nil {
		return err
	}
	e.buf.Write(binary.BigEndian.AppendUint32(nil, adler32.Checksum(whole)))
	return nil
}

// tempObject creates a new file in dir. os.CreateTemp would make it mode 0600, which
// locks out the other users of a shared repository.
func tempObject(dir string) (*os.File, error) {
	for range 100 {
		name := filepath.Join(dir, "tmp_obj_"+rand.Text()[:10])
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
	return nil, &os.PathError{Op: "create", Path: filepath.Join(dir, "tmp_obj_*"), Err: os.ErrExist}
}
