package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// killGrace is how long a cancelled git has to remove its lock files before it is
// killed, and how long a daemon that it started (fsmonitor) may hold our pipe.
const killGrace = 500 * time.Millisecond

// quiet keeps git from taking unneeded locks, from translating its messages (this
// package reads them), and from asking questions.
var quiet = []string{"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0"}

// noFetch keeps a partial clone from using the network for a mere fact. Git older than
// 2.45 knows only the second variable.
var noFetch = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// noReplace makes git ignore refs/replace, so that facts are about the named objects
// themselves.
const noReplace = "GIT_NO_REPLACE_OBJECTS=1"

// git is a way of calling the git program.
type git struct {
	dir  string   // working directory of the process
	opts []string // options before the subcommand: --git-dir=...
	env  []string
	ours bool // may share our process group: it might ask the terminal for a password
}

// outerGit is git as the user would call it in dir, with all GIT_* variables.
func outerGit(dir string) git {
	return git{dir: dir, env: environ(nil, quiet, noFetch, []string{noReplace})}
}

// treeGit is git on the working tree. GIT_INDEX_FILE stays, since during
// `git commit -a` it names the index that is being committed.
func (r *Repo) treeGit() git {
	g := git{dir: r.TopLevel, opts: []string{"--git-dir=" + r.GitDir, "--work-tree=" + r.TopLevel, "--literal-pathspecs"}}
	drop := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_EXTERNAL_DIFF"}
	g.env = environ(append(drop, pathspecMagic...), quiet, noFetch)
	if os.Getenv("GIT_COMMON_DIR") != "" {
		g.env = append(g.env, "GIT_COMMON_DIR="+r.CommonDir)
	}
	return g
}

// storeGit is git on objects and refs alone, whatever the surrounding hook or alias has
// set. A quarantine (pre-receive hook) holds objects that may be thrown away, so none
// of ours are put there.
func (r *Repo) storeGit() git {
	drop := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_INDEX_FILE", "GIT_REFLOG_ACTION", "GIT_NAMESPACE"}
	if r.objectDir == filepath.Join(r.CommonDir, "objects") {
		drop = append(drop, "GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY")
	}
	return git{dir: r.CommonDir, opts: []string{"--git-dir=" + r.CommonDir}, env: environ(drop, quiet, []string{noReplace})}
}

var pathspecMagic = []string{"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}

func quarantined() bool { return os.Getenv("GIT_QUARANTINE_PATH") != "" }

// environ is our environment without the variables of drop, and with those of sets.
func environ(drop []string, sets ...[]string) []string {
	env := make([]string, 0, 64)
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(drop, name) {
			env = append(env, kv)
		}
	}
	for _, set := range sets {
		env = append(env, set...) // exec.Cmd lets the last of equal names win
	}
	return env
}

// command prepares a call. When ctx ends, the process is asked to end and then killed.
func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(g.opts[:len(g.opts):len(g.opts)], args...)...)
	cmd.Dir, cmd.Env = g.dir, g.env
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	cmd.WaitDelay = killGrace
	if !g.ours {
		ownGroup(cmd) // so that a Ctrl-C for the user's command does not end our work
	}
	return cmd
}

// patience is how long a git that has ended well may leave its pipe open in the second
// try: longer than any machine is too busy to read it.
const patience = 10 * time.Second

// run calls git and returns its output, also if it failed. It may run the command
// twice.
func (g git) run(ctx context.Context, op string, stdin []byte, args ...string) ([]byte, error) {
	out, errs, err := g.once(ctx, killGrace, stdin, args...)
	if errors.Is(err, exec.ErrWaitDelay) {
		// Either a daemon that git started keeps the pipe open, and all output has been
		// read, or this machine was too busy to read all of it.
		if out, errs, err = g.once(ctx, patience, stdin, args...); errors.Is(err, exec.ErrWaitDelay) {
			err = nil
		}
	}
	if err == nil {
		return out, nil
	}
	return out, failure(ctx, op, errs, err)
}

// once runs git. The error is exec.ErrWaitDelay if git ended well but its pipe was not
// closed after delay.
func (g git) once(ctx context.Context, delay time.Duration, stdin []byte, args ...string) (out []byte, errs string, err error) {
	cmd := g.command(ctx, args...)
	cmd.WaitDelay = delay
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	err = cmd.Run()
	return stdout.Bytes(), stderr.String(), err
}

// exitCode is git's exit status, or -1 if it did not end by itself.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// failure turns a failed call into an Error of the right kind.
func failure(ctx context.Context, op, stderr string, err error) *Error {
	e := &Error{Op: op, Stderr: words(stderr), Err: err}
	switch {
	case ctx.Err() != nil:
		e.Err, e.Stderr = context.Cause(ctx), ""
	case errors.Is(err, exec.ErrNotFound):
		e.Kind, e.Err = ErrNoGit, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		// The process's working directory is missing; the error names it.
	default:
		e.Kind = kindOf(stderr)
	}
	return e
}

// kindOf finds the kind of an error in git's own words (LC_ALL=C).
func kindOf(stderr string) error {
	has := func(s string) bool { return strings.Contains(stderr, s) }
	switch {
	case has("dubious ownership"), has("unsafe repository"), has("safe.bareRepository"):
		return ErrUnsafe
	case has("not a git repository"):
		return ErrNotRepository
	}
	return nil
}

// words is git's message in one line of bounded length: `fatal:` and `error:` lines
// matter, hints are for a terminal.
func words(stderr string) string {
	const most = 600
	var keep []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "hint:") {
			keep = append(keep, line)
		}
	}
	s := strings.Join(keep, "; ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// The kinds of errors, for errors.Is. An error of a kind also says what was being done,
// to what, and has git's own words.
var (
	ErrNotRepository = errors.New("not inside a git repository")
	ErrNoGit         = errors.New("the git program was not found on PATH")
	ErrOldGit        = errors.New("git is too old, version 2.31 or newer is needed")
	ErrUnsafe        = errors.New("git does not trust the owner of this repository (see safe.directory in git help config)")
	ErrBadBranch     = errors.New("not a valid branch name")
	ErrBadPath       = errors.New("not a valid path inside the branch")
	ErrCheckedOut    = errors.New("the branch is checked out in a working tree, so it is not moved")
	ErrRefused       = errors.New("git refused")
	ErrMissing       = errors.New("object is missing from the repository")
)

// Error is a failed call of git.
type Error struct {
	Op     string // the operation and its object: "move branch cairn"
	Kind   error  // one of the Err values above, or nil
	Stderr string // git's message, trimmed; may be empty
	Err    error  // the error of the process or of the file, may be nil
}

func (e *Error) Error() string {
	parts := []string{e.Op}
	if e.Kind != nil {
		parts = append(parts, e.Kind.Error())
	}
	if e.Stderr != "" {
		parts = append(parts, e.Stderr)
	} else if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func quote(s string) string { return strconv.Quote(s) }
