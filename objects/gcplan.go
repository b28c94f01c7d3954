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
	carries   bool   // others are packed against it
}

// plan fills the report with what is to go and returns the objects left that were
// stored plain and are big. It is a function of its arguments alone, so a dry run
// and a real run at the same instant agree.
func plan(entries []entry, live map[ID]Ref, o GCOptions, now, since time.Time, r *GCReport) (bulky []ID) {
	all := judge(entries, live, o, now, since)
	squeeze(all, o.MaxBytes)
	r.OverBudget = uphold(all, o.MaxBytes)
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
	all, carried := make([]candidate, len(entries)), carry(entries, live)
	for i, e := range entries {
		ref, named := live[e.id]
		if by, ok := carried[e.id]; ok {
			all[i].carries = true
			ref, named = by, true
		}
		c := candidate{entry: e, ref: ref, time: e.mtime, carries: all[i].carries}
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
		if a.carries != b.carries { // what is packed against it goes first
			return map[bool]int{true: 1, false: -1}[a.carries]
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

// carry says of each object that others are packed against what the records know
// of it and of those: it is needed as long as any of them is.
func carry(entries []entry, live map[ID]Ref) map[ID]Ref {
	carried := map[ID]Ref{}
	for _, e := range entries {
		ref, named := live[e.id]
		if e.codec != codecPack || !named {
			continue
		}
		by, ok := carried[e.base]
		if !ok {
			by = live[e.base]
		}
		if ref.Newest.After(by.Newest) {
			by.Newest = ref.Newest
		}
		by.Pinned, by.Evidence = by.Pinned || ref.Pinned, by.Evidence || ref.Evidence
		carried[e.base] = by
	}
	return carried
}

// uphold keeps what the objects that stay are packed against, and says by how much
// what stays is over the budget.
func uphold(all []candidate, most int64) (over int64) {
	needed := map[ID]bool{}
	for _, c := range all {
		if c.why == "" && c.codec == codecPack {
			needed[c.base] = true
		}
	}
	total := int64(0)
	for i := range all {
		if c := &all[i]; c.why != "" && needed[c.id] {
			c.why, c.spared = "", true
		}
		if all[i].why == "" {
			total += all[i].stored
		}
	}
	if most <= 0 {
		return 0
	}
	return max(0, total-most)
}

// squeeze condemns the oldest objects until the rest fits the budget.
func squeeze(all []candidate, most int64) {
	if most <= 0 {
		return
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
}
