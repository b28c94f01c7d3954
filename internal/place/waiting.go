package place

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
