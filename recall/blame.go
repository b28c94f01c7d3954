package recall

import (
	"context"
	"errors"
	"fmt"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
)

// Blamed is where a finding came from, on one branch and for one command: the last run
// that proves the finding was not there, and the first run after it that shows the
// finding.
type Blamed struct {
	Command string `json:"command"`
	// Flaky are two runs on one tree that differ about the finding, which no commit can
	// explain; nil if there are none.
	Flaky  *Flake   `json:"flaky,omitempty"`
	Passed Sighting `json:"last_passed"`
	Failed Sighting `json:"first_failed"`
	// Commits are those between the two runs, newest first: hash and subject. More says
	// that there are more than are listed.
	Commits []string `json:"commits"`
	More    bool     `json:"more,omitempty"`
	// Why says what the commits cannot explain; "" if they explain everything.
	Why string `json:"why,omitempty"`
}

// Flake is proof that a finding comes and goes by itself: of several runs of one
// command on one tree, some show the finding and some prove that it was absent.
type Flake struct {
	Failed Sighting `json:"failed"` // the newest run that shows it
	Passed Sighting `json:"passed"`
	Fails  int      `json:"fails"` // runs on that tree that show it
	Runs   int      `json:"runs"`
	Trees  int      `json:"trees"` // trees on which runs differ
}

const maxBlamed = 50

// Blame finds the newest pair of runs between which a finding appeared. text names the
// finding by its fingerprint, a group, a test, a rule or a file.
func Blame(ctx context.Context, s *place.Site, text string, f Filters) (*Blamed, error) {
	q, err := understood(ctx, s, "blame", f)
	if err != nil {
		return nil, err
	}
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Commands, index.Wheres, index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	sub, err := x.subjectOf(s, text, q)
	if err != nil {
		return nil, err
	}
	step := &stepper{x: x, sub: sub, last: map[string]row{}, shown: map[string]bool{}, trees: map[string]*mixed{}}
	if err := step.walk(q.captures().selects(s, x)); err != nil {
		return nil, err
	}
	b := &Blamed{Commits: []string{}, Command: step.failed.s.Text(step.failed.s.Command(step.failed.i))}
	if b.Failed, _, err = x.sighting(step.failed); err == nil {
		b.Passed, _, err = x.sighting(step.passed)
	}
	if err == nil {
		b.Flaky, err = step.flake()
	}
	if err != nil {
		return nil, err
	}
	b.explain(ctx, s, step.passed.is(rowClean), step.failed.is(rowClean))
	return b, nil
}

// stepper goes through the runs of each command on each branch and keeps the newest
// pair between which the subject appeared.
type stepper struct {
	x              *rows
	sub            *subject
	passed, failed row
	seen           bool
	last           map[string]row // by command and branch: the last run that proves the subject absent
	shown          map[string]bool
	trees          map[string]*mixed // by command and tree
}

// mixed is the runs of one command on one tree.
type mixed struct {
	failed, passed row // the newest run with the subject, and without it
	fails, runs    int
}

func (p *stepper) walk(takes func(row) (bool, error)) error {
	keys := map[string]bool{}
	var failed error
	may := p.x.having(p.sub.sets)
	err := may.Each(false, func(s *index.Segment, i int) bool {
		keys[row{s, i}.key()] = true
		return true
	})
	if err == nil && len(keys) > 0 {
		err = p.x.ofCommands(func(key string) bool { return keys[key] }).Each(false, takenRows(takes, &failed, p.visit))
	}
	switch {
	case err != nil || failed != nil:
		return errors.Join(err, failed)
	case !p.seen:
		return fmt.Errorf("no capture that the filters leave has %s %s: %w", p.sub.what, p.sub.name, manifest.ErrNotFound)
	case p.failed.s == nil && p.newestMixed() == nil:
		return fmt.Errorf("no run of the commands that show %s proves that it was not there before: %w", p.sub.name, manifest.ErrNotFound)
	case p.failed.s == nil:
		t := p.newestMixed()
		p.passed, p.failed = t.passed, t.failed
	}
	return nil
}

func (p *stepper) visit(s *index.Segment, i int) bool {
	r := row{s, i}
	shows := p.sub.shows(r)
	if !shows && !r.proves(p.sub.test) {
		return true
	}
	branch, commit, tree := r.where()
	t := p.onTree(r, r.key()+part+tree, shows, tree != "")
	at := r.key() + part + branch
	if shows {
		p.seen = true
		// What this very tree showed before was not mended by changes that were not committed.
		known := t != nil && t.fails > 1 && t.fails == t.runs
		if before, ok := p.last[at]; ok && !p.shown[at] {
			if _, on, _ := before.where(); !known || on != commit {
				p.passed, p.failed = before, r
			}
		}
	} else {
		p.last[at] = r
	}
	p.shown[at] = shows
	return true
}

// onTree counts a run under its tree. known is false if the tree is not known.
func (p *stepper) onTree(r row, at string, shows, known bool) *mixed {
	if !known {
		return nil
	}
	t := p.trees[at]
	if t == nil {
		t = &mixed{}
		p.trees[at] = t
	}
	if t.runs++; shows {
		t.failed, t.fails = r, t.fails+1
	} else {
		t.passed = r
	}
	return t
}

// newestMixed is the tree on which runs differ with the newest failed run; nil if there is no such tree.
func (p *stepper) newestMixed() (best *mixed) {
	for _, t := range p.trees {
		if t.fails > 0 && t.fails < t.runs && (best == nil || p.x.After(t.failed.s, t.failed.i, best.failed.s, best.failed.i)) {
			best = t
		}
	}
	return best
}

// flake describes the newest tree on which runs differ; nil if there is no such tree.
func (p *stepper) flake() (*Flake, error) {
	t := p.newestMixed()
	if t == nil {
		return nil, nil
	}
	f := &Flake{Fails: t.fails, Runs: t.runs}
	for _, o := range p.trees {
		if o.fails > 0 && o.fails < o.runs {
			f.Trees++
		}
	}
	var err error
	if f.Failed, _, err = p.x.sighting(t.failed); err == nil {
		f.Passed, _, err = p.x.sighting(t.passed)
	}
	return f, err
}

// explain lists the commits between the two runs.
func (b *Blamed) explain(ctx context.Context, s *place.Site, passedClean, failedClean bool) {
	from, to := b.Passed.Commit, b.Failed.Commit
	switch {
	case from == "" || to == "" || s.Repo == nil:
		b.Why = "the runs name no commits"
		return
	case from == to && passedClean && failedClean:
		b.Why = "both ran on the same commit without changes: it is flaky, or comes from outside the repository"
		return
	case from == to:
		b.Why = "both ran on the same commit, with changes that were not committed"
		return
	}
	commits, err := s.Repo.Between(ctx, from, to, maxBlamed+1)
	switch {
	case err != nil:
		b.Why = "git cannot list the commits between them: " + err.Error()
	case len(commits) == 0:
		b.Why = "the run that failed was on an older commit than the one that passed"
	case !passedClean || !failedClean:
		b.Why = "there may have been changes on top that were not committed"
	}
	b.More = len(commits) > maxBlamed
	b.Commits = append(b.Commits, commits[:min(len(commits), maxBlamed)]...)
}
