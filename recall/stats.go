package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
	"cairn/result"
)

// Stats counts what was run in a period.
type Stats struct {
	From, To time.Time // of the first and the last capture
	Total    Counted
	Tools    []Counted // by number of captures
	Commands []Counted // by number of captures
	Weeks    []Counted // oldest first, empty weeks included
	Raw      int64     // bytes printed
	Shown    int64     // bytes of the compact forms
	Newest   []string  // run ids, newest first, as a sample
	Tests    Durations
}

// Counted counts the captures with one name.
type Counted struct {
	Name     string
	Captures int
	Good     int // passed or ok
	Failed   int
	Error    int // captures that could not run to their end
	Unknown  int
	Duration int64 // total, in milliseconds
	Longest  int64
	Raw      int64
	Shown    int64
}

// Mean is the mean duration in milliseconds.
func (c Counted) Mean() int64 {
	if c.Captures == 0 {
		return 0
	}
	return c.Duration / int64(c.Captures)
}

// maxSample is how many run ids Newest has.
const maxSample = 200

// StatsOf counts the captures that the filters select; each run counts once, even if
// several shards have it.
func StatsOf(ctx context.Context, s *place.Site, f Filters) (*Stats, error) {
	q, err := understood(ctx, s, "stats", f)
	if err != nil {
		return nil, err
	}
	x, err := openIndex(ctx, s, append(q.needs(), index.Commands, index.Whats, index.Numbers)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	t := &totals{horizon: s.Manifest.Horizon(), per: map[*index.Segment]*segmentTotals{}, weeks: map[int64]*Counted{}}
	takes := q.selects(s, x)
	var failed error
	if err := errors.Join(q.mayBe(x).Each(false, takenRows(takes, &failed, t.add)), failed); err != nil {
		return nil, err
	}
	out := t.stats(q.Sort)
	err = q.mayBe(x).Each(true, takenRows(takes, &failed, func(s *index.Segment, i int) bool {
		rec, err := x.Record(s, i)
		if err != nil {
			return false
		}
		out.Newest = append(out.Newest, rec.ID)
		return len(out.Newest) < maxSample
	}))
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	over, err := q.testsIn(ctx, s, nil)
	if err == nil {
		out.Tests = over.durations()
	}
	return out, err
}

// SessionOf counts the captures of one session of an agent.
func SessionOf(ctx context.Context, s *place.Site, session string) (total Counted, err error) {
	q := manifest.Query{Contains: [][]byte{manifest.Literal("session", session)}}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return total, err
		}
		if rec.Type != manifest.TypeCapture || rec.By == nil || rec.By.Session != session {
			continue
		}
		row, err := rowOf(rec)
		if err != nil {
			continue // no count of records includes it
		}
		total.count(classOf(row.What), row.Duration, row.Raw, row.Shown)
	}
	return total, nil
}

// totals adds up by the numbers of texts, and reads the texts themselves at the end.
type totals struct {
	horizon time.Time // captures after it are counted, but in no week
	per     map[*index.Segment]*segmentTotals
	last    *index.Segment
	current *segmentTotals
	weeks   map[int64]*Counted
	week    int64
	inWeek  *Counted // the entry of week
	from    time.Time
	to      time.Time
}

// segmentTotals counts captures by the number of a text.
type segmentTotals struct {
	commands, tools byText
	class           []byte // by number of a what text: 'p', 'f', 'e', 'u'; 0 if not read yet
}

// byText counts by text within a segment. Only texts that were counted have an entry,
// since most texts of a segment are of other columns.
type byText struct {
	at     []uint32 // by number of the text: its index in counts plus 1; 0 means none
	counts []Counted
	texts  []uint32 // number of the text of each of counts
}

func (b *byText) of(text uint32) *Counted {
	if b.at[text] == 0 {
		b.counts, b.texts = append(b.counts, Counted{}), append(b.texts, text)
		b.at[text] = uint32(len(b.counts))
	}
	return &b.counts[b.at[text]-1]
}

