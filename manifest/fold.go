package manifest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"syscall"
	"time"

	"cairn/internal/gitrepo"
)

const (
	// foldShards is the most shards in one commit, which bounds its memory to 16 MiB.
	foldShards = 256
	// foldPatience is how long Wait waits: a first fold of a large manifest
	// takes seconds.
	foldPatience = 2 * time.Minute
)

// FoldOptions say how eager a fold is.
type FoldOptions struct {
	// Wait waits for a running fold, and then folds what is left. Without Wait, a fold
	// returns at once if another one is running, since that one looks once more before
	// it ends and folds everything.
	Wait bool
	// Check compares every shard with the branch, whatever fold.json says.
	Check bool
}

// Report says what a fold or a merge did.
type Report struct {
	Commit  string // the last commit made; "" if none was
	Folded  int    // lines that were committed
	Pending int    // lines that still wait in the shards
	Why     string // why lines are pending or nothing was merged, as a sentence
	// Trouble says whether Why is worth showing to the user: git refused, or a file
	// could not be used. It is not set if only another fold is running.
	Trouble bool
}

// Fold commits every pending line to the branch. If git refuses, that is not an error:
// the lines stay in the shards, where they are durable and readable, and the Report
// says why.
func (m *Manifest) Fold(ctx context.Context, o FoldOptions) (Report, error) {
	if m.opts.Branch == nil {
		return Report{Pending: m.countPending(m.loadFold()), Why: "there is no git repository to fold into"}, nil
	}
	var total Report
	for last := -1; ; {
		unlock, err := m.lockFold(ctx, o.Wait)
		if err != nil {
			total.fail(m.countPending(m.loadFold()), err)
			return total, nil
		}
		if unlock == nil {
			total.Pending = m.countPending(m.loadFold())
			total.Why = "another process is folding and takes them along"
			return total, nil
		}
		r, err := m.foldOnce(ctx, o)
		unlock()
		total.Commit = cmp.Or(r.Commit, total.Commit)
		total.Folded += r.Folded
		total.Pending, total.Why, total.Trouble = r.Pending, r.Why, r.Trouble
		// A process that appended meanwhile and found the lock taken relies on this fold.
		pending := m.countPending(m.loadFold())
		if err != nil || r.Why != "" || pending == 0 || r.Folded == 0 && pending == last {
			return total, err
		}
		o.Check, last = false, pending
	}
}

func (m *Manifest) lockFold(ctx context.Context, wait bool) (func(), error) {
	if wait {
		return lock(ctx, m.path(foldLock), foldPatience)
	}
	return tryLock(m.path(foldLock))
}

// fail notes that lines are pending because of err.
func (r *Report) fail(pending int, err error) {
	r.Pending, r.Why, r.Trouble = pending, plainly(err), true
}

// foldOnce folds what is pending now. The caller holds the fold lock.
func (m *Manifest) foldOnce(ctx context.Context, o FoldOptions) (r Report, err error) {
	st := m.loadFold()
	tip, p, err := m.foldAll(ctx, st, o, &r)
	if errors.Is(err, gitrepo.ErrMissing) && tip != "" && st.Tip != "" {
		if err = m.remake(ctx, tip, err); err == nil {
			tip, p, err = m.foldAll(ctx, foldState{Days: map[day]position{}}, FoldOptions{Check: true}, &r)
		}
	}
	if err == nil {
		return r, m.remember(ctx, st, p, tip, r.Commit != "")
	}
	r.fail(m.countPending(st), err)
	if passing(err) {
		return r, nil
	}
	st.Refused, st.RefusedAt = r.Why, m.opts.Now().UTC()
	if err := m.saveFold(st); err != nil {
		r.Why += "; and " + err.Error()
	}
	return r, nil
}

// passing says whether only this process cannot fold now: it was interrupted, or has
// reached a limit on files or processes. Then the next fold should try again.
func passing(err error) bool {
	return slices.ContainsFunc([]error{context.Canceled, context.DeadlineExceeded, syscall.EMFILE, syscall.ENOMEM, syscall.EAGAIN}, func(own error) bool { return errors.Is(err, own) })
}

// foldAll commits, in groups of shards, the lines that the branch lacks.
func (m *Manifest) foldAll(ctx context.Context, st foldState, o FoldOptions, r *Report) (tip string, p plan, err error) {
	if tip, err = m.opts.Branch.Tip(ctx); err != nil {
		return tip, p, err
	}
	if err := m.checkOurs(ctx, st, tip); err != nil {
		return tip, p, err
	}
	if p, err = m.plan(ctx, st, tip, o.Check); err != nil {
		return tip, p, err
	}
	if len(p.unfolded) > 0 { // fold.json must not call a line folded that the shards lose in a power cut
		if err := m.syncDays(p.days); err != nil {
			return tip, p, err
		}
	}
	for group := range slices.Chunk(p.unfolded, foldShards) {
		if err := m.commit(ctx, group, r); err != nil {
			return tip, p, err
		}
	}
	return cmp.Or(r.Commit, tip), p, nil
}

