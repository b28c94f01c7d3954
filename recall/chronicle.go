package recall

import (
	"errors"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
	"cairn/result"
)

// chronicle makes a history in two passes over the rows: gather finds the captures that
// show the subject, follow what else their commands did.
type chronicle struct {
	x             *rows
	h             *History
	mayShow       *index.Selection // includes at least the rows for which shows is true
	shows         func(row) bool
	takes         func(row) (bool, error) // nil: every capture
	sub           *subject                // nil if the subject is a command
	test, command bool
	failed        error // the error that ended a pass early

	seen  []row
	keys  map[string]bool
	cures [][2]row
	since []row // later runs of the command that showed the subject last

	commands map[string]*command                    // by command key
	numbered map[*index.Segment]map[uint32]*command // by the number of the key's text in the segment
}

// line is the successive runs of one command on one branch.
type line struct {
	last  row
	shown bool // the last run that shows or disproves the subject showed it
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

// line is the line of this command to which a row belongs: the one of the row's branch.
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

// taken wraps visit so that it gets only the rows that the filters select.
func (c *chronicle) taken(visit func(s *index.Segment, i int) bool) func(s *index.Segment, i int) bool {
	return takenRows(c.takes, &c.failed, visit)
}

// takenRows wraps visit so that it gets only the rows that takes selects, or all if takes is nil. An error of takes is
// stored in failed and ends the walk.
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

// gather is the first pass: it collects the rows that show the subject, with their branches, agents and commands.
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

// follow is the second pass: it looks at all runs of the commands that showed the subject, for passes, cures and later
// runs.
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

// tell fills in the history; it reads only the records of the captures that the history names.
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

// latest sets the finding as the last capture that shows it has it.
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

// tellSince sets Since: the first later run of the command that proves the finding
// gone, or else the first later run.
func (c *chronicle) tellSince() (err error) {
	h := c.h
	h.RunsSince = len(c.since)
	if len(c.since) == 0 {
		return nil
	}
	first := c.since[0]
	for _, r := range c.since {
		gone := r.proves(c.test)
		if c.command {
			gone = r.status() == result.Passed || r.status() == result.OK
		}
		if gone {
			first, h.Gone = r, true
			break
		}
	}
	at, _, err := c.x.sighting(first)
	h.Since = &at
	return err
}

// companions sets With: the findings that are in every capture that shows this finding.
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

// finding is the part of a finding that the index holds.
func (f findingRow) finding() result.Finding {
	return result.Finding{
		Kind: result.FindingKind(f.Kind), Severity: result.Severity(f.Severity), ID: f.ID, Rule: f.Rule, RuleName: f.RuleName, Message: f.Message,
		Location: f.Location, Fingerprint: f.Fingerprint, Group: f.Group,
	}
}

// Whole is the result of a record with all that its line leaves out: the findings of
// the full result, and the texts around findings, which it gets by parsing the raw
// output again. If this version of the parser reads the output differently, the
// recorded findings stay, with the texts of equal findings. note says what is missing,
// and why.
func Whole(s *place.Site, rec *manifest.Record, r *result.ToolResult) (whole *result.ToolResult, note string) {
	if r == nil || rec.V < 2 || rec.ResultOID != "" {
		return Full(s, rec, r)
	}
	if s.Parse == nil {
		return r, ""
	}
	anew, err := s.Parse(rec)
	if err != nil {
		return r, "the details of findings are not here: " + err.Error()
	}
	if same(anew, r) {
		return anew, ""
	}
	return withTexts(r, anew), "this version reads the output in another way than was recorded: findings are as recorded, with the details of those that are the same"
}

// same says whether two results have the same verdict and the same findings.
func same(a, b *result.ToolResult) bool {
	return a.Status == b.Status && a.Tool == b.Tool && a.Summary == b.Summary &&
		slices.EqualFunc(a.Findings, b.Findings, func(x, y result.Finding) bool { return x.Fingerprint == y.Fingerprint })
}

// withTexts is the recorded result with the texts of those findings that anew has too.
func withTexts(recorded, anew *result.ToolResult) *result.ToolResult {
	type key struct {
		fingerprint string
		occurrence  int
	}
	found := make(map[key]result.Finding, len(anew.Findings))
	for _, f := range anew.Findings {
		found[key{f.Fingerprint, f.Occurrence}] = f
	}
	whole := *recorded
	whole.Findings = slices.Clone(recorded.Findings)
	for i, f := range whole.Findings {
		if g, ok := found[key{f.Fingerprint, f.Occurrence}]; ok {
			whole.Findings[i] = g
		}
	}
	return &whole
}

// resultOf is the result of a capture, with the results of those stages of its command
// line that have their own, so that a stage is found as a run of its own would be.
func resultOf(rec *manifest.Record) (*result.ToolResult, error) {
	r, err := rec.Result()
	if err != nil || r == nil {
		return r, err
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		if st.Status == "" {
			continue
		}
		of, err := st.Result()
		if err != nil {
			return nil, err
		}
		addStage(r, of)
	}
	return r, nil
}

// addStage adds the result of a stage to r. If r was recognised as no tool's output, as is usual for a line with
// stages, r takes the stage's tool.
func addStage(r, of *result.ToolResult) {
	if r.ParserConfidence == result.Untyped && of.ParserConfidence != result.Untyped {
		r.Tool, r.ToolFamily, r.Kind, r.Counts, r.ParserConfidence = of.Tool, of.ToolFamily, of.Kind, of.Counts, of.ParserConfidence
		r.Summary = of.Summary
		if r.Status == result.OK {
			r.Status = of.Status
		}
	} else if of.Tool != r.Tool {
		r.Parts = append(r.Parts, result.Part{Tool: of.Tool, Kind: of.Kind, Status: of.Status, Counts: of.Counts, ParserConfidence: of.ParserConfidence, Findings: len(of.Findings)})
	}
	for _, f := range of.Findings {
		if !slices.ContainsFunc(r.Findings, func(g result.Finding) bool { return g.Fingerprint == f.Fingerprint }) {
			r.Findings = append(r.Findings, f)
			r.Truncated.FindingsTotal++
			r.Truncated.FindingsShown++
		}
	}
}

// moreOf are the fingerprints of findings that only the full results hold, those of stages included.
func moreOf(rec *manifest.Record) []string {
	more := rec.More
	for n := 1; rec.Stage(n) != nil; n++ {
		more = slices.Concat(more, rec.Stage(n).More)
	}
	return more
}
