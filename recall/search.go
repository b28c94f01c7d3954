package recall

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"cairn/internal/place"
	"cairn/objects"
	"cairn/recall/index"
	"cairn/result"
)

// Found is one answer of a search: a finding, a command, or a line of an output.
type Found struct {
	Kind     string         `json:"kind"`              // finding, command or output
	Text     string         `json:"text"`              // the command, or a line of the output as "NUMBER: LINE"
	Finding  result.Finding `json:"finding,omitzero"`  // if Kind is finding
	Captures int            `json:"captures"`          // captures with the finding, of the command, or that printed the output
	Last     Sighting       `json:"last_seen"`         // the newest of these captures
	Context  []string       `json:"context,omitempty"` // for an output: the lines around, as "NUMBER- LINE"
	score    int
}

// Search is what to look for.
type Search struct {
	Text string // case matters only if it has a capital letter
	Filters
	// Outputs is how many outputs are searched, the newest first.
	Outputs int
}

// SearchReport says how far a search reached.
type SearchReport struct {
	Outputs   int // outputs that were searched
	Elsewhere int // outputs that are not in this clone
	More      int // older outputs that were not searched
	Left      int // answers beyond the limit
}

// maxOutput is how many bytes of one output are searched.
const maxOutput = 16 << 20

// Run searches commands, findings and outputs of all branches, worktrees and clones
// whose records are here. Findings come before commands, and commands before outputs;
// within each, answers that have the text as a whole word come first, then those found
// more often, then newer ones.
func (q Search) Run(ctx context.Context, s *place.Site) ([]Found, SearchReport, error) {
	chosen, err := understood(ctx, s, "search", q.Filters)
	if err != nil {
		return nil, SearchReport{}, err
	}
	x, err := openIndex(ctx, s, append(chosen.needs(), index.Findings, index.Commands)...)
	if err != nil {
		return nil, SearchReport{}, err
	}
	defer x.Close()
	w := &searcher{x: x, q: q, chosen: chosen, takes: chosen.selects(s, x), match: matcher(q.Text), findings: map[string]*tally{}, commands: map[string]*tally{}}
	if err := w.records(); err != nil {
		return nil, SearchReport{}, err
	}
	found, err := w.answers()
	if err != nil {
		return nil, SearchReport{}, err
	}
	var report SearchReport
	if q.Outputs > 0 {
		lines, r, err := w.outputs(ctx, s)
		if err != nil {
			return nil, r, err
		}
		found, report = append(found, lines...), r
	}
	slices.SortStableFunc(found, byOrder(q.Sort))
	if q.Limit > 0 && len(found) > q.Limit {
		report.Left, found = len(found)-q.Limit, found[:q.Limit]
	}
	return found, report, nil
}

// byOrder returns a comparison of answers. Without an order, the best come first.
func byOrder(order string) func(a, b Found) int {
	return func(a, b Found) int {
		first := 0
		switch order {
		case "newest":
			first = b.Last.Time.Compare(a.Last.Time)
		case "oldest":
			first = a.Last.Time.Compare(b.Last.Time)
		case "most":
			first = cmp.Compare(b.Captures, a.Captures)
		}
		return cmp.Or(first, cmp.Compare(b.score, a.score), b.Last.Time.Compare(a.Last.Time), strings.Compare(a.Text, b.Text))
	}
}

// tally counts the captures that have one text.
type tally struct {
	n    int
	last row
	f    findingRow
	at   row // the last row that was counted, so that none counts twice
}

func (t *tally) add(r row) {
	if t.n > 0 && t.at == r {
		return
	}
	t.n, t.at, t.last = t.n+1, r, r
}

type searcher struct {
	x                  *rows
	q                  Search
	chosen             *query
	takes              func(row) (bool, error) // nil: every capture
	match              func(string) bool
	findings, commands map[string]*tally
}

// records counts the commands and findings of all rows that match.
func (w *searcher) records() error {
	hits := w.hits(func(f findingRow) bool {
		return (w.match(f.Message) || w.match(f.ID) || w.match(f.Rule) || w.match(f.RuleName) || w.match(f.Location) || f.Fingerprint == w.q.Text) && w.chosen.mayHave(f)
	})
	any := map[*index.Segment]bool{}
	for s, set := range hits {
		any[s] = slices.Contains(set, true)
	}
	command := memo(w.match)
	may := w.x.Select(func(s *index.Segment, add func(i int)) {
		s.Having(hits[s], add)
		s.Being(index.Commands, w.match, add)
	})
	var failed error
	err := may.Each(false, takenRows(w.takes, &failed, func(s *index.Segment, i int) bool {
		if any[s] && s.HasAny(i, hits[s]) {
			for _, n := range s.Has(i) {
				if hits[s][n] {
					f := w.x.finding(s, n)
					count(w.findings, f.Fingerprint, row{s, i}).f = f
				}
			}
		}
		if command(s, s.Command(i)) {
			count(w.commands, s.Text(s.Command(i)), row{s, i})
		}
		return true
	}))
	return errors.Join(err, failed)
}

// hits are the findings for which want is true.
func (w *searcher) hits(want func(findingRow) bool) map[*index.Segment][]bool {
	rare := rarest(w.q.Text)
	switch {
	case strings.IndexFunc(w.q.Text, unicode.IsUpper) >= 0:
		return w.x.holding(w.q.Text, want)
	case rare < 0:
		return w.x.choose(want)
	}
	return w.x.chooseAmong(want, func(s *index.Segment, each func(at int)) { eachFold(s.FindingBytes(), w.q.Text, rare, each) })
}

