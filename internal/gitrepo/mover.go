package gitrepo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// mover is a `git update-ref --stdin` process that moves a ref once: git keeps what
// it has read of packed-refs and trusts size, inode and time stamp of that file, which
// `git pack-refs` can bring back within one clock tick, so that it must not serve twice.
type mover struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *head
	ctx  context.Context // of the start: ends the process
}

// startMover: reflogs are not started for a branch that moves at every capture
// (git's gc would keep everything they name for 90 days); one the user
// has made goes on. A lock somebody holds is waited for a moment only.
func startMover(ctx context.Context, g git) (*mover, error) {
	g.opts = append(g.opts[:len(g.opts):len(g.opts)], "-c", "core.logAllRefUpdates=false", "-c", "core.filesRefLockTimeout=100")
	cmd := g.command(ctx, "update-ref", "-m", "cairn: fold", "--stdin")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	m := &mover{cmd: cmd, in: in, out: bufio.NewReader(out), errs: &head{}, ctx: ctx}
	cmd.Stderr = m.errs
	if err := cmd.Start(); err != nil {
		return nil, failure(ctx, "start git update-ref", "", err)
	}
	return m, nil
}

// move sets ref from the commit old (all zeros: it must not exist) to the commit
// new, once. After an error the process has ended.
func (m *mover) move(ref, new, old string) error {
	_, err := fmt.Fprintf(m.in, "start\nupdate %s %s %s\nprepare\ncommit\n", ref, new, old)
	for _, want := range []string{"start: ok", "prepare: ok", "commit: ok"} {
		if err != nil {
			break
		}
		var line string
		line, err = m.out.ReadString('\n')
		if err == nil && strings.TrimSuffix(line, "\n") != want {
			err = fmt.Errorf("unexpected answer %q", line)
		}
	}
	if err == nil {
		return nil
	}
	if werr := m.close(); werr != nil {
		err = werr
	}
	return failure(m.ctx, "move "+ref, m.errs.String(), err)
}

// close ends the process; an unfinished transaction is dropped by git.
func (m *mover) close() error {
	m.in.Close()
	return m.cmd.Wait()
}
