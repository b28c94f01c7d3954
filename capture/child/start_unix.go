//go:build unix

package child

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// shell runs command lines and scripts without a first line "#!".
const shell = "/bin/sh"

// program is a file to execute and its arguments.
type program struct {
	path string
	argv []string
}

// findProgram finds the file of a command. It executes nothing.
func findProgram(cmd Command) (program, error) {
	if err := cmd.check(); err != nil {
		return program{}, err
	}
	if err := enterable(cmd.Dir); err != nil {
		return program{}, err
	}
	if cmd.Shell != "" {
		path := cmp.Or(cmd.ShellProgram, shell)
		path, err := lookup(path, cmd.Dir, cmd.Env)
		return program{path, []string{filepath.Base(path), "-c", cmd.Shell}}, err
	}
	path, err := lookup(cmd.Argv[0], cmd.Dir, cmd.Env)
	return program{path, cmd.Argv}, err
}

// viaShell is the same program as a script that sh runs.
func (p program) viaShell() program {
	path := p.path
	if strings.HasPrefix(path, "-") {
		path = "./" + path // so that sh does not take it for an option
	}
	return program{shell, append([]string{"sh", path}, p.argv[1:]...)}
}

// fork starts the program with the descriptors 0, 1 and 2 in files.
func fork(prog program, cmd Command, files []uintptr) (pid int, err error) {
	attr := &syscall.ProcAttr{Dir: cmd.Dir, Env: cmd.Env, Files: files, Sys: procAttr(cmd.TTY)}
	pid, err = syscall.ForkExec(prog.path, prog.argv, attr)
	if err == syscall.ENOEXEC {
		if !isText(prog.path, cmd.Dir) {
			return 0, &StartError{Kind: NotExecutable, Op: "run", Path: prog.path, Err: errBinary}
		}
		prog = prog.viaShell()
		pid, err = syscall.ForkExec(prog.path, prog.argv, attr)
	}
	if err != nil {
		return 0, execError(prog.path, err)
	}
	return pid, nil
}

// execError classifies an error of fork and execve. Both are returned as one error
// number, so an error about exhausted resources counts as fork's.
func execError(path string, err error) error {
	e := &StartError{Kind: NotExecutable, Op: "run", Path: path, Err: err}
	switch {
	case errors.Is(err, unix.ENOENT):
		e.Kind, e.Err = NotFound, errNoInterpreter // the file itself was found just now, so its interpreter is missing
	case errors.Is(err, unix.EACCES):
		e.Err = errNoPermission
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		e.Kind = OwnTrouble
	}
	return e
}

// stdio is the child's descriptors, and our ends of its output.
type stdio struct {
	child   []uintptr  // the child's 0, 1 and 2
	close   []*os.File // closed here once the child has them
	outputs []*output
	master  *os.File // of the pseudo-terminal, if there is one
}

// open makes the pipes, or the pseudo-terminal.
func open(cmd Command) (*stdio, error) {
	s := new(stdio)
	in := cmd.Stdin
	if in == nil {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return nil, ownTrouble("open", os.DevNull, cause(err))
		}
		s.close = append(s.close, null)
		in = null
	}
	fd := in.Fd()
	if int(fd) < 0 {
		return nil, ownTrouble("pass on standard input", in.Name(), os.ErrClosed)
	}
	s.child = []uintptr{fd}
	var err error
	if cmd.TTY {
		err = s.openTTY(in)
	} else if err = s.openPipe(Stdout); err == nil {
		err = s.openPipe(Stderr)
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

func (s *stdio) openPipe(stream Stream) error {
	r, w, err := os.Pipe()
	if err != nil {
		return ownTrouble("make a pipe for", stream.String(), err)
	}
	s.close = append(s.close, w)
	s.child = append(s.child, w.Fd()) // Fd makes the file blocking again, as a child expects
	return s.add(stream, r)
}

// started closes the child's ends here, without which we would never see the end of its output.
func (s *stdio) started() {
	for _, f := range s.close {
		f.Close()
	}
	s.close = nil
}

// abandon closes both ends.
func (s *stdio) abandon() {
	s.started()
	s.closeOutputs()
}

func (s *stdio) closeOutputs() {
	for _, o := range s.outputs {
		o.file.Close()
	}
}
