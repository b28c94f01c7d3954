package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// objectStore reads and writes whole git objects. There are two: looseStore (go-git's
// codec, in process, sha1) and gitStore (the git program, anything git can do). Both
// pass the same tests. One operation uses one store and closes it.
type objectStore interface {
	// read returns an object; the error is an ErrMissing if it does not exist.
	read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error)
	// write stores an object, complete before it returns, and returns its id. It is not
	// flushed to disk: the branch can be made again from the shards.
	write(ctx context.Context, kind plumbing.ObjectType, data []byte) (string, error)
	// restore is called after a ref was set to the objects written since the last
	// restore: it writes those again that a concurrent `git gc --prune=now` removed.
	restore(ctx context.Context) error
	close() error
}

// objects opens the fastest store that can handle this repository.
func (r *Repo) objects(ctx context.Context) (objectStore, error) {
	if r.ObjectFormat != "sha1" {
		return newGitStore(r), nil
	}
	share, err := r.sharing(ctx)
	if err != nil {
		return nil, err
	}
	return newLooseStore(r, share), nil
}

// readKind reads an object that must be of one kind.
func readKind(ctx context.Context, db objectStore, kind plumbing.ObjectType, oid string) ([]byte, error) {
	got, data, err := db.read(ctx, oid)
	if err != nil {
		return nil, err
	}
	if got != kind {
		return nil, &Error{Op: "read object " + oid, Err: fmt.Errorf("it is a %s, not a %s", got, kind)}
	}
	return data, nil
}

// gitStore does everything through the git program: one process for all reads, and one
// for each object written.
type gitStore struct {
	git git
	cat *catFile
}

func newGitStore(r *Repo) *gitStore { return &gitStore{git: r.storeGit(), cat: newCatFile(r)} }

func (s *gitStore) read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error) {
	return s.cat.read(ctx, oid)
}

func (s *gitStore) write(ctx context.Context, kind plumbing.ObjectType, data []byte) (string, error) {
	if data == nil {
		data = []byte{}
	}
	out, err := s.git.run(ctx, "write a "+kind.String(), data, "hash-object", "-w", "-t", kind.String(), "--stdin")
	if err != nil {
		return "", refused(err)
	}
	return strings.TrimSpace(string(out)), nil
}

// restore does nothing: git's own writers have the same gap.
func (s *gitStore) restore(context.Context) error { return nil }

func (s *gitStore) close() error { return s.cat.close() }

// refused marks an error that has no kind yet as git's refusal.
func refused(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		e.Kind = ErrRefused
	}
	return err
}

// catFile is one `git cat-file --batch` process, started at the first read.
type catFile struct {
	git   git
	check func(oid string) bool

	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *head
}

// newCatFile prepares the process. In a partial clone it may fetch objects, as any git
// command may, and may then ask for a password.
func newCatFile(r *Repo) *catFile {
	g := r.storeGit()
	g.ours = true
	return &catFile{git: g, check: r.isOID}
}

func (c *catFile) start(ctx context.Context, flags ...string) error {
	if c.cmd != nil {
		return nil
	}
	cmd := c.git.command(ctx, append([]string{"cat-file", "--batch"}, flags...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.errs = &head{}
	cmd.Stderr = c.errs
	if err := cmd.Start(); err != nil {
		return failure(ctx, "start git cat-file", "", err)
	}
	c.cmd, c.in, c.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// read asks for one object.
func (c *catFile) read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error) {
	if !c.check(oid) {
		return 0, nil, &Error{Op: "read object " + quote(oid), Err: errors.New("not a full object id of this repository")}
	}
	if err := c.start(ctx); err != nil {
		return 0, nil, err
	}
	if _, err := io.WriteString(c.in, oid+"\n"); err != nil {
		return 0, nil, c.fail(ctx, oid, err)
	}
	return c.next(ctx, oid, nil)
}

// next reads the answer for oid: "<oid> <type> <size>\n<data>\n". The data is
// put into buf when it fits.
func (c *catFile) next(ctx context.Context, oid string, buf []byte) (plumbing.ObjectType, []byte, error) {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return 0, nil, c.fail(ctx, oid, err)
	}
	fields := strings.Fields(line)
	if len(fields) == 2 && fields[1] == "missing" {
		return 0, nil, &Error{Op: "read object " + oid, Kind: ErrMissing}
	}
	if len(fields) != 3 || fields[0] != oid {
		return 0, nil, c.fail(ctx, oid, fmt.Errorf("unexpected answer %q", line))
	}
	kind, err := plumbing.ParseObjectType(fields[1])
	if err != nil {
		return 0, nil, c.fail(ctx, oid, err)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0, nil, c.fail(ctx, oid, err)
	}
	if cap(buf) <= size {
		buf = make([]byte, size+1)
	}
	buf = buf[:size+1] // and the newline
	if _, err := io.ReadFull(c.out, buf); err != nil {
		return 0, nil, c.fail(ctx, oid, err)
	}
	return kind, buf[:size], nil
}

// fail ends the process, which cannot be used any more, and returns an error with its
// message.
func (c *catFile) fail(ctx context.Context, oid string, err error) error {
	terminate(c.cmd.Process)
	c.in.Close()
	c.cmd.Wait()
	c.cmd = nil
	return failure(ctx, "read object "+oid, c.errs.String(), err)
}

func (c *catFile) close() error {
	if c.cmd == nil {
		return nil
	}
	c.in.Close()
	err := c.cmd.Wait()
	c.cmd = nil
	if err != nil {
		return failure(context.Background(), "end git cat-file", c.errs.String(), err)
	}
	return nil
}

// head keeps the first few kilobytes of a process's stderr, so that a long one takes no
// memory.
type head struct{ b []byte }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	h.b = append(h.b, p[:min(len(p), most-len(h.b))]...)
	return len(p), nil
}

func (h *head) String() string { return string(h.b) }