func (t *totals) add(s *index.Segment, i int) bool {
	at := s.Time(i)
	if s != t.last {
		if t.current = t.per[s]; t.current == nil {
			n := s.Texts()
			t.current = &segmentTotals{commands: byText{at: make([]uint32, n)}, tools: byText{at: make([]uint32, n)}, class: make([]byte, n)}
			t.per[s] = t.current
		}
		t.last = s
	}
	future := !at.Before(t.horizon)
	if !future {
		if t.from.IsZero() {
			t.from = at
		}
		t.to = at
	}
	what := s.What(i)
	class := t.current.class[what]
	if class == 0 {
		class = classOf(s.Text(what))
		t.current.class[what] = class
	}
	duration, raw, shown := s.Duration(i), s.Raw(i), s.Shown(i)
	t.current.commands.of(s.Command(i)).count(class, duration, raw, shown)
	t.current.tools.of(what).count(class, duration, raw, shown)
	if future {
		return true
	}
	if week := weekOf(at); week != t.week || t.inWeek == nil {
		if t.week, t.inWeek = week, t.weeks[week]; t.inWeek == nil {
			t.inWeek = &Counted{}
			t.weeks[week] = t.inWeek
		}
	}
	t.inWeek.count(class, duration, raw, shown)
	return true
}

// weekOf is the number of the week since 1970, from Monday on; 1970 began on a Thursday.
func weekOf(at time.Time) int64 { return (at.Unix()/86400 + 3) / 7 }

func classOf(what string) byte {
	status, _, _ := strings.Cut(what, part)
	switch result.Status(status) {
	case result.Passed, result.OK:
		return 'p'
	case result.Failed:
		return 'f'
	case result.Error:
		return 'e'
	}
	return 'u'
}

func (c *Counted) count(class byte, duration, raw, shown int64) {
	c.Captures++
	switch class {
	case 'p':
		c.Good++
	case 'f':
		c.Failed++
	case 'e':
		c.Error++
	default:
		c.Unknown++
	}
	c.Duration, c.Longest = c.Duration+duration, max(c.Longest, duration)
	c.Raw, c.Shown = c.Raw+raw, c.Shown+shown
}

func (c *Counted) merge(o *Counted) {
	c.Captures, c.Good, c.Failed, c.Error, c.Unknown = c.Captures+o.Captures, c.Good+o.Good, c.Failed+o.Failed, c.Error+o.Error, c.Unknown+o.Unknown
	c.Duration, c.Longest = c.Duration+o.Duration, max(c.Longest, o.Longest)
	c.Raw, c.Shown = c.Raw+o.Raw, c.Shown+o.Shown
}

// stats makes Stats of the totals, with names in place of numbers.
func (t *totals) stats(order string) *Stats {
	out := &Stats{From: t.from, To: t.to}
	tools, commands := map[string]*Counted{}, map[string]*Counted{}
	into := func(all map[string]*Counted, name string, c *Counted) {
		all[name] = cmp.Or(all[name], &Counted{Name: name})
		all[name].merge(c)
	}
	for s, seg := range t.per {
		for i, n := range seg.tools.texts {
			p := strings.SplitN(s.Text(n)+part+part, part, 4)
			tool, _, _ := strings.Cut(p[2], also)
			into(tools, cmp.Or(tool, "(none)"), &seg.tools.counts[i])
			out.Total.merge(&seg.tools.counts[i])
		}
		for i, n := range seg.commands.texts {
			into(commands, cmp.Or(s.Text(n), "(no command)"), &seg.commands.counts[i])
		}
	}
	out.Tools, out.Commands, out.Weeks = ordered(tools, order), ordered(commands, order), t.inWeeks()
	out.Raw, out.Shown = out.Total.Raw, out.Total.Shown
	return out
}

// ordered lists all by the order asked for, or by the number of captures.
func ordered(all map[string]*Counted, order string) []Counted {
	by := map[string]func(Counted) int64{
		"failing": func(c Counted) int64 { return int64(c.Captures - c.Good) }, "slowest": Counted.Mean,
		"largest": func(c Counted) int64 { return c.Raw }, "name": func(Counted) int64 { return 0 },
	}[order]
	if by == nil {
		by = func(c Counted) int64 { return int64(c.Captures) }
	}
	list := make([]Counted, 0, len(all))
	for _, c := range all {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Counted) int { return cmp.Or(cmp.Compare(by(b), by(a)), strings.Compare(a.Name, b.Name)) })
	return list
}

// inWeeks lists all weeks from the first to the last, each named by its Monday.
func (t *totals) inWeeks() (list []Counted) {
	if t.from.IsZero() {
		return nil
	}
	first, last := weekOf(t.from), weekOf(t.to)
	for w := first; w <= last; w++ {
		c := Counted{}
		if t.weeks[w] != nil {
			c = *t.weeks[w]
		}
		c.Name = time.Unix((w*7-3)*86400, 0).UTC().Format("2006-01-02")
		list = append(list, c)
	}
	return list
}
