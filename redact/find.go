package redact

import (
	"cmp"
	"slices"
	"strings"
)

// A scan is one pass over one text.
type scan struct {
	s        string
	engine   *engine
	finds    []span
	barriers []span // placeholders already in s
	until    []int  // by rule: where its last match ended
	generic  []genericFind
	prefixed span   // the last match of an anchored rule; its rule is the anchor as written in the text
	rest     span   // the bytes that whole skipped last
	manifest int    // up to where detectKube has searched
	table    [2]int // the rows that column has read
	view     *view  // the view that s belongs to, or nil
}

// find returns the secrets of s, sorted and disjoint: those in the text as it is and those in its view.
func find(s string) []span {
	e := theEngine()
	finds, barriers := e.scan(s, nil)
	v := viewOf(s)
	if v == nil {
		return disjoint(s, finds, barriers)
	}
	seen, _ := e.scan(v.s, v)
	for _, f := range seen {
		f.start, f.end = v.raw(f.start, f.end)
		finds = append(finds, f)
	}
	return disjoint(s, finds, barriers)
}

// scan returns the secrets of s and the placeholders that it already has.
func (e *engine) scan(s string, v *view) (finds, barriers []span) {
	var sc *scan // at the first anchor: most texts have none
	skip := 0
	for i, h := e.words.candidate(s, 0); i >= 0; i, h = e.words.candidate(s, i+1) {
		if i < skip {
			continue
		}
		for w := e.words.first(h); w != 0; w = e.words.after(w) {
			word := e.words.words[w-1]
			if !hasPrefixFold(s[i:], word) {
				continue
			}
			if sc == nil {
				sc = &scan{s: s, engine: e, until: make([]int, len(e.rules)), view: v}
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
		return []span{f}, nil
	}
	for start, end := longWord(s, 0); end > 0; start, end = longWord(s, end) {
		if sc == nil {
			sc = &scan{s: s, engine: e, view: v}
		}
		sc.long(start, end)
	}
	if sc == nil {
		return nil, nil
	}
	sc.addGeneric()
	return sc.finds, sc.barriers
}

// startsWord says whether a word begins at s[i]. A word also begins where the view left something out.
func (sc *scan) startsWord(i int) bool {
	return startsWord(sc.s, i) || sc.view != nil && sc.view.cutAt(i)
}

// add reports the secret s[start:end].
func (sc *scan) add(rule string, k rank, start, end int) {
	if end-start >= maxValue {
		end = sc.whole(end)
	}
	if start < end {
		sc.finds = append(sc.finds, span{start, end, rule, k})
	}
}

// whole returns where a value ends whose first maxValue bytes, which were judged, end at s[end]: the rest of a secret
// is secret, however long. Bytes skipped once are not read again.
func (sc *scan) whole(end int) int {
	if sc.rest.start <= end && end < sc.rest.end {
		return sc.rest.end
	}
	sc.rest = span{start: end, end: end}
	for i := end; i < len(sc.s) && !endsBareValue(sc.s[i]) && !strings.HasPrefix(sc.s[i:], placeholderStart); i++ {
		sc.rest.end = i + 1
	}
	return sc.rest.end
}

// try lets rule i check its anchor, s[at:end].
func (e *engine) try(sc *scan, i, at, end int) {
	r := e.rules[i]
	if at < sc.until[i] {
		return
	}
	joined := r.word && !sc.startsWord(at)
	if joined && (r.kind != anchored || sc.s[at-1] != '_') {
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
			if v := sc.s[start:stop]; (joined || r.ends && isJoint(sc.s, stop)) && !hasLetterAndDigit(v) && !isRandomLetters(lastPart(v)) {
				return // test_sk_test_connection
			}
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

// isJoint says whether s[i] can join a token to a longer name.
func isJoint(s string, i int) bool { return i < len(s) && strings.IndexByte("_-.+=", s[i]) >= 0 }

// lastPart is the part of a token after its last joint.
func lastPart(v string) string { return v[strings.LastIndexAny(v, "_-.")+1:] }

// tryAssigned matches the value assigned to a vendor's name. A value of letters only is a word; a digest or UUID is an
// identity, unless the name suggests a credential.
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
	// The next search starts early enough to see a secret that lies across this one's end.
	sc.until[i] = max(at+1, to-searchBefore)
}

// match runs the pattern of rule i on s[from:to] and returns the secret. A secret at the end of the window is followed
// to its end.
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

// A span is a secret that was found: bytes start to end of the text, and the rule that found it.
type span struct {
	start, end int
	rule       string
	rank       rank
}

// rank orders rules by how specific they are; of joined spans, the highest rank names the placeholder.
type rank uint8

const (
	vague    rank = iota // a name and a random-looking value
	named                // a name that says whose secret it is, or a syntax that holds secrets
	specific             // the secret itself shows what it is
)

// byPlace orders spans by their beginning; longer ones and those of higher rank come first.
func byPlace(a, b span) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(b.rank, a.rank), cmp.Compare(a.rule, b.rule))
}

// disjoint sorts the finds, joins overlapping ones, and removes placeholders that are already in the text from them.
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

// without cuts the barriers out of the spans; both are sorted and disjoint. The rest of a span is kept if it can still
// be a secret.
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

// minRest is how many letters and digits the rest of a secret needs to be redacted.
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
