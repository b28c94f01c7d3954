package redact

import "strings"

// A scan is one pass over one text.
type scan struct {
	s        string
	finds    []span
	barriers []span // placeholders that are there already
	until    []int  // by rule: how far its last match reached
	generic  []genericFind
	prefixed span // the last match of an anchored rule; rule is its anchor as it stands in the text
}

// find returns the secrets of s, in order and disjoint.
func find(s string) []span {
	e := theEngine()
	var sc *scan // made at the first anchor: most texts have none
	skip := 0
	for i := e.words.candidate(s, 0); i >= 0; i = e.words.candidate(s, i+1) {
		if i < skip {
			continue
		}
		for w := e.words.first(s, i); w != 0; w = e.words.next[w-1] {
			word := e.words.words[w-1]
			if !hasPrefixFold(s[i:], word) {
				continue
			}
			if sc == nil {
				sc = &scan{s: s, until: make([]int, len(e.rules))}
			}
			if owner := int(e.owner[w-1]); owner < len(e.rules) {
				e.try(sc, owner, i, i+len(word))
			} else if end := placeholderEnd(s, i); end > 0 {
				sc.barriers = append(sc.barriers, span{start: i, end: end})
				skip = end
			}
		}
	}
	if f, ok := keyLine(s); ok {
		return []span{f}
	}
	if sc == nil {
		return nil
	}
	sc.settleGeneric()
	return disjoint(s, sc.finds, sc.barriers)
}

// add reports the secret s[start:end].
func (sc *scan) add(rule string, k rank, start, end int) {
	if start < end {
		sc.finds = append(sc.finds, span{start, end, rule, k})
	}
}

// try lets rule i look at its anchor, s[at:end].
func (e *engine) try(sc *scan, i, at, end int) {
	r := e.rules[i]
	if at < sc.until[i] || r.word && !startsWord(sc.s, at) {
		return
	}
	switch r.kind {
	case detected:
		r.detect(sc, at, end)
	case anchored:
		if p := sc.prefixed; p.start < at && at < p.end && strings.EqualFold(p.rule, sc.s[at:end]) {
			return // inside a token the same prefix begins no other
		}
		if start, stop, ok := e.match(sc.s, i, at, at+r.reach); ok {
			sc.add(r.id, specific, start, stop)
			sc.until[i] = stop
			sc.prefixed = span{start: at, end: stop, rule: sc.s[at:end]}
		}
	case assigned:
		e.tryAssigned(sc, i, at, end)
	case searched:
		e.trySearched(sc, i, at)
	}
}

// tryAssigned matches the value that is assigned to a vendor's name. A value of letters only is a word; a digest or UUID is
// an identity unless the name speaks of a credential.
func (e *engine) tryAssigned(sc *scan, i, at, end int) {
	r := e.rules[i]
	value, ok := assignment(sc.s, end)
	if !ok {
		return
	}
	start, stop, ok := e.match(sc.s, i, value, value+r.reach)
	if !ok || !strings.ContainsAny(sc.s[start:stop], "0123456789") {
		return
	}
	if hashLike(sc.s[start:stop]) && !namesCredential(sc.s[nameStart(sc.s, at):value]) {
		return
	}
	sc.add(r.id, named, start, stop)
	sc.until[i] = stop
}

// searchBefore is how far before its keyword a searched secret may begin.
const searchBefore = 64

func (e *engine) trySearched(sc *scan, i, at int) {
	r := e.rules[i]
	from := max(0, at-searchBefore)
	to := min(len(sc.s), at+r.reach)
	for from < to {
		start, end, ok := e.match(sc.s, i, from, to)
		if !ok {
			break
		}
		sc.add(r.id, specific, start, end)
		from = end
	}
	// The next search looks back far enough to see what straddles the end of this one.
	sc.until[i] = max(at+1, to-searchBefore)
}

// match runs the pattern of rule i on s[from:to] and returns the secret. A secret that goes on at the end of the window is
// followed to its end.
func (e *engine) match(s string, i, from, to int) (start, end int, ok bool) {
	to = min(to, len(s))
	m := e.compiled(i).FindStringSubmatchIndex(s[from:to])
	if m == nil {
		return 0, 0, false
	}
	start, end = from+m[0], from+m[1]
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			start, end = from+m[g], from+m[g+1]
			break
		}
	}
	if end == to {
		for end < len(s) && isToken(s[end]) {
			end++
		}
	}
	return start, end, e.isSecret(i, s[start:end])
}
