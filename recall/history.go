package recall

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
	"cairn/result"
)

// rows is the index of a site, with what questions ask of it again and again.
type rows struct {
	*index.Index
	at map[*index.Segment]*rowTexts
}

// rowTexts is what is known of a segment's texts, by number: each is looked at
// once, however many rows have it.
type rowTexts struct {
	findings map[uint32]findingRow // those that were asked for
}

func openIndex(ctx context.Context, s *place.Site, groups ...[]int) (*rows, error) {
	x, err := openRows(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := x.Need(append(groups, index.Texts)...); err != nil {
		x.Close()
		return nil, err
	}
	return &rows{Index: x, at: map[*index.Segment]*rowTexts{}}, nil
}

// finding is a finding of a segment, by number.
func (x *rows) finding(s *index.Segment, n uint32) findingRow {
	t := x.at[s]
	if t == nil {
		t = &rowTexts{findings: map[uint32]findingRow{}}
		x.at[s] = t
	}
	f, known := t.findings[n]
	if !known {
		f = readFinding(s.Finding(n))
		t.findings[n] = f
	}
	return f
}

// choose gives, of each segment, the set of findings that want selects.
func (x *rows) choose(want func(findingRow) bool) map[*index.Segment][]bool {
	sets := map[*index.Segment][]bool{}
	for _, s := range x.Segments() {
		set := make([]bool, s.Findings())
		for n := range set {
			set[n] = want(readFinding(s.Finding(uint32(n))))
		}
		sets[s] = set
		s.Rest()
	}
	return sets
}

// holding is choose for findings whose text contains a word, in the case in which the
// word is written.
func (x *rows) holding(word string, want func(findingRow) bool) map[*index.Segment][]bool {
	return x.chooseAmong(want, func(s *index.Segment, each func(at int)) { eachIndex(s.FindingBytes(), []byte(word), each) })
}

// chooseAmong is choose for the findings at the places that candidates finds. candidates
// may find too many places, and the same place more than once.
func (x *rows) chooseAmong(want func(findingRow) bool, candidates func(s *index.Segment, each func(at int))) map[*index.Segment][]bool {
	sets := map[*index.Segment][]bool{}
	for _, s := range x.Segments() {
		set, looked := make([]bool, s.Findings()), -1
		candidates(s, func(at int) {
			n := s.FindingAt(at)
			if int(n) != looked && !set[n] {
				set[n], looked = want(readFinding(s.Finding(n))), int(n)
			}
		})
		sets[s] = set
		s.Rest()
	}
	return sets
}

// eachIndex finds every place of a word, one behind the other.
func eachIndex(text, word []byte, each func(at int)) {
	for at := 0; ; {
		i := bytes.Index(text[at:], word)
		if i < 0 {
			return
		}
		each(at + i)
		at += i + len(word)
	}
}

// having selects the rows that have one of these findings.
func (x *rows) having(sets map[*index.Segment][]bool) *index.Selection {
	return x.Select(func(s *index.Segment, add func(i int)) { s.Having(sets[s], add) })
}

// ofCommands selects the rows whose command key is one that is wanted.
func (x *rows) ofCommands(want func(key string) bool) *index.Selection {
	return x.Select(func(s *index.Segment, add func(i int)) { s.Being(index.Keys, want, add) })
}

// row is one row in its segment.
type row struct {
	s *index.Segment
	i int
}

func (r row) key() string { return r.s.Text(r.s.Key(r.i)) }

// where is where a row ran; tree is that of its commit if tracked files were as there, else
// that of all files if it is known, else "": of two runs on one commit the second may be
// known for one only.
func (r row) where() (branch, commit, tree string) {
	p := strings.SplitN(r.s.Text(r.s.Where(r.i)), part, 4)
	if len(p) < 4 {
		return "", "", ""
	}
	return p[0], p[1], cmp.Or(p[2], p[3])
}

// branch is the first that where gives, for one look only.
func (r row) branch() []byte {
	branch, _, _ := bytes.Cut(r.s.TextBytes(r.s.Where(r.i)), []byte(part))
	return branch
}

// tree is the last that where gives, for one look only.
func (r row) tree() []byte {
	_, rest, _ := bytes.Cut(r.s.TextBytes(r.s.Where(r.i)), []byte(part))
	_, trees, _ := bytes.Cut(rest, []byte(part))
	clean, found, _ := bytes.Cut(trees, []byte(part))
	if len(clean) > 0 {
		return clean
	}
	return found
}

func (r row) is(flag uint16) bool { return r.s.Flags(r.i)&flag != 0 }

func (r row) status() result.Status {
	status, _, _ := strings.Cut(r.s.Text(r.s.What(r.i)), part)
	return result.Status(status)
}

// proves says whether a row that does not show a finding proves it gone: what
// kept tests from running says nothing about tests.
func (r row) proves(test bool) bool { return r.is(rowProves) && !(test && r.is(rowStops)) }

// sighting reads the record of a row.
func (x *rows) sighting(r row) (Sighting, *manifest.Record, error) {
	rec, err := x.Record(r.s, r.i)
	if err != nil {
		return Sighting{}, nil, err
	}
	result, err := resultOf(rec)
	return sightingOf(rec, result), rec, err
}

// beginning lists what begins with a prefix: fingerprints, or groups.
func (x *rows) beginning(prefix string, of func(findingRow) string) (found []string) {
	for _, s := range x.Segments() {
		for n := range s.Findings() {
			if f := of(readFinding(s.Finding(uint32(n)))); strings.HasPrefix(f, prefix) && !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	slices.Sort(found)
	return found
}
