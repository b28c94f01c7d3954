package objects

import (
	"fmt"
	"slices"
	"time"
)

// candidate is an object in the light of what the records say of it.
type candidate struct {
	entry
	ref       Ref
	time      time.Time // by which its age counts
	protected bool
	why       string // it goes; empty if it stays
	spared    bool   // it would go if it were not protected
}

// plan fills the report with what is to go and returns the objects left that were
// stored plain and are big. It is a function of its arguments alone, so a dry run
// and a real run at the same instant agree.
func plan(entries []entry, live map[ID]Ref, o GCOptions, now, since time.Time, r *GCReport) (bulky []ID) {
	all := judge(entries, live, o, now, since)
	r.OverBudget = squeeze(all, o.MaxBytes)
	for _, c := range all {
		if c.spared {
			r.Protected++
		}
		if c.why != "" {
			r.Deleted = append(r.Deleted, Deletion{c.id, c.size, c.stored, c.time, c.why, c.ref.Captures})
			r.FreedBytes += c.stored
			continue
		}
		r.Kept++
		r.KeptBytes += c.stored
		if c.sound && c.codec == codecNone && c.size > smallMax {
			bulky = append(bulky, c.id)
		}
	}
	return bulky
}

// judge looks at each object by itself; one put since a capture in flight began is
// protected. The result is in order of age, oldest
// first, so that deletions come in that order too.
func judge(entries []entry, live map[ID]Ref, o GCOptions, now, since time.Time) []candidate {
	all := make([]candidate, len(entries))
	for i, e := range entries {
		ref, named := live[e.id]
		c := candidate{entry: e, ref: ref, time: e.mtime}
		if named && !ref.Newest.IsZero() {
			c.time = ref.Newest
		}
		inUse := !since.IsZero() && !e.mtime.Before(since)
		c.protected = ref.Pinned || ref.Evidence || inUse || now.Sub(e.mtime) <= o.Grace
		switch {
		case !named && c.protected: // not an orphan yet, simply new
		case !named:
			c.why = "no capture names it"
		case o.MaxAge > 0 && now.Sub(c.time) > o.MaxAge:
			c.condemn(fmt.Sprintf("older than %v", o.MaxAge))
		}
		all[i] = c
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if d := a.time.Compare(b.time); d != 0 {
			return d
		}
		return compareIDs(a.id, b.id)
	})
	return all
}

// condemn marks the object as one to go, or, if it is protected, as spared.
func (c *candidate) condemn(why string) {
	if c.protected {
		c.spared = true
	} else {
		c.why = why
	}
}

// squeeze condemns the oldest objects until the rest fits the budget, and returns
// by how much it still does not.
func squeeze(all []candidate, most int64) (over int64) {
	if most <= 0 {
		return 0
	}
	total := int64(0)
	for _, c := range all {
		if c.why == "" {
			total += c.stored
		}
	}
	for i := range all {
		c := &all[i]
		if total <= most {
			break
		}
		if c.why != "" {
			continue
		}
		if c.condemn(fmt.Sprintf("over the budget of %d bytes", most)); c.why != "" {
			total -= c.stored
		}
	}
	return max(0, total-most)
}
