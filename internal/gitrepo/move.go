package gitrepo

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"cairn/internal/lockfile"
)

// A branch of the files backend is moved as git moves it: <ref>.lock is created if it
// does not exist, the ref is read, loose and then packed, and compared, and the lock,
// which holds the new value, is renamed to the ref.
//
// The lock is a second name (a hard link) of a complete file, the draft, in the
// directory "cairn" beside refs. Its owner holds an advisory lock on it. If a git
// process is killed between the two steps, its <ref>.lock blocks everybody until a
// person removes it. Here the next mover finds the draft without an owner, and removes
// the lock if it is the same file.

var (
	errLost   = errors.New("the ref is not where it was expected")
	errLocked = errors.New("the ref is locked by another process")
)

// refLockPatience bounds the wait for a lock: the default of git's
// core.filesRefLockTimeout.
const refLockPatience = 100 * time.Millisecond

// movesByFiles says whether only the files decide about moving ref: no hook, no reflog,
// no other backend.
func (r *Repo) movesByFiles(ctx context.Context, ref string) bool {
	if runtime.GOOS == "windows" || r.reftable() {
		return false
	}
	all, err := r.settings(ctx)
	if err != nil {
		return false
	}
	for _, key := range []string{"core.hookspath", "core.fsync", "core.fsyncmethod", "core.fsyncobjectfiles", "extensions.refstorage"} {
		if _, set := all[key]; set {
			return false
		}
	}
	for _, name := range []string{"hooks/reference-transaction", "logs/" + ref} {
		if _, err := os.Lstat(filepath.Join(r.CommonDir, filepath.FromSlash(name))); !os.IsNotExist(err) {
			return false
		}
	}
	return true
}

// moveFile sets ref from old ("" if it must not exist) to next. errAskGit says that
// nothing was changed and git has to do it; errLost and errLocked say that another
// process was faster, or is moving it now.
func (r *Repo) moveFile(ctx context.Context, ref, next, old string) error {
	share, err := r.sharing(ctx)
	if err != nil {
		return err
	}
	m := &refMove{path: filepath.Join(r.CommonDir, filepath.FromSlash(ref))}
	m.lock = m.path + ".lock"
	if err := m.openDraft(filepath.Join(r.CommonDir, "cairn", url.PathEscape(ref))); err != nil {
		return err
	}
	defer m.closeDraft()
	if err := m.write(next, share); err != nil {
		return errAskGit
	}
	if err := m.take(); err != nil {
		return err
	}
	if err := r.mayMove(ref, m.path, old); err != nil {
		os.Remove(m.lock)
		return err
	}
	if os.Rename(m.lock, m.path) != nil { // a directory of that name exists
		os.Remove(m.lock)
		return errAskGit
	}
	return nil
}

// mayMove compares the ref with the expected value, under the lock. A new ref must not
// conflict with the name of an existing one.
func (r *Repo) mayMove(ref, path, old string) error {
	switch now, err := r.refFile(ref); {
	case err != nil:
		return errAskGit
	case now != old:
		return errLost
	}
	if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() {
		return errAskGit
	}
	if old != "" {
		return nil
	}
	packed, err := r.packedRefs()
	if err != nil || strings.Contains(string(packed), " "+ref+"/") {
		return errAskGit
	}
	for parent := ref; strings.Count(parent, "/") > 2; {
		parent = parent[:strings.LastIndexByte(parent, '/')]
		if r.findPacked(packed, parent) != "" {
			return errAskGit
		}
	}
	return nil
}

// refMove is one move of a ref.
type refMove struct {
	path, lock string
	draft      *os.File
	name       string // of the draft
	unlock     func() error
}

// openDraft makes and locks an empty draft, and removes what a killed mover has left.
func (m *refMove) openDraft(name string) error {
	m.name = name
	for waited := time.Duration(0); ; {
		taken, err := m.tryDraft()
		if taken {
			return nil
		}
		if err != nil {
			return errAskGit
		}
		if waited >= refLockPatience {
			return errLocked
		}
		const nap = time.Millisecond
		time.Sleep(nap)
		waited += nap
	}
}

func (m *refMove) tryDraft() (taken bool, err error) {
	const flags = os.O_RDWR | os.O_CREATE
	f, err := os.OpenFile(m.name, flags, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(m.name), 0o700); err == nil {
			f, err = os.OpenFile(m.name, flags, 0o666)
		}
	}
	if err != nil {
		return false, err
	}
	unlock, taken, err := lockfile.Try(f)
	if err != nil || !taken {
		f.Close()
		return false, err
	}
	mine, err := f.Stat()
	if err == nil && isFile(m.name, mine) && mine.Size() == 0 {
		m.draft, m.unlock = f, unlock
		return true, nil
	}
	if err == nil && isFile(m.name, mine) { // left by a mover that was killed
		if isFile(m.lock, mine) {
			os.Remove(m.lock)
		}
		os.Remove(m.name)
	}
	unlock()
	f.Close()
	return false, err
}

// isFile says whether path is still the file with this info.
func isFile(path string, info fs.FileInfo) bool {
	st, err := os.Lstat(path)
	return err == nil && os.SameFile(st, info)
}

func (m *refMove) write(oid string, share sharing) error {
	if err := adjust(m.name, share); err != nil {
		return err
	}
	_, err := m.draft.WriteString(oid + "\n")
	return err
}

// take makes the lock by linking the draft to its name.
func (m *refMove) take() error {
	for waited, nap := time.Duration(0), time.Millisecond; ; waited += nap {
		err := os.Link(m.name, m.lock)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrExist):
			return errAskGit // the directory does not exist, or does not support hard links
		case waited >= refLockPatience:
			return fmt.Errorf("%w: %s exists", errLocked, m.lock)
		}
		time.Sleep(nap)
	}
}

func (m *refMove) closeDraft() {
	os.Remove(m.name)
	m.unlock()
	m.draft.Close()
}

// mover is a `git update-ref --stdin` process that moves a ref once. It must not be
// used twice: git caches packed-refs and trusts the file's size, inode and time stamp
// in seconds, which `git pack-refs` can restore by chance.
type mover struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *head
	ctx  context.Context // the context of the start; its end ends the process
}

// startMover starts a mover. It starts no reflog for a branch that moves at every capture
// (git's gc would keep everything it names for 90 days); a reflog that the user has made goes
// on. It waits only briefly for a lock. It turns off the warning about refs that are named like
// a commit, for which git would read packed-refs before it has the lock.
func startMover(ctx context.Context, g git) (*mover, error) {
	g.opts = append(g.opts[:len(g.opts):len(g.opts)], "-c", "core.logAllRefUpdates=false", "-c", "core.warnAmbiguousRefs=false", "-c", "core.filesRefLockTimeout=100")
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
	err = cmp.Or(m.close(), err)
	return failure(m.ctx, "move "+ref, m.errs.String(), err)
}

// close ends the process; an unfinished transaction is dropped by git.
func (m *mover) close() error {
	m.in.Close()
	return m.cmd.Wait()
}
