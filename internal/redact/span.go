package redact

import (
	"cmp"
	"slices"
)

// A span is a secret found: the bytes start to end of the text, and the rule that found it.
type span struct {
	start, end int
	rule       string
	rank       rank
}

// rank orders rules by how much they know; the higher one gives the placeholder its name.
type rank uint8

const (
	vague    rank = iota // a name and a random-looking value
	named                // a name that says whose secret it is, or a syntax that holds secrets
	specific             // the secret says itself what it is
)

// byPlace orders spans by their beginning, the longer and more specific first.
func byPlace(a, b span) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(b.rank, a.rank), cmp.Compare(a.rule, b.rule))
}

// disjoint sorts the finds, joins those that overlap, and takes the placeholders that are already there out of them.
func disjoint(s string, finds, barriers []span) []span {
	if len(finds) == 0 {
		return nil
	}
	slices.SortFunc(finds, byPlace)
	joined := finds[:1]
	for _, f := range finds[1:] {
		last := &joined[len(joined)-1]
		if f.start >= last.end {
			joined = append(joined, f)
			continue
		}
		last.end = max(last.end, f.end)
		if f.rank > last.rank {
			last.rule, last.rank = f.rule, f.rank
		}
	}
	if len(barriers) == 0 {
		return joined
	}
	return without(s, joined, barriers)
}

// without cuts the barriers out of the spans, both sorted and each disjoint in itself. What remains of a span is kept when
// it can still be a secret.
func without(s string, spans, barriers []span) []span {
	var out []span
	keep := func(f span, start, end int) {
		if start < end && alnums(s[start:end]) >= minRest {
			out = append(out, span{start, end, f.rule, f.rank})
		}
	}
	b := 0
	for _, f := range spans {
		for b < len(barriers) && barriers[b].end <= f.start {
			b++
		}
		if b == len(barriers) || barriers[b].start >= f.end {
			out = append(out, f)
			continue
		}
		from := f.start
		for i := b; i < len(barriers) && barriers[i].start < f.end; i++ {
			keep(f, from, barriers[i].start)
			from = barriers[i].end
		}
		keep(f, from, f.end)
	}
	return out
}

// minRest is how many letters and digits make the rest of a secret worth hiding.
const minRest = 6

func alnums(s string) int {
	n := 0
	for i := range len(s) {
		if isAlnum(s[i]) {
			n++
		}
	}
	return n
}
