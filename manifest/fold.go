package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cairn/internal/gitrepo"
)

const (
	// burstLines in one commit halve the packed size of the branch, because
	// commits and trees outweigh lines; more gain little.
	burstLines = 16
	// burstPause is how soon after a fold another capture counts as part of
	// a burst.
	burstPause = time.Second
	// foldShards bounds what one commit holds in memory: 16 MiB.
	foldShards = 256
	// foldPatience is how long Wait waits: a first fold of a large manifest
	// takes seconds.
	foldPatience = 2 * time.Minute
)

// FoldOptions say how eager a fold is.
type FoldOptions struct {
	// Wait waits for a fold that is running, then folds what is left. Without
	// it the running one, which looks once more before it ends, does it all.
	Wait bool
	// Lazy leaves lines pending while they come in a burst: when the last
	// fold was less than a second ago and fewer than 16 wait. It is for
	// captures; whoever reads the branch folds without it.
	Lazy bool
	// Check compares every shard with the branch, whatever is remembered.
	Check bool
}

// Report says what a fold or a merge did.
type Report struct {
	Commit  string // the last commit made; "" when none was
	Folded  int    // lines that went into it
	Pending int    // lines that still wait in the shards
	Why     string // in plain words, why they wait or nothing was merged
}

// Fold commits every pending line to the branch. Git refusing is not an
// error: the lines wait in the shards, where they are durable and read, and
// the Report says why.
func (m *Manifest) Fold(ctx context.Context, o FoldOptions) (Report, error) {
	if m.opts.Branch == nil {
		return m.waiting("there is no git repository to fold into"), nil
	}
	var total Report
	for {
		unlock, err := m.lockFold(ctx, o.Wait)
		if err != nil {
			return m.waiting(err.Error()), nil
		}
		if unlock == nil {
			total.Pending = m.countPending(m.loadFold())
			total.Why = "another process is folding and takes them along"
			return total, nil
		}
		r, err := m.foldOnce(ctx, o)
		unlock()
		if r.Commit != "" {
			total.Commit = r.Commit
		}
		total.Folded += r.Folded
		total.Pending, total.Why = r.Pending, r.Why
		// Whoever appended since and found the lock taken counts on this fold.
		if err != nil || r.Why != "" || m.countPending(m.loadFold()) == 0 {
			return total, err
		}
		o.Check = false
	}
}

func (m *Manifest) lockFold(ctx context.Context, wait bool) (func(), error) {
	if wait {
		return lock(ctx, m.path(foldLock), foldPatience)
	}
	return tryLock(m.path(foldLock))
}

// waiting is the report of a fold that cannot be.
func (m *Manifest) waiting(why string) Report {
	return Report{Pending: m.countPending(m.loadFold()), Why: why}
}

// foldOnce folds what is pending now. The caller holds the fold lock.
func (m *Manifest) foldOnce(ctx context.Context, o FoldOptions) (Report, error) {
	st := m.loadFold()
	if o.Lazy && m.inBurst(st) {
		if n := m.countPending(st); n < burstLines {
			return Report{Pending: n, Why: "they are part of a burst and are folded by the next command that reads or captures"}, nil
		}
	}
	tip, err := m.opts.Branch.Tip(ctx)
	if err != nil {
		return m.waiting(plainly(err)), nil
	}
	p, err := m.plan(ctx, st, tip, o.Check)
	if err != nil {
		return m.waiting(plainly(err)), nil
	}
	var r Report
	for rest := p.tails; len(rest) > 0; {
		n := min(len(rest), foldShards)
		if err := m.commit(ctx, rest[:n], &r); err != nil {
			r.Pending, r.Why = m.countPending(st), plainly(err)
			return r, nil
		}
		rest = rest[n:]
	}
	if r.Commit != "" {
		tip = r.Commit
	}
	return r, m.remember(ctx, st, p, tip)
}

// inBurst says whether the last fold was just now. A clock that went back
// makes it neither.
func (m *Manifest) inBurst(st foldState) bool {
	since := m.opts.Now().Sub(st.At)
	return since >= 0 && since < burstPause
}

// countPending counts the complete lines beyond what st remembers. It is
// cheap, asks git nothing, and sees only days with a mark.
func (m *Manifest) countPending(st foldState) int {
	writer, err := m.readWriter()
	if err != nil || writer == "" {
		return 0
	}
	days, _ := m.pendingDays()
	count := 0
	for _, d := range days {
		from := st.Days[d]
		to, err := m.end(d, writer, from)
		if err != nil {
			continue
		}
		for n := max(from.N, 1); n <= to.N; n++ {
			b, err := os.ReadFile(m.path(shardPath(d, writer, n)))
			if err != nil {
				continue
			}
			if n == from.N {
				b = b[min(from.Size, int64(len(b))):]
			}
			for _, line := range lines(b) {
				if whole(line) {
					count++
				}
			}
		}
	}
	return count
}

