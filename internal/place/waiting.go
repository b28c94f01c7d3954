package place

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/lockfile"
	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/result"
)

// Captures that cannot go where they belong wait in a cairn directory of their own for
// each repository, below the user's own store: if .git is read-only, or git is missing
// or does not trust the repository. A sandbox may let a command write only to its
// project and the directory for temporary files: then they wait in the latter. A
// question that can write to where they belong moves them there (capture.Sweep); one
// that cannot reads them where they are.

// whoseFile, in a directory where captures wait, names their repository for a person.
const whoseFile = "repository"

// waitingRoot is the directory among temporary files where this user's captures wait,
// for all repositories.
func waitingRoot(env Env) string { return filepath.Join(env.Tmp, "cairn-"+strconv.Itoa(os.Getuid())) }

// Waiting are the directories in which captures of this place may wait, the best first.
// They are the same inside a sandbox and outside if both have the same home and the
// same directory for temporary files.
func (p *Place) Waiting(env Env) []string {
	whose := cmp.Or(p.whose, p.Workspace.Root)
	sum := sha256.Sum256([]byte(whose))
	name := hex.EncodeToString(sum[:8])
	temporary := filepath.Join(waitingRoot(env), name)
	if own, ok := ownDir(env); ok && p.whose != "" {
		return []string{filepath.Join(own, "waiting", name), temporary}
	}
	return []string{temporary}
}

// waiting are those directories of Waiting that exist.
func (p *Place) waiting(env Env) []string {
	return slices.DeleteFunc(p.Waiting(env), func(dir string) bool { return dir == p.Dir || !Private(dir) })
}

// Private says whether dir and its parent belong to this user alone: in a directory for
// everybody's files another user may have made it first.
func Private(dir string) bool {
	for _, d := range []string{filepath.Dir(dir), dir} {
		info, err := os.Lstat(d)
		if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info) {
			return false
		}
	}
	return true
}

// wait uses a directory where captures wait, for a repository that cannot be written to
// because of why.
func (p *Place) wait(env Env, why string) error {
	dirs := p.Waiting(env)
	own := dirs[0]
	if len(dirs) == 1 {
		return p.waitOutside(env, fmt.Errorf("%s, and %w", why, errNoHome))
	}
	if err := p.makeWaiting(own); err != nil {
		return p.waitOutside(env, fmt.Errorf("%s, and keeping captures in your own store at %s: %w", why, filepath.Dir(own), err))
	}
	p.Dir, p.Home = own, nil
	p.Also = p.waiting(env)
	p.Note = fmt.Sprintf("%s: this capture waits in your own store (%s), and the next cairn recall that can write there takes it back", why, own)
	if p.reading {
		p.Note = fmt.Sprintf("%s: captures of this repository wait in your own store (%s)", why, own)
	}
	return nil
}

// makeWaiting makes a directory for waiting captures; for a question it makes none, but
// says whether it could.
func (p *Place) makeWaiting(dir string) error {
	if p.reading && !isDir(dir) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := p.stay(dir); err != nil {
		return err
	}
	if err := p.fillWaiting(dir); err != nil {
		p.leave()
		return err
	}
	return nil
}

