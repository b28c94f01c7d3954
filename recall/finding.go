package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/recall/index"
	"cairn/result"
)

// A fingerprint as results show it, and the shortest beginning of one that is looked up.
const minPrefix, shownHex = filter.MinFingerprint, filter.MaxFingerprint

// History is what is known of one finding, of a group of them, or of the
// failures of one command.
type History struct {
	Subject     string         // what it is of: fingerprint, group, test, rule, file, command
	Name        string         // of that, in full
	Fingerprint string         // where there is one only; of a command its key
	Latest      result.Finding // as last seen; zero when only its fingerprint is in this clone
	First, Last Sighting
	Captures    int // in which it was seen
	Branches    []string
	Commands    []string // that showed it
	Agents      []string // who ran them
	// Since is a capture after Last of the same command. If one of them proves that the
	// finding is gone, Since is the first that does, and Gone is set; else it is the
	// first that does not show the finding.
	Since     *Sighting
	Gone      bool
	RunsSince int // captures of the same command after Last
	// Passes are the captures of those commands between First and Last that
	// prove it was not there.
	Passes int
	// Cures are the steps from one clean commit to another at which the finding went
	// away, newest first, at most maxCures of them. Cured counts all.
	Cures []Cure
	Cured int
	// With are other findings that were there in every capture that showed this one. They
	// are told only if there were at least two such captures.
	With []result.Finding
}

// Cure is a step after which a finding was gone.
type Cure struct {
	Before, After Sighting // the last run that shows it, the first that proves it gone
}

const (
	maxCures = 5
	maxWith  = 5
)

// Sighting is one capture in a history.
type Sighting struct {
	Run    string
	Time   time.Time
	Commit string
	Branch string
	Agent  string
	Status result.Status
}

// Finding gives the history of what a text names: a fingerprint or the beginning of one, a
// group, a test, a rule, or a file. A rule or a file is there as long as one finding of it
// is. The id of a run stands for its command: then the history is that of all its failures.
func Finding(ctx context.Context, s *place.Site, text string, f Filters) (*History, error) {
	q, err := understood(ctx, s, "finding", f)
	if err != nil {
		return nil, err
	}
	if rec := runNamed(ctx, s, text); rec != nil {
		return commandHistory(ctx, s, rec, q.captures())
	}
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Wheres, index.Whos, index.Commands, index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	sub, err := x.subjectOf(s, text, q)
	if err != nil {
		return nil, err
	}
	h := &History{Subject: sub.what, Name: sub.name}
	if len(sub.found) == 1 {
		h.Fingerprint = slices.Collect(maps.Keys(sub.found))[0]
	}
	c := &chronicle{x: x, h: h, sub: sub, test: sub.test, mayShow: x.having(sub.sets), shows: sub.shows, takes: q.captures().selects(s, x)}
	return c.write(s, fmt.Errorf("no capture that the filters leave has %s %s: %w", sub.what, sub.name, manifest.ErrNotFound))
}

// runNamed is the run that a text is the id of, or the beginning of one; nil if it is not an id.
// No fingerprint and no test looks like that.
func runNamed(ctx context.Context, s *place.Site, text string) *manifest.Record {
	const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	if len(text) < minPrefix || text[0] != '0' || strings.Trim(strings.ToUpper(text), crockford) != "" || filter.Hex(text, minPrefix, shownHex) {
		return nil
	}
	rec, err := s.Manifest.Find(ctx, text)
	if err != nil {
		return nil
	}
	return rec
}

// commandHistory gives the history of a command's failures; rec is a capture of it.
func commandHistory(ctx context.Context, s *place.Site, rec *manifest.Record, q *query) (*History, error) {
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Wheres, index.Whats, index.Whos, index.Commands, index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	c := &chronicle{x: x, h: &History{Subject: "command", Name: CommandLine(rec), Fingerprint: rec.Key}, command: true, takes: q.selects(s, x),
		mayShow: x.ofCommands(func(key string) bool { return key == rec.Key }), shows: func(r row) bool { return r.is(rowFails) && r.key() == rec.Key }}
	return c.write(s, fmt.Errorf("no capture of %q failed: %w", CommandLine(rec), manifest.ErrNotFound))
}

// chronicle makes a history in two passes over the rows: which captures show
// it, then what else their commands did.
type chronicle struct {
	x             *rows
	h             *History
	mayShow       *index.Selection // at least those of which shows is true
	shows         func(row) bool
	takes         func(row) (bool, error) // nil: every capture
	sub           *subject                // nil of a command
	test, command bool
	failed        error // what ended a pass early

	seen  []row
	keys  map[string]bool
	cures [][2]row
	since []row // of the last one's command, after it

	commands map[string]*command                    // by command key
	numbered map[*index.Segment]map[uint32]*command // by number of its text
}

