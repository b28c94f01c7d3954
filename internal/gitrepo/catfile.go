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

// catFile is one `git cat-file --batch` process, started at the first read.
type catFile struct {
	git   git
	check func(oid string) bool

	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *head
}

// newCatFile: a partial clone may fetch here, as it does for any git command,
// and may then ask for a password.
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

// fail ends the process, which is of no use any more, and explains with its words.
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

// head keeps the first few kilobytes of what a process says on stderr, so that
// a talkative one costs no memory.
type head struct{ b []byte }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	h.b = append(h.b, p[:min(len(p), most-len(h.b))]...)
	return len(p), nil
}

func (h *head) String() string { return string(h.b) }
