package remote

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"cairn/objects"
)

// MostCommits bounds the commits for which a push marks bodies: each commit takes at least two requests, and a first
// push may have objects of thousands of commits.
const MostCommits = 16

// Commit is a commit, and the objects that its runs named.
type Commit struct {
	Name string
	IDs  []objects.ID
}

// refer marks the bodies of commits, if an object of the commit was sent or the commit has no marks yet.
func (r *Remote) refer(ctx context.Context, have *contents, packed [][]member, large []member) error {
	b, can := r.Backend.(Referrer)
	if !can {
		return nil
	}
	sent := map[objects.ID]bool{}
	add := func(m member, pack, key string) {
		sent[m.id] = true
		have.objects[m.id] = held{pack, m.size}
		have.bodies[key+end(r.Recipients)] = Entry{}
	}
	for _, members := range packed {
		name := nameOf(indexOf(members))
		for _, m := range members {
			add(m, name, packPrefix+name+packEnd)
		}
	}
	for _, m := range large {
		add(m, "", objectKey(m.id.Hex()))
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.parallel())
	for _, c := range r.Commits[:min(len(r.Commits), MostCommits)] {
		var keys []string
		for _, id := range c.IDs {
			if key := have.bodyOf(id); key != "" {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		_, said := have.bodies[CommitKey(c.Name)]
		if keys = slices.Compact(keys); len(keys) > 0 && (!said || slices.ContainsFunc(c.IDs, func(id objects.ID) bool { return sent[id] })) {
			g.Go(func() error { return r.about("which bodies belong to commit "+c.Name, b.Refer(ctx, c.Name, keys)) })
		}
	}
	return g.Wait()
}

// forget removes the marks of bodies that will be removed, and returns the commits that have no marks left.
func (r *Remote) forget(ctx context.Context, have *contents, plan []Removal, dryRun bool) (gone []Removal, err error) {
	b, can := r.Backend.(Referrer)
	if !can || len(plan) == 0 {
		return nil, nil
	}
	goes := map[string]bool{}
	for _, p := range plan {
		goes[p.Key] = true
	}
	isGone := func(key string) bool { _, there := have.bodies[key]; return !there || goes[key] }
	for key := range have.bodies {
		commit, is := strings.CutPrefix(key, commitPrefix)
		if !is {
			continue
		}
		all, err := b.Forget(ctx, commit, isGone, dryRun)
		if err != nil {
			return gone, r.about("which bodies belong to commit "+commit, err)
		}
		if all {
			gone = append(gone, Removal{Key: key, Size: -1})
		}
	}
	slices.SortFunc(gone, func(a, b Removal) int { return strings.Compare(a.Key, b.Key) })
	return gone, nil
}
