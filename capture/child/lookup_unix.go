//go:build unix

package child

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// defaultPath is searched when the child's environment has no PATH at all, as execvp does.
const defaultPath = "/bin:/usr/bin"

var (
	errNotFound      = errors.New("command not found in PATH")
	errNoSuchFile    = errors.New("no such file")
	errNoInterpreter = errors.New("the file is there, but the interpreter it needs is not; look at its first line")
	errDirectory     = errors.New("is a directory")
	errNoPermission  = errors.New("permission denied; it may need chmod +x")
	errBinary        = errors.New("is a binary this system cannot execute")
)

// lookup returns the file to execute for a command name, as the child will see it from dir. The rules
// are those of execvp: a name with a slash is a path; otherwise it is the first executable file in
// PATH. If PATH has only a file that is not executable, the error names that file.
func lookup(name, dir string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, executable(name, dir)
	}
	notFound := error(&StartError{Kind: NotFound, Op: "run", Path: name, Err: errNotFound})
	if name == "" {
		return "", notFound
	}
	path, ok := lookupEnv(env, "PATH")
	if !ok {
		path = defaultPath
	}
	for _, elem := range strings.Split(path, ":") {
		elem = cmp.Or(elem, ".") // an empty element means the current directory
		candidate := elem + "/" + name
		err := executable(candidate, dir)
		if err == nil {
			return candidate, nil
		}
		var start *StartError
		if errors.As(err, &start) && start.Kind == NotExecutable {
			notFound = err
		}
	}
	return "", notFound
}

// executable says why we cannot execute a path, relative to dir; nil if we can.
func executable(path, dir string) error {
	abs := path
	if dir != "" && !filepath.IsAbs(path) {
		abs = dir + "/" + path // not Join: it would resolve ".." without asking the file system
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR):
		return &StartError{Kind: NotFound, Op: "run", Path: path, Err: errNoSuchFile}
	case err != nil:
		return &StartError{Kind: NotExecutable, Op: "run", Path: path, Err: cause(err)}
	case info.IsDir():
		return &StartError{Kind: NotExecutable, Op: "run", Path: path, Err: errDirectory}
	}
	if err := unix.Faccessat(unix.AT_FDCWD, abs, unix.X_OK, unix.AT_EACCESS); err == unix.EACCES {
		return &StartError{Kind: NotExecutable, Op: "run", Path: path, Err: errNoPermission}
	}
	return nil // execve finds any other problem
}

// enterable says why dir cannot be the child's directory; nil if it can. It is called before the start,
// because execve reports "no such file" for a missing directory as for a missing command.
func enterable(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errNotDirectory
	}
	if err == nil {
		err = unix.Faccessat(unix.AT_FDCWD, dir, unix.X_OK, unix.AT_EACCESS)
	}
	if err != nil {
		return ownTrouble("start in directory", dir, cause(err))
	}
	return nil
}

// isText looks at the start of a file as shells do before they run a file that the
// system cannot: a NUL byte in the first line means a foreign binary, not a script.
func isText(path, dir string) bool {
	if dir != "" && !filepath.IsAbs(path) {
		path = dir + "/" + path
	}
	f, err := os.Open(path)
	if err != nil {
		return true // sh will report the problem
	}
	defer f.Close()
	var head [256]byte // as much as the kernel reads
	n, _ := io.ReadFull(f, head[:])
	line, _, _ := bytes.Cut(head[:n], []byte{'\n'})
	return bytes.IndexByte(line, 0) < 0
}

// cause strips the path and the system call from an error, which StartError names better.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// lookupEnv returns the value of a key, and whether the key is set.
func lookupEnv(env []string, key string) (string, bool) {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v, true
		}
	}
	return "", false
}
