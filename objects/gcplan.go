package objects

import (
	"fmt"
	"slices"
	"time"
)

// candidate is an object and what the records say about it.
type candidate struct {
	entry
	ref       Ref
	time      time.Time // from which its age counts
	protected bool
	why       string // why it is removed; "" if it stays
	spared    bool   // it would be removed if it were not protected
	carries   bool   // others are packed against it
}

// plan fills in the report with the objects to remove, and returns the remaining ones
// that are big and uncompressed. It depends only on its arguments, so that a dry run
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

// judge judges each object by itself; an object put since a capture in flight began is
// protected. The result is in order of age, oldest first, so that deletions come in
// that order too.
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
		case !named && c.protected: // new, and not an orphan yet
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
		if a.carries != b.carries { // objects that are packed against another are removed before it
			return map[bool]int{true: 1, false: -1}[a.carries]
		}
		return compareIDs(a.id, b.id)
	})
	return all
}

// condemn marks the object for removal, or, if it is protected, as spared.
func (c *candidate) condemn(why string) {
	if c.protected {
		c.spared = true
	} else {
		c.why = why
	}
}

// carry joins, for each base, what the records say about it and about the objects
// packed against it, since a base is needed as long as any of them is.
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

// uphold keeps the bases of the objects that stay, and returns how far the rest is over
// the budget, in bytes.
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