// commit folds some shards in one commit, if they have anything to fold.
func (m *Manifest) commit(ctx context.Context, tails []tail, r *Report) error {
	var changes []gitrepo.Change
	var recs []*Record
	folded := 0
	err := m.eachMissing(ctx, tails, func(t tail, shared []byte, lines [][]byte) {
		changes = append(changes, gitrepo.Change{Path: t.path, Merge: func(old []byte) []byte { return Union(old, shared) }})
		folded += len(lines)
		for _, line := range lines {
			if rec, err := Decode(line); err == nil {
				recs = append(recs, rec)
			}
		}
	})
	if err != nil || len(changes) == 0 {
		return err
	}
	subject, body := message(recs)
	if subject == "" {
		subject = plural(folded, "line") + " that this version cannot read"
	}
	commit, err := m.opts.Branch.Commit(ctx, changes, subject, body, m.opts.Now())
	if err != nil {
		return err
	}
	r.Commit = commit
	r.Folded += folded
	return nil
}

// eachMissing visits the shards that have lines which the branch has not:
// shared is all of a shard that is fit for the branch, lines what is new.
func (m *Manifest) eachMissing(ctx context.Context, tails []tail, visit func(t tail, shared []byte, lines [][]byte)) error {
	compare := make(map[string][]tail) // by blob
	contents := make(map[string][]byte)
	var blobs []string
	for _, t := range tails {
		content, err := m.readTail(t)
		if err != nil {
			return err
		}
		if t.verify && t.blob != "" {
			if blobHash(content, t.blob) == t.blob {
				continue
			}
			if compare[t.blob] == nil {
				blobs = append(blobs, t.blob)
			}
			compare[t.blob] = append(compare[t.blob], t)
			contents[t.path] = content
			continue
		}
		if fresh := missing(content[t.from:], nil); len(fresh) > 0 {
			visit(t, shareable(content), fresh)
		}
	}
	return m.opts.Branch.ReadBlobs(ctx, blobs, func(oid string, data []byte) error {
		for _, t := range compare[oid] {
			if fresh := missing(contents[t.path], data); len(fresh) > 0 {
				visit(t, shareable(contents[t.path]), fresh)
			}
		}
		return nil
	})
}

// readTail reads the finished appends of a shard.
func (m *Manifest) readTail(t tail) ([]byte, error) {
	content, err := os.ReadFile(m.path(t.path))
	if err != nil {
		return nil, fmt.Errorf("reading a shard: %w", err)
	}
	if int64(len(content)) < t.size {
		return nil, fmt.Errorf("%s became shorter while it was folded; try again", t.path)
	}
	return content[:t.size], nil
}

// shareable is the complete lines of a shard. What a crash tore stays in the
// clone that it happened in.
func shareable(content []byte) []byte {
	return bytes.Join(append(missing(content, nil), nil), []byte{'\n'})
}

// remember keeps what is folded now and takes back the marks of past days
// that nothing was appended to since.
func (m *Manifest) remember(ctx context.Context, st foldState, p plan, tip string) error {
	if tip == "" {
		return nil // nothing was ever recorded
	}
	st.Branch, st.Writer, st.Tip, st.At = m.opts.Branch.Name(), p.writer, tip, m.opts.Now().UTC()
	for d, end := range p.ends {
		st.Days[d] = end
	}
	st.trim(p.days)
	if err := m.saveFold(st); err != nil {
		return err
	}
	if len(p.days) < 2 {
		return nil
	}
	unlock, err := lock(ctx, m.path(appendLock), lockPatience)
	if err != nil {
		return err
	}
	defer unlock()
	for _, d := range p.days[:len(p.days)-1] {
		if end, err := m.end(d, p.writer, p.ends[d]); err == nil && end == p.ends[d] {
			os.Remove(m.pendingPath(d))
		}
	}
	return nil
}

// plainly says in a sentence why git did not take the lines.
func plainly(err error) string {
	switch {
	case errors.Is(err, gitrepo.ErrCheckedOut):
		return "the branch is checked out in a working tree, and cairn does not move a branch under anyone's feet; check out another one"
	case errors.Is(err, gitrepo.ErrNoGit):
		return "the git program was not found"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the fold was interrupted"
	}
	return err.Error()
}
