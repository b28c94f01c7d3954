package manifest

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/durable"
	"cairn/internal/gitrepo"
	"cairn/internal/lockfile"
)

// Options are what a Manifest takes from its surroundings.
type Options struct {
	// Branch is where shards are folded to and other clones' records come from. It is
	// nil without git: captures then stay in the shards.
	Branch Branch
	// Also are further cairn directories whose shards are read as if they were in this
	// one: a capture that could not be written here is kept there.
	Also []string
	// May, if set, is called before anything is appended; an error forbids it.
	May func() error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Warn is called for lines that could not be read and records that could not be
	// looked for, on the caller's goroutine. If it is nil, warnings are dropped.
	Warn func(Warning)
}

// Branch is the upper of the two layers of branch: all that the manifest needs of the
// git branch that carries its shards, with its promises. The lower layer is
// *gitrepo.Branch, which keeps these promises with git. Tests of this package have a
// Branch without git.
//
// Every method may be called by several goroutines, while other processes move the
// branch. An error comes from git or a file; callers distinguish gitrepo.ErrCheckedOut,
// ErrMissing and ErrNoGit.
type Branch interface {
	// Name is the short name of the branch.
	Name() string
	// Tip is the commit at the head of the branch; "" if there is no branch.
	Tip(ctx context.Context) (string, error)
	// Remotes lists the branches of that name of all remotes, as last fetched.
	Remotes(ctx context.Context) ([]gitrepo.RemoteTip, error)
	// Commit rewrites files on top of the tip, even if the tip has moved meanwhile.
	Commit(ctx context.Context, changes []gitrepo.Change, subject, body string, when time.Time) (string, error)
	// MergeTips commits the union of the branch and tips, in one commit.
	MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error)
	// Files lists all files of a commit.
	Files(ctx context.Context, commit string) ([]gitrepo.File, error)
	// FilesChanged lists the files that differ; a removed file has no OID.
	FilesChanged(ctx context.Context, from, to string) ([]gitrepo.File, error)
	// BlobSizes returns the sizes of blobs without reading them.
	BlobSizes(ctx context.Context, oids []string) (map[string]int64, error)
	// Drop removes the branch if it is still at tip.
	Drop(ctx context.Context, tip string) error
	// ReadBlobs yields contents in the order of oids, valid until yield returns.
	ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error
}

// Warning is something that a reader should know about, although reading went on. File is
// set if the warning is about a shard, Line if it is about a line of the shard.
type Warning struct {
	File string
	Line int
	Text string
	// Incomplete says that whole shards were not read, so it is unknown what they name.
	// A line that was passed over does not count; see Query.Passed.
	Incomplete bool
}

