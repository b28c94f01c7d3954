// Package lfs stores bodies on a git LFS server, and their names in the git repository that the server belongs to.
//
// The address is git+lfs: for the clone's remote "origin" or its only one, git+lfs:NAME for another remote, and
// git+lfs://HOST/PATH for the repository https://HOST/PATH. Connections use TLS, except to this machine or if the
// address ends in ?plain=1.
//
// Git LFS returns a body for its SHA-256 and size. It can neither list bodies nor remove any. So the ref refs/cairn/lfs
// of the repository names a commit without parents, whose tree has one file per body:
//
//	KEY@20261127T035415Z    the time is when the body was written, in UTC; the file is a pointer of git LFS, version 1
//
// "git lfs" itself puts such files into trees, so a server that removes bodies without a pointer keeps ours, and "git
// lfs fetch REMOTE refs/cairn/lfs" gets them. A body is sent first, then its name, by a push that fails if the ref has
// moved: then the change is repeated on the ref's new commit, so concurrent pushes lose nothing. Removing a body
// removes only its name; whether and when the server deletes the bytes is up to the server.
//
// The protocol is the batch API with the transfer "basic" and, for SSH remotes, git-lfs-authenticate (docs/api of
// git-lfs): one request for many objects and one for each body. It is implemented here, since the packages of git-lfs
// say that other programs should not rely on them, start git twice in every process, and may not be called by several
// goroutines.
package lfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cairn/internal/gitrepo"
	"cairn/remote"
)

// store is the Backend.
type store struct {
	names    *names
	up, down *server
	once     sync.Once
	err      error // why the repository's server could not be found

	later  sync.WaitGroup // writes of names that are under way
	mu     sync.Mutex
	failed error // why some of them failed
}

// Open returns an opener for a clone. dir is a folder for local data; ask says that git may ask for a password.
func Open(clone *gitrepo.Repo, dir string, ask bool) remote.Opener {
	return func(u *url.URL) (remote.Backend, error) {
		at := u.Opaque
		if u.Host != "" {
			scheme := "https"
			if ip := net.ParseIP(u.Hostname()); u.Query().Get("plain") == "1" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
				scheme = "http"
			}
			at = (&url.URL{Scheme: scheme, Host: u.Host, Path: u.Path}).String()
		}
		if strings.HasPrefix(at, "-") || u.Host == "" && u.Path != "" {
			return nil, fmt.Errorf("%s: give git+lfs://HOST/PATH, git+lfs:REMOTE or git+lfs: alone", u)
		}
		n := &names{ref: gitrepo.Elsewhere{Repo: clone, Remote: at, Ref: ref, Ask: ask}, file: filepath.Join(dir, "lfs-names")}
		return &store{names: n, up: newServer("upload", n), down: newServer("download", n)}, nil
	}
}

// ready finds the remote that an address without a name means.
func (s *store) ready(ctx context.Context) error {
	s.once.Do(func() {
		if s.names.ref.Remote != "" {
			return
		}
		all, err := s.names.ref.Repo.RemoteNames(ctx)
		switch {
		case err != nil:
			s.err = err
		case slices.Contains(all, "origin"):
			s.names.ref.Remote = "origin"
		case len(all) == 1:
			s.names.ref.Remote = all[0]
		default:
			s.err = errors.New("git+lfs: means the remote origin, or the only remote of this clone; there is neither: give git+lfs:REMOTE")
		}
	})
	return s.err
}

// Put sends the body, unless the server has it, and then writes its name.
func (s *store) Put(ctx context.Context, key string, body remote.Body, size int64) error {
	p, err := s.send(ctx, body, size)
	if err != nil {
		return err
	}
	return s.names.change(ctx, change{key, p})
}

// PutLater is Put, except that the name is written later with those of other bodies, while more of them are sent.
func (s *store) PutLater(ctx context.Context, key string, body remote.Body, size int64) error {
	p, err := s.send(ctx, body, size)
	if err != nil {
		return err
	}
	asked := s.names.queue.add(change{key, p}) // before the goroutine, so that names are written in order
	s.later.Go(func() {
		err := s.names.wait(context.WithoutCancel(ctx), asked)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.failed == nil { // names written together fail for one reason
			s.failed = err
		}
	})
	return nil
}

// Finish waits until all names are written.
func (s *store) Finish(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		s.later.Wait()
		close(done)
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.failed
	s.failed = nil
	return err
}

// send sends the body, unless the server has it.
func (s *store) send(ctx context.Context, body remote.Body, size int64) (*pointer, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(body, 0, size)); err != nil {
		return nil, err
	}
	p := &pointer{hex.EncodeToString(sum.Sum(nil)), size}
	if size == 0 { // git LFS has no empty bodies
		return p, nil
	}
	return p, s.up.put(ctx, *p, body)
}

func (s *store) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	all, err := s.names.find(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, remote.ErrMissing
	case all[0].size == 0:
		return io.NopCloser(strings.NewReader("")), nil
	case from >= all[0].size:
		return nil, io.EOF
	}
	return s.down.get(ctx, all[0].pointer, from)
}

func (s *store) List(ctx context.Context, prefix string) iter.Seq2[remote.Entry, error] {
	return func(yield func(remote.Entry, error) bool) {
		err := s.ready(ctx)
		if err == nil {
			err = s.names.look(ctx, false)
		}
		if err != nil {
			yield(remote.Entry{}, err)
			return
		}
		for _, e := range s.names.list(prefix) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *store) Delete(ctx context.Context, key string) error {
	return s.DeleteNames(ctx, []string{key})
}

// DeleteNames removes the names of bodies, all in one push.
func (s *store) DeleteNames(ctx context.Context, keys []string) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	var all []change
	for _, key := range keys {
		all = append(all, change{key, nil})
	}
	return s.names.change(ctx, all...)
}

// Left says what happens to bodies without a name.
func (s *store) Left() string {
	return "git LFS removes nothing when asked: the names are gone from " + ref + ", and the server keeps the bytes until it collects what no pointer names, if it does"
}

// gather combines requests that many goroutines make at the same time into one call.
type gather[T any] struct {
	mu      sync.Mutex
	waiting []*asked[T]
	turn    sync.Mutex
}

type asked[T any] struct {
	what []T
	done bool
	err  error
}

// add queues a request; wait waits until it is done.
func (g *gather[T]) add(what ...T) *asked[T] {
	mine := &asked[T]{what: what}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, mine)
	return mine
}

// wait calls all with all queued requests, unless a call of another goroutine has included this one.
func (g *gather[T]) wait(mine *asked[T], all func([]T) error) error {
	g.turn.Lock()
	defer g.turn.Unlock()
	if mine.done {
		return mine.err
	}
	g.mu.Lock()
	now := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	var together []T
	for _, a := range now {
		together = append(together, a.what...)
	}
	err := all(together)
	for _, a := range now {
		a.done, a.err = true, err
	}
	return err
}
