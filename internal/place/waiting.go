package place

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// A sandbox may let a command write to nothing but its project and the
// directory for temporary files. Captures that can go nowhere else wait there,
// in a cairn directory of their own per repository, until cairn is run outside: a
// question moves them to where they belong (capture.Sweep).

// waitingRoot holds what waits for this user, for all repositories.
func waitingRoot(env Env) string {
	return filepath.Join(env.Tmp, "cairn-"+strconv.Itoa(os.Getuid()))
}

// Waiting is the directory in which captures of this place wait, or would. It
// is the same inside a sandbox and outside if both have the same directory for
// temporary files.
func (p *Place) Waiting(env Env) string {
	whose := p.Workspace.Root
	if p.Repo != nil {
		whose = p.Repo.CommonDir
	}
	sum := sha256.Sum256([]byte(whose))
	return filepath.Join(waitingRoot(env), hex.EncodeToString(sum[:8]))
}

// Private says whether dir is a directory of this user's alone, below one that
// is: in a directory for everybody's files somebody else may have made it first.
func Private(dir string) bool {
	for _, d := range []string{filepath.Dir(dir), dir} {
		info, err := os.Lstat(d)
		if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info) {
			return false
		}
	}
	return true
}

// wait takes the place where captures wait, since cause forbids any other.
func (p *Place) wait(env Env, cause error) error {
	dir := p.Waiting(env)
	if err := os.MkdirAll(dir, 0o700); err != nil || !Private(dir) {
		return cause
	}
	p.Dir, p.Home = dir, nil
	p.Note = fmt.Sprintf("neither the repository nor your own store can be written to from here (%v): this capture waits in %s, and the next cairn recall outside this sandbox takes it over", cause, dir)
	return nil
}