func (w Warning) String() string {
	switch {
	case w.File == "":
		return w.Text
	case w.Line == 0:
		return w.File + ": " + w.Text
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// Manifest is the record of one repository. It is safe for use by several
// goroutines, and by any number of processes over one directory.
type Manifest struct {
	dir       string
	opts      Options
	passed    passed
	openShard func(path string, create bool) (shardFile, error)
}

// Open returns the manifest in dir, the repository's cairn directory. It writes
// nothing: the first Append makes what is missing.
func Open(dir string, o Options) *Manifest {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(Warning) {}
	}
	if o.May == nil {
		o.May = func() error { return nil }
	}
	return &Manifest{dir: filepath.Clean(dir), opts: o, openShard: openShard}
}

// The folder with the state of this clone alone. None of it is a record: everything in
// it is made again if it is missing.
const (
	localDir   = "manifest-local"
	appendLock = localDir + "/append.lock"
	foldLock   = localDir + "/fold.lock"
	foldFile   = localDir + "/fold.json"
	pendingDir = localDir + "/pending"
	seenLock   = localDir + "/seen.lock"
	seenFile   = localDir + "/seen.json"
	seenDir    = localDir + "/seen"
)

// writerFile holds the id of this clone, which is part of its shards' names.
const writerFile = "writer"

// writerBytes is how many random bytes an id has: the ids of two clones collide once in
// 2^40 pairs, and even then the union of lines keeps every record.
const writerBytes = 5

// writerID is the id of this clone, which is made at its first use. The caller holds
// the append lock, so that two processes cannot make two ids.
func (m *Manifest) writerID() (string, error) {
	id, err := m.readWriter()
	if id != "" || err != nil {
		return id, err
	}
	id = newWriter()
	if err := replace(m.path(writerFile), []byte(id+"\n"), true); err != nil {
		return "", fmt.Errorf("keeping a new writer id: %w", err)
	}
	return id, nil
}

// readWriter is the id of this clone; "" if it has no valid id yet.
func (m *Manifest) readWriter() (string, error) {
	b, err := os.ReadFile(m.path(writerFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the writer id: %w", err)
	}
	if id := strings.TrimSpace(string(b)); writerOK(id) {
		return id, nil
	}
	return "", nil
}

func newWriter() string {
	var b [writerBytes]byte
	rand.Read(b[:]) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}

// writerOK refuses an id that a crash or an editor damaged.
func writerOK(id string) bool {
	if len(id) < 4 || len(id) > 40 {
		return false
	}
	for i := range len(id) {
		if !wordByte(id[i]) {
			return false
		}
	}
	return true
}

// shardFile is what an append does with an open shard. Tests replace it by one that
// fails.
type shardFile interface {
	io.Writer
	Size() (int64, error)
	ReadAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

type osShard struct{ f *os.File }

// openShard opens an existing shard, or with create a new one, for appending.
func openShard(path string, create bool) (shardFile, error) {
	flag := os.O_RDWR | os.O_APPEND
	if create {
		flag |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(path, flag, durable.FileMode)
	if err != nil {
		return nil, err
	}
	return osShard{f}, nil
}

func (s osShard) Size() (int64, error) {
	fi, err := s.f.Stat()
	if err != nil {
		return 0, err
	}
	return fi.Size(), nil
}

func (s osShard) Write(p []byte) (int, error) { return s.f.Write(p) }

func (s osShard) ReadAt(p []byte, off int64) (int, error) { return s.f.ReadAt(p, off) }

func (s osShard) Truncate(size int64) error { return s.f.Truncate(size) }

func (s osShard) Sync() error { return durable.SyncData(s.f) }

func (s osShard) Close() error { return s.f.Close() }

// replace writes data to a temporary file beside path and renames it, so that readers see
// either the old content or the new. With lasting, this holds after a power cut too. Without
// lasting, a power cut may leave the file empty, but no time is spent on a sync.
func replace(path string, data []byte, lasting bool) error {
	write := func() error {
		return durable.Replace(path, ".tmp-*", durable.FileMode, durable.Bytes(data, lasting))
	}
	err := write()
	if errors.Is(err, fs.ErrNotExist) {
		if err = durable.MkdirAll(filepath.Dir(path)); err == nil {
			err = write()
		}
	}
	if err != nil || !lasting {
		return err
	}
	return durable.SyncDir(filepath.Dir(path))
}

// lockPatience is how long a writer waits for the append lock. An append
// holds it for one write and one fsync, so a wait this long means a stopped
// process or a dead disk, and a capture should say so instead of hanging.
const lockPatience = 30 * time.Second

// tryLock takes the lock at path if it is free and returns the function that releases
// it; nil if another process holds the lock.
func tryLock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, durable.FileMode)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), durable.DirMode); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, durable.FileMode)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if _, held, err := lockfile.Try(f); err != nil || !held {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// lock waits for the lock at path until ctx ends or patience runs out.
func lock(ctx context.Context, path string, patience time.Duration) (unlock func(), err error) {
	nap, waited := 50*time.Microsecond, time.Duration(0)
	for {
		unlock, err := tryLock(path)
		if unlock != nil || err != nil {
			return unlock, err
		}
		if waited >= patience {
			return nil, fmt.Errorf("%s is held by another process for %s; see which one with lsof or fuser", path, patience)
		}
		timer := time.NewTimer(nap)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("waiting for %s: %w", path, ctx.Err())
		case <-timer.C:
		}
		waited += nap
		nap = min(2*nap, 5*time.Millisecond)
	}
}
