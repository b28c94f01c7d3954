package lfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/internal/gitrepo"
	"cairn/remote"
)

// ref is the ref with the names, and stamp the format of the time after a key.
const (
	ref   = "refs/cairn/lfs"
	stamp = "20060102T150405Z"
)

// pointer identifies a body in git LFS.
type pointer struct {
	oid  string // SHA-256, in hex
	size int64
}

func (p pointer) text() []byte {
	return fmt.Appendf(nil, "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", p.oid, p.size)
}

var pointerForm = regexp.MustCompile(`\Aversion \S+\noid sha256:([0-9a-f]{64})\nsize (\d{1,18})\n\z`)

// named is a body with its name.
type named struct {
	pointer
	path string // path of the file in the tree
	at   time.Time
}

// names are the names of the bodies when the ref was last read.
type names struct {
	ref   gitrepo.Elsewhere
	file  string // stores the ref's commit for the next process
	queue gather[change]

	mu   sync.Mutex
	tip  string
	at   time.Time          // when the ref was last read
	keys map[string][]named // newest first; nil before the first read
}

// change adds a name for a body, or removes all names of a key if body is nil.
type change struct {
	key  string
	body *pointer
}

// fresh is how old the names may be for reading: a command reads them several times in a row.
const fresh = time.Second

// look reads the ref, unless it was read within fresh and again is not set.
func (n *names) look(ctx context.Context, again bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !again && time.Since(n.at) < fresh {
		return nil
	}
	seen := n.tip
	if n.keys == nil {
		text, _ := os.ReadFile(n.file)
		seen = string(text)
	}
	err := n.lookFrom(ctx, seen)
	if errors.Is(err, gitrepo.ErrMissing) { // "git gc" has removed the stored commit
		err = n.lookFrom(ctx, "")
	}
	if err != nil {
		return fmt.Errorf("the names of the bodies: %w", err)
	}
	n.at = time.Now()
	return nil
}

func (n *names) lookFrom(ctx context.Context, seen string) (err error) {
	var tip string
	err = again(ctx, func() error {
		tip, err = n.ref.Tip(ctx, seen)
		return err
	})
	if err != nil || tip == n.tip && n.keys != nil {
		return err
	}
	return n.read(ctx, tip)
}

// read reads the names in a commit. If storing the commit fails, the next process reads all of it again.
func (n *names) read(ctx context.Context, tip string) error {
	keys := map[string][]named{}
	var files []gitrepo.File
	var err error
	if tip != "" {
		files, err = n.ref.Repo.Files(ctx, tip)
	}
	var oids []string
	for _, f := range files {
		oids = append(oids, f.OID)
	}
	if err == nil {
		err = n.ref.Repo.ReadBlobs(ctx, oids, func(_ string, text []byte) error {
			path := files[0].Path
			files = files[1:]
			key, when, _ := strings.Cut(path, "@")
			at, err := time.Parse(stamp, when)
			m := pointerForm.FindSubmatch(text)
			if err != nil || m == nil {
				return nil // a later version may put other files here
			}
			size, err := strconv.ParseInt(string(m[2]), 10, 64)
			keys[key] = append(keys[key], named{pointer{string(m[1]), size}, path, at})
			return err
		})
	}
	if err != nil {
		return err
	}
	for _, all := range keys {
		slices.SortFunc(all, func(a, b named) int { return b.at.Compare(a.at) })
	}
	n.tip, n.keys = tip, keys
	if os.MkdirAll(filepath.Dir(n.file), 0o700) == nil {
		os.WriteFile(n.file, []byte(tip), 0o600)
	}
	return nil
}

// find returns the bodies of a key, newest first.
func (n *names) find(ctx context.Context, key string) ([]named, error) {
	n.mu.Lock()
	all := n.keys[key]
	n.mu.Unlock()
	if len(all) > 0 {
		return all, nil
	}
	err := n.look(ctx, false)
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.keys[key], err
}

func (n *names) list(prefix string) (all []remote.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for key, bodies := range n.keys {
		if strings.HasPrefix(key, prefix) {
			all = append(all, remote.Entry{Key: key, Size: bodies[0].size, Time: bodies[0].at})
		}
	}
	return all
}

// races is how often a change is repeated because another push came first; each time one push succeeds.
const races = 50

// change writes changes to the ref.
func (n *names) change(ctx context.Context, all ...change) error {
	return n.wait(ctx, n.queue.add(all...))
}

// wait writes queued changes, together with all others in the queue.
func (n *names) wait(ctx context.Context, mine *asked[change]) error {
	return n.queue.wait(mine, func(all []change) error {
		err := n.look(ctx, false)
		for try := 0; err == nil; try++ {
			err = again(ctx, func() error { return n.replace(ctx, all) })
			if try == races || !errors.Is(err, gitrepo.ErrRaced) && !errors.Is(err, gitrepo.ErrMissing) {
				break
			}
			if err = wait(ctx, min(try, 2), 0); err == nil {
				err = n.look(ctx, true)
			}
		}
		if err != nil {
			return fmt.Errorf("writing the names of bodies to %s: %w", ref, err)
		}
		return nil
	})
}

func (n *names) replace(ctx context.Context, all []change) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now().UTC().Truncate(time.Second)
	var changes []gitrepo.Change
	set := func(path string, text []byte) {
		changes = append(changes, gitrepo.Change{Path: path, Merge: func([]byte) []byte { return text }})
	}
	for _, c := range all {
		for _, old := range n.keys[c.key] {
			set(old.path, nil)
		}
		if c.body != nil {
			set(c.key+"@"+now.Format(stamp), c.body.text())
		}
	}
	next, err := n.ref.Replace(ctx, n.tip, changes, "names of bodies", now)
	if errors.Is(err, gitrepo.ErrMissing) { // "git gc" has removed the stored commit
		n.keys = nil
	}
	if err == nil && next != n.tip {
		err = n.read(ctx, next)
	}
	return err
}
