package recall

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/recall/index"
	"cairn/result"
)

// subject is what a history is about: one finding by its fingerprint, one group, one test
// by its name, or all findings of a rule or of a file.
type subject struct {
	what  string // fingerprint, group, test, rule or file
	name  string // in full
	found map[string]bool
	sets  map[*index.Segment][]bool // its findings, by number
	test  bool                      // one of its findings is a failed test
}

// subjectOf finds the subject that a text names, among the findings that q selects.
func (x *rows) subjectOf(s *place.Site, text string, q *query) (*subject, error) {
	if filter.Hex(text, minPrefix, shownHex) {
		sub, err := x.byHash(strings.ToLower(text), q)
		if err != nil || sub != nil {
			return sub, err
		}
	}
	c := x.candidates(s, text, q)
	what, name, is := c.best()
	if is == nil || text == "" {
		return nil, fmt.Errorf("%q is no fingerprint, test, rule or file of a finding on record: %w", text, manifest.ErrNotFound)
	}
	if what == "test" && !c.glob {
		if names := c.names(); len(names) > 1 {
			return nil, ambiguous.New(text, names)
		} else if len(names) == 1 {
			name = names[0]
		}
	}
	return x.subject(what, name, func(f findingRow) bool { return q.mayHave(f) && !f.undescribed() && is(f) }, c.word()), nil
}

// byHash is the subject whose fingerprint or group is id or begins with it; nil if none
// exists.
func (x *rows) byHash(id string, q *query) (*subject, error) {
	for _, kind := range []struct {
		what string
		of   func(findingRow) string
	}{{"fingerprint", func(f findingRow) string { return f.Fingerprint }}, {"group", func(f findingRow) string { return f.Group }}} {
		whole := id
		if len(id) < shownHex {
			found := x.beginning(id, kind.of)
			if len(found) > 1 {
				return nil, ambiguous.New(id, found)
			}
			if len(found) == 0 {
				continue
			}
			whole = found[0]
		}
		if sub := x.subject(kind.what, whole, func(f findingRow) bool { return kind.of(f) == whole && q.mayHave(f) }, whole); len(sub.found) > 0 {
			return sub, nil
		}
	}
	return nil, nil
}

// subject makes a subject of the findings for which is is true. word, if not "", is a
// text that all of them contain, so that other findings need not be decoded.
func (x *rows) subject(what, name string, is func(findingRow) bool, word string) *subject {
	sub := &subject{what: what, name: name, found: map[string]bool{}}
	want := func(f findingRow) bool {
		if !is(f) {
			return false
		}
		sub.found[f.Fingerprint] = true
		sub.test = sub.test || f.Kind == string(result.TestFailure) || f.Kind == ""
		return true
	}
	if word == "" {
		sub.sets = x.choose(want)
	} else {
		sub.sets = x.holding(word, want)
	}
	return sub
}

// shows says whether a row has a finding of the subject.
func (sub *subject) shows(r row) bool { return r.s.HasAny(r.i, sub.sets[r.s]) }

// is says whether a finding belongs to the subject.
func (sub *subject) is(f result.Finding) bool {
	return sub.found[f.Fingerprint] || sub.what == "group" && f.Group == sub.name
}

// candidates are the findings that a text may name, by the way in which it names them.
type candidates struct {
	text             string
	glob             bool
	files            filter.Patterns
	tests, ends      map[string]bool // ids that equal the text, and ids that end with it
	hasRule, hasFile bool
}

// candidates looks at all findings once to see what text may name.
func (x *rows) candidates(s *place.Site, text string, q *query) *candidates {
	c := &candidates{text: text, glob: strings.ContainsAny(text, "*?"), tests: map[string]bool{}, ends: map[string]bool{}}
	if chosen, err := (Filters{File: filter.One(text)}).Read("finding", s.Manifest.Horizon()); err == nil {
		c.files = chosen.File.Rebased(func(name string) string { return pathBelow(s, name) })
	}
	look := func(f findingRow) bool {
		if !q.mayHave(f) || f.undescribed() {
			return false
		}
		switch {
		case f.ID == "":
		case c.isTest(f):
			c.tests[f.ID] = true
		case c.endsTest(f):
			c.ends[f.ID] = true
		}
		c.hasRule = c.hasRule || c.isRule(f)
		c.hasFile = c.hasFile || c.isFile(f)
		return false
	}
	if word := c.word(); word != "" {
		x.holding(word, look)
	} else {
		x.choose(look)
	}
	return c
}

// word is a text that all these findings contain; "" if none exists for sure.
func (c *candidates) word() string {
	if plain := c.files.Plain(); c.glob || len(plain) == 1 && plain[0] != c.text {
		return ""
	}
	return c.text
}

func (c *candidates) isTest(f findingRow) bool {
	return f.ID == c.text || c.glob && filter.Match(c.text, f.ID)
}

// endsTest says whether the text is the last words of a test's id, as "test_login" is
// of "tests/test_a.py::test_login".
func (c *candidates) endsTest(f findingRow) bool {
	at := len(f.ID) - len(c.text)
	return at > 0 && f.ID[at:] == c.text && !wordByte(f.ID[at-1])
}

func (c *candidates) isRule(f findingRow) bool { return f.Rule == c.text || f.RuleName == c.text }

func (c *candidates) isFile(f findingRow) bool {
	return len(c.files) > 0 && f.namesFile(c.files)
}

// best is the best reading of the text: a whole name before a part of one.
func (c *candidates) best() (what, name string, is func(findingRow) bool) {
	switch {
	case len(c.tests) > 0:
		return "test", c.text, c.isTest
	case c.hasRule:
		return "rule", c.text, c.isRule
	case c.hasFile:
		return "file", c.text, c.isFile
	case len(c.ends) > 0:
		return "test", c.text, c.endsTest
	}
	return "", "", nil
}

// names are the ids of the tests that the text may name.
func (c *candidates) names() []string {
	if len(c.tests) > 0 {
		return slices.Sorted(maps.Keys(c.tests))
	}
	return slices.Sorted(maps.Keys(c.ends))
}

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