func (p *Place) fillWaiting(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if !Private(dir) {
		return fmt.Errorf("others can look into %s, or own it", dir)
	}
	if !writable(dir) {
		return fmt.Errorf("%s cannot be written to", dir)
	}
	if whose := filepath.Join(dir, whoseFile); !exists(whose) {
		os.WriteFile(whose, []byte(p.whose+"\n"), 0o600) // only for a person; the name of the directory identifies the repository
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// waitOutside uses the directory among temporary files, since cause forbids any other.
func (p *Place) waitOutside(env Env, cause error) error {
	dirs := p.Waiting(env)
	dir := dirs[len(dirs)-1]
	if p.makeWaiting(dir) != nil {
		return cause
	}
	p.Dir, p.Home = dir, nil
	p.Also = p.waiting(env)
	if p.Note = fmt.Sprintf("neither the repository nor your own store can be written to from here: captures wait in %s", dir); p.reading {
		return nil
	}
	p.Note = fmt.Sprintf("neither the repository nor your own store can be written to from here (%v): this capture waits in %s, and the next cairn recall outside this sandbox takes it over", cause, dir)
	return nil
}

// Beside each directory where captures wait is a lock file of its name. A process that has the
// directory open holds a shared lock; a process that moves the captures and removes the
// directory holds it exclusively, so that it removes no capture that comes meanwhile.

func lockPath(dir string) string { return dir + ".lock" }

// takeoverPatience bounds the wait while another process moves captures, which takes
// some milliseconds each.
const takeoverPatience = 10 * time.Second

// errTakenOver says that takeoverPatience is over.
var errTakenOver = fmt.Errorf("another process has been taking over what waits there for %s", takeoverPatience)

// stay holds the lock of dir until Close. If no lock file can be made, it holds none:
// then nothing can be made or removed in dir either.
func (p *Place) stay(dir string) error {
	const nap = time.Millisecond
	for waited := time.Duration(0); ; waited += nap {
		f, err := openLock(dir)
		if err != nil {
			return nil
		}
		if _, taken, err := lockfile.TryShared(f); err != nil || taken && lockfile.IsAt(f, lockPath(dir)) {
			p.leave()
			p.held = f
			return nil
		}
		f.Close()
		if waited >= takeoverPatience {
			return errTakenOver
		}
		time.Sleep(nap)
	}
}

// leave releases the lock.
func (p *Place) leave() {
	if p.held != nil {
		p.held.Close()
		p.held = nil
	}
}

// Seize locks a directory where captures wait exclusively, to remove it. alone is false
// while another process has it open.
func Seize(dir string) (release func(), alone bool, err error) {
	f, err := openLock(dir)
	if err != nil {
		return nil, false, err
	}
	_, taken, err := lockfile.Try(f)
	if err != nil || !taken || !lockfile.IsAt(f, lockPath(dir)) {
		f.Close()
		return nil, false, err
	}
	return func() {
		if !exists(dir) {
			os.Remove(f.Name()) // processes that wait for the lock notice that it is gone
		}
		f.Close()
	}, true, nil
}

// openLock opens the lock file, and makes it if possible.
func openLock(dir string) (*os.File, error) {
	f, err := os.OpenFile(lockPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return os.Open(lockPath(dir)) // a file can be locked without write access
	}
	return f, err
}

// DefaultBranch carries the manifest unless git config cairn.branch names
// another.
const DefaultBranch = "cairn"

// Site is a place with its store and its manifest opened, which capture and recall both
// use.
type Site struct {
	*Place
	Objects  *objects.Store
	Manifest *manifest.Manifest
	Branch   *gitrepo.Branch // the branch that records are folded into; nil if there is no such one
	// Parse parses the output of a capture again. Package cmd sets it for packages that
	// may not import parsers; otherwise it is nil.
	Parse func(*manifest.Record) (*result.ToolResult, error)
	// Progress, if set, gets the number of indexed shards and of all, while a question
	// waits for the index.
	Progress func(done, all int)
}

// Tests is the list of all tests that was kept with a capture. It is only in the clone
// that made it. ErrNoTests says that no list was kept.
func (s *Site) Tests(rec *manifest.Record) (outcomes.List, error) {
	if rec.Outcomes == nil || rec.Outcomes.OID == "" {
		return nil, fmt.Errorf("capture %s: %w", rec.ID, ErrNoTests)
	}
	id, err := objects.ParseID(rec.Outcomes.OID)
	if err != nil {
		return nil, err
	}
	text, err := s.Objects.ReadAll(id)
	if err != nil {
		return nil, fmt.Errorf("reading the tests of capture %s: %w", rec.ID, err)
	}
	return outcomes.Decode(text)
}

// ErrNoTests says that no list of tests was kept.
var ErrNoTests = errors.New("no list of its tests was kept")

// WorktreeAt returns a reader of the working tree at a moment; nil without a working tree.
func (s *Site) WorktreeAt(at gitrepo.Moment) *gitrepo.WorktreeReader {
	if s.Repo == nil {
		return nil
	}
	return s.Repo.WorktreeAt(at, filepath.Join(s.Dir, "worktree"))
}

// Open finds and opens the place of dir, an absolute path. It writes nothing.
func Open(ctx context.Context, dir string, env Env, warn func(manifest.Warning)) (*Site, error) {
	p, err := Find(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, warn), nil
}

// OpenToRead is Open for a question: see FindToRead.
func OpenToRead(ctx context.Context, dir string, env Env, warn func(manifest.Warning)) (*Site, error) {
	p, err := FindToRead(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, warn), nil
}

func (p *Place) open(ctx context.Context, warn func(manifest.Warning)) *Site {
	s := &Site{Place: p, Objects: objects.Open(p.Dir, p.Also...)}
	s.Objects.Ask(p.Check)
	o := manifest.Options{Warn: warn, Also: p.Also, May: p.Check}
	if p.Home != nil {
		s.Branch = p.Home.OpenConfigured(ctx, "cairn.branch", DefaultBranch)
		o.Branch = s.Branch
	}
	s.Manifest = manifest.Open(p.Dir, o)
	return s
}

// Close releases the place.
func (s *Site) Close() { s.leave() }

// Packs says whether small objects may be put into pack files: unless git config cairn.pack is off.
func (s *Site) Packs(ctx context.Context) bool {
	if s.Home == nil {
		return true
	}
	set, err := s.Home.Config(ctx, "cairn.pack")
	return err != nil || set != "off" && set != "false"
}