func count(in map[string]*tally, text string, r row) *tally {
	t := in[text]
	if t == nil {
		t = &tally{}
		in[text] = t
	}
	t.add(r)
	return t
}

// Ranks of the classes of answers. They are so far apart that a class outweighs every other criterion.
const (
	rankFinding = 3000
	rankCommand = 2000
	rankOutput  = 1000
	rankWord    = 500
)

// answers makes answers of the tallies. Only the records of the best are read.
func (w *searcher) answers() ([]Found, error) {
	type candidate struct {
		Found
		last row
	}
	var all []candidate
	for _, t := range w.findings {
		f := t.f.finding()
		score := rankFinding + w.words(t.f.Message, t.f.ID, t.f.Rule) + bits.Len(uint(t.n))
		all = append(all, candidate{Found{Kind: "finding", Text: t.f.Fingerprint, Finding: f, Captures: t.n, score: score}, t.last})
	}
	for text, t := range w.commands {
		all = append(all, candidate{Found{Kind: "command", Text: text, Captures: t.n, score: rankCommand + w.words(text) + bits.Len(uint(t.n))}, t.last})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if w.q.Sort != "" { // the order needs the time, which the row has
			a.Last.Time, b.Last.Time = a.last.s.Time(a.last.i), b.last.s.Time(b.last.i)
			return byOrder(w.q.Sort)(a.Found, b.Found)
		}
		return cmp.Or(cmp.Compare(b.score, a.score), b.last.s.Time(b.last.i).Compare(a.last.s.Time(a.last.i)), strings.Compare(a.Text, b.Text))
	})
	found := make([]Found, 0, len(all))
	for i, c := range all {
		if w.q.Limit == 0 || i < w.q.Limit {
			at, _, err := w.x.sighting(c.last)
			if err != nil {
				return nil, err
			}
			c.Last = at
		} else {
			c.Last.Time = c.last.s.Time(c.last.i)
		}
		found = append(found, c.Found)
	}
	return found, nil
}

// words is rankWord if one of the texts has the search text as a whole word, else 0.
func (w *searcher) words(texts ...string) int {
	want := strings.ToLower(w.q.Text)
	for _, text := range texts {
		text = strings.ToLower(text)
		for from := 0; ; {
			i := strings.Index(text[from:], want)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(want)
			if (start == 0 || !wordByte(text[start-1])) && (end == len(text) || !wordByte(text[end])) {
				return rankWord
			}
			from = start + 1
		}
	}
	return 0
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// outputs searches the newest outputs that are in this clone, each object once.
func (w *searcher) outputs(ctx context.Context, s *place.Site) (found []Found, report SearchReport, err error) {
	seen := map[string]int{} // by object: its index in found, -1 if it has no match
	var failed error
	err = w.chosen.mayBe(w.x).Each(true, takenRows(w.takes, &failed, func(seg *index.Segment, i int) bool {
		if report.Outputs+report.Elsewhere >= w.q.Outputs {
			report.More++
			return true
		}
		rec, err := w.x.Record(seg, i)
		if failed = errors.Join(err, ctx.Err()); failed != nil {
			return false
		}
		oid := rawOf(rec)
		if at, known := seen[oid]; oid == "" || known {
			if known && at >= 0 {
				found[at].Captures++
			}
			return true
		}
		seen[oid] = -1
		line, around, err := w.output(s, oid)
		switch {
		case err != nil:
			report.Elsewhere++
			return true
		case line != "":
			r, _ := rec.Result() // the output is searched even without a result
			at := sightingOf(rec, r)
			seen[oid] = len(found)
			found = append(found, Found{Kind: "output", Text: line, Context: around, Captures: 1, Last: at, score: rankOutput + w.words(line)})
		}
		report.Outputs++
		return true
	}))
	return found, report, errors.Join(err, failed)
}

// output is the first line of an object that matches, and the lines around it.
func (w *searcher) output(s *place.Site, oid string) (line string, around []string, err error) {
	id, err := objects.ParseID(oid)
	if err != nil {
		return "", nil, err
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		return "", nil, err
	}
	defer obj.Close()
	text := make([]byte, min(obj.Size(), maxOutput))
	if _, err := obj.ReadAt(text, 0); err != nil && len(text) > 0 && int64(len(text)) < obj.Size() {
		return "", nil, err
	}
	lines := bytes.Split(text, []byte{'\n'})
	at := slices.IndexFunc(lines, func(l []byte) bool { return w.match(string(l)) })
	if at < 0 {
		return "", nil, nil
	}
	show := func(i int, behind string) string {
		l := hitLine{number: int64(i + 1), text: bytes.TrimRight(lines[i], "\r"), more: i == len(lines)-1 && int64(len(text)) < obj.Size()}
		return fmt.Sprintf("%d%s %s", i+1, behind, l.redacted().show(func(b []byte) bool { return w.match(string(b)) }, grepWidth))
	}
	for i := max(0, at-1); i < min(len(lines), at+2); i++ {
		if i != at && len(bytes.TrimSpace(lines[i])) > 0 {
			around = append(around, show(i, "-"))
		}
	}
	return show(at, ":"), around, nil
}