// line is the runs of one command on one branch, one after the other.
type line struct {
	last  row
	shown bool // the last run that says anything showed it
}

// command is a command key, and its lines by branch.
type command struct {
	key   string
	lines map[string]*line
}

// of is the command of a row. Tens of thousands of rows share a few commands, so a
// command is looked up by the number that its text has in the segment.
func (c *chronicle) of(r row) *command {
	here, n := c.numbered[r.s], r.s.Key(r.i)
	if here == nil {
		here = map[uint32]*command{}
		c.numbered[r.s] = here
	}
	if here[n] == nil {
		key := r.key()
		if c.commands[key] == nil {
			c.commands[key] = &command{key, map[string]*line{}}
		}
		here[n] = c.commands[key]
	}
	return here[n]
}

// line is the line of a row of this command.
func (k *command) line(r row) *line {
	branch := r.branch()
	l := k.lines[string(branch)]
	if l == nil {
		l = &line{}
		k.lines[string(branch)] = l
	}
	return l
}

func (c *chronicle) write(s *place.Site, none error) (*History, error) {
	if err := errors.Join(c.mayShow.Each(false, c.taken(c.gather)), c.failed); err != nil {
		return nil, err
	}
	if len(c.seen) == 0 {
		return nil, none
	}
	c.commands, c.numbered = map[string]*command{}, map[*index.Segment]map[uint32]*command{}
	if err := errors.Join(c.x.ofCommands(func(key string) bool { return c.keys[key] }).Each(false, c.taken(c.follow)), c.failed); err != nil {
		return nil, err
	}
	return c.h, c.tell(s)
}

// taken is visit for the rows that the filters leave.
func (c *chronicle) taken(visit func(s *index.Segment, i int) bool) func(s *index.Segment, i int) bool {
	return takenRows(c.takes, &c.failed, visit)
}

// takenRows is visit for the rows that takes selects, all if it is nil. An error ends the walk.
func takenRows(takes func(row) (bool, error), failed *error, visit func(s *index.Segment, i int) bool) func(s *index.Segment, i int) bool {
	if takes == nil {
		return visit
	}
	return func(s *index.Segment, i int) bool {
		is, err := takes(row{s, i})
		if err != nil {
			*failed = err
			return false
		}
		return !is || visit(s, i)
	}
}

// gather is the first pass.
func (c *chronicle) gather(s *index.Segment, i int) bool {
	r := row{s, i}
	if !c.shows(r) {
		return true
	}
	if c.keys == nil {
		c.keys = map[string]bool{}
	}
	c.keys[r.key()] = true
	c.seen = append(c.seen, r)
	c.h.Captures++
	branch, _, _ := r.where()
	agent, _, _ := strings.Cut(s.Text(s.Who(i)), part)
	c.h.Branches, c.h.Agents = addNew(c.h.Branches, branch), addNew(c.h.Agents, agent)
	c.h.Commands = addNew(c.h.Commands, s.Text(s.Command(i)))
	return true
}

// follow is the second pass.
func (c *chronicle) follow(s *index.Segment, i int) bool {
	r := row{s, i}
	ran := c.of(r)
	if !c.keys[ran.key] {
		return true
	}
	shows, proves := c.shows(r), r.proves(c.test)
	if c.command {
		proves = !shows && (r.status() == result.Passed || r.status() == result.OK)
	}
	last, first := c.seen[len(c.seen)-1], c.seen[0]
	after := c.after(r, last)
	if after && ran.key == last.key() && ran.key != "" {
		c.since = append(c.since, r)
	}
	if !shows && proves && !after && c.after(r, first) {
		c.h.Passes++
	}
	l := ran.line(r)
	if l.shown && !shows && proves {
		if _, a, _ := l.last.where(); l.last.is(rowClean) && r.is(rowClean) {
			if _, b, _ := r.where(); a != b && a != "" && b != "" {
				c.cures = append(c.cures, [2]row{l.last, r})
			}
		}
	}
	if shows || proves {
		l.last, l.shown = r, shows
	}
	return true
}

// after says whether a row comes after another.
func (c *chronicle) after(r, than row) bool { return c.x.After(r.s, r.i, than.s, than.i) }

