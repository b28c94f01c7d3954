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

// rows is the index of a site, with the findings that were decoded already.
type rows struct {
	*index.Index
	at map[*index.Segment]*rowTexts
}

// rowTexts is a segment's decoded findings, so that each is decoded once, however many
// rows have it.
type rowTexts struct {
	findings map[uint32]findingRow // by number
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

// finding is the finding with number n of a segment.
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

// choose gives, for each segment, the set of findings for which want is true.
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

// holding is choose for findings whose text contains word, case-sensitively.
func (x *rows) holding(word string, want func(findingRow) bool) map[*index.Segment][]bool {
	return x.chooseAmong(want, func(s *index.Segment, each func(at int)) { eachIndex(s.FindingBytes(), []byte(word), each) })
}

// chooseAmong is choose for the findings at the byte offsets that candidates reports.
// candidates may report too many offsets, and the same one more than once.
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

// eachIndex calls each with every offset of word in text, without overlaps.
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

// having selects the rows that have a finding of these sets.
func (x *rows) having(sets map[*index.Segment][]bool) *index.Selection {
	return x.Select(func(s *index.Segment, add func(i int)) { s.Having(sets[s], add) })
}

// ofCommands selects the rows for whose command key want is true.
func (x *rows) ofCommands(want func(key string) bool) *index.Selection {
	return x.Select(func(s *index.Segment, add func(i int)) { s.Being(index.Keys, want, add) })
}

// row is row number i of a segment.
type row struct {
	s *index.Segment
	i int
}

func (r row) key() string { return r.s.Text(r.s.Key(r.i)) }

// where is the branch, commit and tree of a row. tree is that of the commit if no
// tracked file was changed, else that of all files if it is known, else "". Of two runs
// on one commit, only one may have the tree of all files.
func (r row) where() (branch, commit, tree string) {
	p := strings.SplitN(r.s.Text(r.s.Where(r.i)), part, 4)
	if len(p) < 4 {
		return "", "", ""
	}
	return p[0], p[1], cmp.Or(p[2], p[3])
}

// branch is the branch that where gives, without a copy: valid until the index is closed.
func (r row) branch() []byte {
	branch, _, _ := bytes.Cut(r.s.TextBytes(r.s.Where(r.i)), []byte(part))
	return branch
}

// tree is the tree that where gives, without a copy: valid until the index is closed.
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

// proves says whether a row that does not show a finding proves it gone. test is true
// for a finding of a test: then nothing may have kept tests from running.
func (r row) proves(test bool) bool { return r.is(rowProves) && !(test && r.is(rowStops)) }

// sighting reads the record of a row and makes a Sighting of it.
func (x *rows) sighting(r row) (Sighting, *manifest.Record, error) {
	rec, err := x.Record(r.s, r.i)
	if err != nil {
		return Sighting{}, nil, err
	}
	result, err := resultOf(rec)
	return sightingOf(rec, result), rec, err
}

// beginning lists the distinct values of of (fingerprints or groups) that begin with prefix.
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