// within says whether t was less than d ago. It is false if the clock has gone back
// since t.
func (m *Manifest) within(t time.Time, d time.Duration) bool {
	since := m.opts.Now().Sub(t)
	return since >= 0 && since < d
}

// countPending counts the lines that st does not call folded. It is cheap: it does not
// use git, and looks only at days that have a mark.
func (m *Manifest) countPending(st foldState) int {
	writer, err := m.readWriter()
	if err != nil || writer == "" {
		return 0
	}
	days, _ := m.pendingDays()
	count := 0
	for _, d := range days {
		from := st.Days[d]
		if !m.goesOn(d, writer, from) {
			from = position{}
		}
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
				if whole(line) { // a line that a crash cut off is never folded
					count++
				}
			}
		}
	}
	return count
}

// remember writes fold.json, and removes the marks of past days to which nothing was
// appended since. It writes nothing if nothing changed, since every question folds
// first.
func (m *Manifest) remember(ctx context.Context, st foldState, p plan, tip string, folded bool) error {
	if tip == "" {
		return nil // there are no records yet
	}
	next := foldState{Branch: m.opts.Branch.Name(), Writer: p.writer, Tip: tip, At: st.At, Days: maps.Clone(st.Days), Lost: st.Lost || p.shrunk}
	if folded {
		next.At = m.opts.Now().UTC()
	}
	maps.Copy(next.Days, p.ends)
	next.trim(p.days)
	if !next.equal(st) {
		if err := m.saveFold(next); err != nil {
			return err
		}
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
	case errors.Is(err, errNotOurs):
		return errNotOurs.Error()
	case errors.Is(err, gitrepo.ErrNoGit):
		return "the git program was not found"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the fold was interrupted"
	}
	return err.Error()
}

// foldState is the content of fold.json: what is on the branch, so that a fold looks
// only at later lines. It is a hint that the next fold checks. If it is missing, or the
// branch or the writer changed, every shard is compared with the branch. If the tip of
// the branch moved, the shards that differ between the two tips are compared.
type foldState struct {
	Branch string           `json:"branch"`
	Writer string           `json:"writer"`
	Tip    string           `json:"tip"`
	At     time.Time        `json:"at"`   // time of the last fold
	Days   map[day]position `json:"days"` // how far the writer's shards are folded

	Lost bool `json:"lost,omitempty"` // shards were gone, or shorter than when they were folded: see Heal

	Refused   string    `json:"refused,omitempty"` // why a later fold was refused
	RefusedAt time.Time `json:"refused_at,omitzero"`
}

// position is a place in the shards of one day: after all shards before shard N, and
// after the first Size bytes of shard N.
type position struct {
	N    int   `json:"n"`
	Size int64 `json:"size"`
}

// keepDays is how many days' positions are remembered. If lines are appended to an older day
// (the clock went back, or a capture was repaired), that day is compared with the branch.
const keepDays = 32

func (m *Manifest) loadFold() foldState {
	var st foldState
	b, err := os.ReadFile(m.path(foldFile))
	if err != nil || json.Unmarshal(b, &st) != nil || st.Days == nil {
		return foldState{Days: map[day]position{}}
	}
	return st
}

func (m *Manifest) saveFold(st foldState) error {
	b, err := json.Marshal(st)
	if err == nil {
		err = replace(m.path(foldFile), append(b, '\n'), false)
	}
	if err != nil {
		return fmt.Errorf("remembering what was folded: %w", err)
	}
	return nil
}

// equal says whether two states remember the same.
func (st *foldState) equal(other foldState) bool {
	return st.Branch == other.Branch && st.Writer == other.Writer && st.Tip == other.Tip && st.At.Equal(other.At) &&
		st.Lost == other.Lost && st.Refused == other.Refused && maps.Equal(st.Days, other.Days)
}

// trim forgets the positions of old days that have nothing pending.
func (st *foldState) trim(pending []day) {
	var days []day
	for d := range st.Days {
		if !slices.Contains(pending, d) {
			days = append(days, d)
		}
	}
	slices.Sort(days)
	for i := 0; len(days)-i > keepDays; i++ {
		delete(st.Days, days[i])
	}
}

// newest is the latest day with a position; "" if none exists.
func (st *foldState) newest() day {
	var last day
	for d := range st.Days {
		last = max(last, d)
	}
	return last
}

// end is the place after the last line of the writer on d.
func (m *Manifest) end(d day, writer string, from position) (position, error) {
	n, err := m.lastShard(d, writer, from.N)
	if err != nil || n == 0 {
		return position{}, err
	}
	fi, err := os.Stat(m.path(shardPath(d, writer, n)))
	if err != nil {
		return position{}, fmt.Errorf("looking at the last shard of %s: %w", d, err)
	}
	return position{N: n, Size: fi.Size()}, nil
}
