package remote

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/lockfile"
	"cairn/objects"
)

// LargeBytes is the length of a body from which one that was interrupted goes on where it ended, also in another process. Shorter ones are
// begun again.
const LargeBytes = 16 << 20

// resumeBytes is how much has to come for a connection that breaks off to count as none of fetchTries.
const resumeBytes = 1 << 20

// resumed is a body that is asked for again, behind what came, where its connection breaks off.
type resumed struct {
	io.ReadCloser
	ctx   context.Context
	b     Backend
	key   string
	at    int64 // bytes that came
	fresh int64 // of those since the last break
	left  int   // breaks that are got over
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

// fetchLarge takes an object by a file that has as much of its body as came, in this process or one before it.
func (r *Remote) fetchLarge(ctx context.Context, store *objects.Store, w Wanted) error {
	for _, end := range r.ends() {
		key := objectKey(w.ID.Hex()) + end
		f, release, err := r.unfinished("fetch-", key)
		if err != nil {
			return err
		}
		err = r.fetchInto(ctx, f, key)
		came := err == nil // if it is not the body, or not one that can be read, the next try begins anew
		if came {
			var body io.ReadCloser
			if body, err = unseal(f, end == sealedEnd, r.Identities); err == nil {
				err = errors.Join(keep(ctx, store, w.ID, body, w.Size), body.Close())
			}
		}
		release(came || errors.Is(err, ErrMissing))
		if !errors.Is(err, ErrMissing) {
			return err
		}
	}
	return ErrMissing
}

// fetchInto adds what a file lacks of a body, and goes back to its beginning.
func (r *Remote) fetchInto(ctx context.Context, f *os.File, key string) error {
	at, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	body, err := r.resumed(ctx, key, at)
	switch {
	case err == io.EOF && at > 0: // all of it came
	case err != nil:
		return err
	default:
		_, err = io.Copy(f, body)
		if err = errors.Join(err, body.Close()); err != nil {
			return err
		}
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// unfinished opens the file in which a body of this key is kept from one process to the next, and locks it. While another process has it,
// the file is one that only this process knows. release ends the work with it; done says that it is no longer needed.
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

// isStill says whether a file has its name still: one that had the lock before may have removed it.
func isStill(f *os.File, name string) bool {
	a, err := f.Stat()
	b, nameErr := os.Stat(name)
	return err == nil && nameErr == nil && os.SameFile(a, b)
}

// large sends one object as a body that is kept until all of it has arrived, so that the next process sends the rest of the same one.
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

// begunEnd ends the name of the file beside a body that says how long the body is, and what the backend noted. The body is whole where there is one.
const begunEnd = ".begun"

func (s *sending) rest(ctx context.Context, b Resumer, store *objects.Store, f *os.File, key string, m member) error {
	beside := f.Name() + begunEnd
	text, _ := os.ReadFile(beside)
	length, begun, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	info, err := f.Stat()
	if err != nil {
		return err
	}
	note := func(word string) error {
		return writeWhole(beside, fmt.Appendf(nil, "%d %s\n", info.Size(), word))
	}
	if length != fmt.Sprint(info.Size()) {
		begun = ""
		if err := f.Truncate(0); err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 256<<10)
		err := sealInto(w, s.r.Recipients, func(w io.Writer) error { return copyOf(w, store, m.id) })
		if err = errors.Join(err, w.Flush(), f.Sync()); err != nil {
			return err
		}
		if info, err = f.Stat(); err != nil {
			return err
		}
		if err := note(""); err != nil {
			return err
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	ctx, end := s.weigh(ctx, m.size, info.Size())
	err = b.PutAgain(ctx, key, f, info.Size(), begun, note)
	if end(); err != nil {
		return err
	}
	s.bodies.Add(info.Size())
	s.sent(1, m.size)
	return os.Remove(beside)
}

// staleAfter is how long what an interrupted push or pull left is kept for the next one.
const staleAfter = 7 * 24 * time.Hour

// tidy removes what was left by processes that did not come to their end and that no other one went on with.
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
