package remote

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/lockfile"
	"cairn/objects"
)

// LargeBytes is the least length of a body whose transfer is resumed after an interruption, even by another process.
// Shorter ones start over.
const LargeBytes = 16 << 20

// resumeBytes is how many bytes must arrive on a connection so that its end does not count as one of fetchTries.
const resumeBytes = 1 << 20

// resumed is a body that is requested again, from where it broke off, when its connection is cut.
type resumed struct {
	io.ReadCloser
	ctx   context.Context
	b     Backend
	key   string
	at    int64 // bytes received
	fresh int64 // bytes received since the last break
	left  int   // how many more breaks are tolerated
}

func (r *Remote) resumed(ctx context.Context, key string, from int64) (*resumed, error) {
	body, err := r.Backend.Get(ctx, key, from)
	if err != nil {
		return nil, err
	}
	return &resumed{body, ctx, r.Backend, key, from, 0, fetchTries - 1}, nil
}

func (r *resumed) Read(p []byte) (int, error) {
	for {
		n, err := r.ReadCloser.Read(p)
		r.at, r.fresh = r.at+int64(n), r.fresh+int64(n)
		if err == nil || err == io.EOF || r.ctx.Err() != nil || errors.Is(err, ErrStalled) {
			return n, err
		}
		if r.fresh >= resumeBytes {
			r.fresh, r.left = 0, fetchTries-1
		}
		if r.left--; r.left < 0 {
			return n, err
		}
		again, openErr := r.b.Get(r.ctx, r.key, r.at)
		if openErr != nil {
			return n, errors.Join(err, openErr)
		}
		r.ReadCloser.Close()
		r.ReadCloser = again
		if n > 0 {
			return n, nil
		}
	}
}

// fetchLarge gets an object through a file with the part of the body received so far, by this or an earlier process.
func (r *Remote) fetchLarge(ctx context.Context, store *objects.Store, w Wanted) error {
	for _, end := range r.ends() {
		key := objectKey(w.ID.Hex()) + end
		f, release, err := r.unfinished("fetch-", key)
		if err != nil {
			return err
		}
		cut, err := r.fetchBy(ctx, f, key, func(body io.Reader) error {
			stream, err := unseal(body, end == sealedEnd, r.Identities)
			if err == nil {
				err = keep(ctx, store, w.ID, stream, w.Size)
			}
			return err
		})
		release(!cut) // a body that is wrong or unreadable is dropped, so that the next try starts over
		if !errors.Is(err, ErrMissing) {
			return err
		}
	}
	return ErrMissing
}

// fetchBy passes a body to take: first the part in the file f, then the rest as it arrives, which is appended to f. If
// cut is true, the body is incomplete, and f is worth keeping.
func (r *Remote) fetchBy(ctx context.Context, f *os.File, key string, take func(io.Reader) error) (cut bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return true, err
	}
	at := info.Size()
	before := io.NewSectionReader(f, 0, at)
	body, err := r.resumed(ctx, key, at)
	switch {
	case err == io.EOF && at > 0: // all of it had arrived before
		return false, take(before)
	case err != nil:
		return !errors.Is(err, ErrMissing), err
	}
	defer body.Close()
	rest := &noted{Reader: io.TeeReader(body, io.NewOffsetWriter(f, at))}
	err = take(io.MultiReader(before, rest))
	return rest.err != nil, err
}

// noted remembers the error with which a reader ended early.
type noted struct {
	io.Reader
	err error
}

func (n *noted) Read(p []byte) (int, error) {
	c, err := n.Reader.Read(p)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return c, err
}

// unfinished opens and locks the file that stores a body from one process to the next. If another process has locked
// it, a new file is used that only this process knows. release ends its use; done says that the file is no longer
// needed.
func (r *Remote) unfinished(kind, key string) (f *os.File, release func(done bool), err error) {
	dir, err := r.dir("tmp")
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256([]byte(key))
	name := filepath.Join(dir, fmt.Sprintf("%s%x", kind, sum[:16]))
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if _, taken, lockErr := lockfile.Try(f); lockErr == nil && taken && isStill(f, name) {
		return f, func(done bool) {
			if done {
				os.Remove(name)
			}
			f.Close()
		}, nil
	}
	f.Close()
	if f, err = os.CreateTemp(dir, kind+"*"); err != nil {
		return nil, nil, err
	}
	return f, func(bool) {
		f.Close()
		os.Remove(f.Name())
		os.Remove(f.Name() + begunEnd)
	}, nil
}

// isStill says whether a file still has its name: another process that had the lock may have removed it.
func isStill(f *os.File, name string) bool {
	a, err := f.Stat()
	b, nameErr := os.Stat(name)
	return err == nil && nameErr == nil && os.SameFile(a, b)
}

// large sends one object as a body. A local file keeps the body until the remote has all of it, so that the next
// process can send the rest.
func (s *sending) large(ctx context.Context, b Resumer, store *objects.Store, m member) error {
	key := objectKey(m.id.Hex()) + end(s.r.Recipients)
	f, release, err := s.r.unfinished("push-", key+"\n"+strings.Join(s.r.Readers, "\n"))
	if err != nil {
		return err
	}
	err = s.rest(ctx, b, store, f, key, m)
	release(err == nil)
	return err
}

// begunEnd ends the name of a file next to a body, with the body's length and checksum and the backend's note. The body
// is complete if it matches these; after a power cut it may not.
const begunEnd = ".begun"

func (s *sending) rest(ctx context.Context, b Resumer, store *objects.Store, f *os.File, key string, m member) error {
	beside := f.Name() + begunEnd
	text, _ := os.ReadFile(beside)
	was, begun, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	sum := newSumming(io.Discard)
	if was != "" {
		if _, err := io.Copy(sum, f); err != nil {
			return err
		}
	}
	note := func(word string) error { return writeWhole(beside, fmt.Appendf(nil, "%s %s\n", sum, word)) }
	if was != sum.String() {
		begun = ""
		_, err := f.Seek(0, io.SeekStart)
		if err = errors.Join(err, f.Truncate(0)); err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 256<<10)
		sum = newSumming(w)
		err = sealInto(sum, s.r.Recipients, func(w io.Writer) error { return store.WriteStream(w, m.id) })
		if err = errors.Join(err, w.Flush()); err != nil {
			return err
		}
		if err := note(""); err != nil {
			return err
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	ctx, end := s.weigh(ctx, m.size, sum.n)
	err := b.PutAgain(ctx, key, f, sum.n, begun, note)
	if end(); err != nil {
		return err
	}
	s.bodies.Add(sum.n)
	s.sent(1, m.size)
	return os.Remove(beside)
}

// summing counts the bytes written through it, and their checksum (CRC-32C).
type summing struct {
	w   io.Writer
	n   int64
	crc hash.Hash32
}

func newSumming(w io.Writer) *summing {
	return &summing{w: w, crc: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
}

func (s *summing) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	s.crc.Write(p)
	return s.w.Write(p)
}

func (s *summing) String() string { return fmt.Sprintf("%d-%08x", s.n, s.crc.Sum32()) }

// staleAfter is how long unfinished transfers are kept for the next process.
const staleAfter = 7 * 24 * time.Hour

// tidy removes unfinished transfers that no process has continued.
func (r *Remote) tidy(now time.Time) {
	dir := filepath.Join(r.Dir, "tmp")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < staleAfter || !strings.Contains(e.Name(), "-") {
			continue
		}
		os.Remove(filepath.Join(dir, e.Name()))
	}
}