// tell reads the records of the few captures that are named.
func (c *chronicle) tell(s *place.Site) error {
	h, last := c.h, c.seen[len(c.seen)-1]
	var err error
	if h.First, _, err = c.x.sighting(c.seen[0]); err != nil {
		return err
	}
	var rec *manifest.Record
	if h.Last, rec, err = c.x.sighting(last); err != nil {
		return err
	}
	if !c.command {
		if err := c.latest(s, rec); err != nil {
			return err
		}
		c.companions()
	}
	if err := c.tellSince(); err != nil {
		return err
	}
	h.Cured = len(c.cures)
	for _, pair := range slices.Backward(c.cures[max(0, len(c.cures)-maxCures):]) {
		var cure Cure
		if cure.Before, _, err = c.x.sighting(pair[0]); err == nil {
			cure.After, _, err = c.x.sighting(pair[1])
		}
		if err != nil {
			return err
		}
		h.Cures = append(h.Cures, cure)
	}
	return nil
}

// latest takes the finding as its last capture has it.
func (c *chronicle) latest(s *place.Site, rec *manifest.Record) error {
	r, err := resultOf(rec)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(findingsOf(r), c.sub.is)
	if i < 0 {
		r, _ = Full(s, rec, r)
		i = slices.IndexFunc(findingsOf(r), c.sub.is)
	}
	if i >= 0 {
		c.h.Latest = r.Findings[i]
	}
	return nil
}

// tellSince fills in Since: the first later run of the command that proves the finding
// gone, or else the first later run.
func (c *chronicle) tellSince() (err error) {
	h := c.h
	h.RunsSince = len(c.since)
	if len(c.since) == 0 {
		return nil
	}
	first := c.since[0]
	for _, r := range c.since {
		if proves := r.proves(c.test); !c.command && proves || c.command && (r.status() == result.Passed || r.status() == result.OK) {
			first, h.Gone = r, true
			break
		}
	}
	at, _, err := c.x.sighting(first)
	h.Since = &at
	return err
}

// companions are the findings that are in every capture that shows this finding.
func (c *chronicle) companions() {
	if len(c.seen) < 2 {
		return
	}
	count, example := map[string]int{}, map[string]findingRow{}
	for _, r := range c.seen {
		here := map[string]bool{}
		for _, n := range r.s.Has(r.i) {
			f := c.x.finding(r.s, n)
			if c.sub.is(f.finding()) || here[f.Fingerprint] {
				continue
			}
			here[f.Fingerprint], example[f.Fingerprint] = true, f
			count[f.Fingerprint]++
		}
	}
	for fingerprint, n := range count {
		if n == len(c.seen) {
			f := example[fingerprint]
			c.h.With = append(c.h.With, f.finding())
		}
	}
	slices.SortFunc(c.h.With, func(a, b result.Finding) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
	c.h.With = c.h.With[:min(len(c.h.With), maxWith)]
}

// finding is as much of a finding as the index has.
func (f findingRow) finding() result.Finding {
	return result.Finding{
		Kind: result.FindingKind(f.Kind), Severity: result.Severity(f.Severity), ID: f.ID, Rule: f.Rule, RuleName: f.RuleName, Message: f.Message,
		Location: f.Location, Fingerprint: f.Fingerprint, Group: f.Group,
	}
}

// wholeFingerprint completes a prefix.
func wholeFingerprint(ctx context.Context, s *place.Site, prefix string) (string, error) {
	if len(prefix) == shownHex {
		return prefix, nil
	}
	x, err := openIndex(ctx, s, index.Findings)
	if err != nil {
		return "", err
	}
	defer x.Close()
	switch found := x.beginning(prefix, func(f findingRow) string { return f.Fingerprint }); len(found) {
	case 0:
		return "", fmt.Errorf("no finding's fingerprint begins with %s: %w", prefix, manifest.ErrNotFound)
	case 1:
		return found[0], nil
	default:
		return "", ambiguous.New(prefix, found)
	}
}

func sightingOf(rec *manifest.Record, r *result.ToolResult) Sighting {
	at := Sighting{Run: rec.ID, Time: rec.Time}
	if rec.Git != nil {
		at.Commit, at.Branch = rec.Git.Commit, rec.Git.Branch
	}
	if rec.By != nil {
		at.Agent = rec.By.Agent
	}
	if r != nil {
		at.Status = r.Status
	}
	return at
}

func addNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Command is a capture's command as one line.
func Command(rec *manifest.Record) string {
	if rec.Shell != "" {
		return rec.Shell
	}
	return strings.Join(rec.Argv, " ")
}
