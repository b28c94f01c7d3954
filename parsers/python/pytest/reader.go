package pytest

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// reader follows the runs in an output, those of each stream by themselves: pytest
// prints a run to one of them, and what comes on the other must not cut its lines.
type reader struct {
	files    *place.Files
	quiet    bool // no counts are printed: those in what a test printed are its own
	picks    bool // a search picked single lines of the output
	most     int  // failures that are kept
	budget   int  // bytes of detail that may still be kept
	troubles troubles
	over     *block // stands for all blocks that are too many
	runs     []*run

	cur   *run        // the last run of this stream; closed when its counts were seen
	stray run         // has the lines of a summary whose heading was cut off, as by "| tail"
	since tool.Report // covers the lines that came since a run was open
}

// maxRuns bounds how many runs of one output are told apart, maxGaps how often the
// streams may alternate where no run is open and be told apart.
const (
	maxRuns = 1000
	maxGaps = 1 << 16
)

func parse(in *tool.Input) *tool.Report {
	c, files := in.Command(), place.NewFiles(in.Workspace)
	r := &reader{files: files, quiet: quietTwice(c.Argv), picks: c.Picked(isPytest), budget: lex.DetailBudget, troubles: troubles{files: files}, most: in.Most(), stray: run{most: in.Most()}}
	return read.Text{Line: r.line, Passes: r.passes, Turn: r.turn, End: r.end, Closes: true}.Parse(in)
}

// run is one run of pytest as far as it has been read.
type run struct {
	start, end int64
	width      int  // of its rules; 0 until one was seen
	header     bool // "test session starts" was there: not -q
	version    string

	most     int
	section  section
	block    *block // the open one
	captured bool   // in the captured output of a block
	tainted  bool   // a rule was accepted in captured output
	sugar    bool   // pytest-sugar prints it
	nested   bool   // a run that a test made has begun and not ended
	aside    bool   // behind the blocks, in what a plugin prints
	bare     bool   // --tb=line shows the closing lines alone, as before version 8
	live     bool   // it is printed while the tests run (-s)
	sawText  bool   // captured output was seen at all

	blocks  []*block
	before  int                           // blocks or entries of the runs before it, which are kept, too
	spare   struct{ blocks, entries int } // more than are kept; most are of the same failures
	entries []entry                       // lines of the last summary
	picks   []entry                       // the same, where its heading is gone: see picked
	earlier []entry                       // of one before it, which more blocks followed
	counts  *counts
	closed  bool

	files    map[string]bool // test files that progress lines name
	tests    tool.Report     // holds what all tests came to
	verdicts []verdict       // what failed, as the progress tells it
	failed   map[string]bool // node ids that verbose lines call failed
	current  string          // the test or file that was begun last
	begun    int64           // where current stands
	file     string          // of the letters that come
	letters  letterCount

	stopped []stop
}

// line takes a line. All lines of a run are pytest's, up to the counts that close it.
func (r *reader) line(s *read.Sink, l tool.Line) bool {
	run := r.cur
	if (run == nil || run.outside()) && r.troubles.line(l) {
		r.interrupted(l)
	} else if l.Text == "" || !r.structure(l) {
		r.remember(l)
		if run = r.cur; run != nil && (!run.closed || run.section == inResults) {
			run.text(l, r)
		}
	}
	if run = r.cur; run == nil || run.end < l.End {
		r.apart(l)
		return false
	}
	for _, span := range r.since.Covered {
		if span.End > run.start {
			s.CoverSpan(max(span.Start, run.start), span.End)
		}
	}
	r.since.Covered = r.since.Covered[:0]
	return true
}

// passes takes a line of a block that is one too many, and that can be nothing else by
// its first byte: source, what is asserted, or nothing. Its text is lent.
func (r *reader) passes(s *read.Sink, l tool.Line) bool {
	run := r.cur
	if run == nil || run.closed {
		return r.isNothing(l)
	}
	if run.block == nil || !run.block.over || r.picks || run.section != inErrors && run.section != inFailures {
		return false
	}
	if l.Text != "" && l.Text[0] != '>' && (l.Text[0] != ' ' || isPrettySummary(l.Text)) {
		return false
	}
	s.Cover(l)
	run.end, run.block.blank = max(run.end, l.End), l.Text == ""
	return true
}

// isNothing: no run is open, and the line neither opens one nor says why none began.
func (r *reader) isNothing(l tool.Line) bool {
	if n := len(l.Text); n > 0 {
		first, last := l.Text[0], l.Text[n-1]
		opens := strings.IndexByte("=T_", first) >= 0 || strings.IndexByte("]s)", last) >= 0
		if opens || r.cur != nil && strings.IndexByte("-!", first) >= 0 || mayList(l.Text) {
			return false
		}
	}
	kind, _ := troubleOf(l.Text)
	if kind != 0 || r.troubles.open != nil || len(r.stray.entries) > 0 || r.cur != nil && r.cur.section == inResults {
		return false
	}
	r.apart(l)
	return true
}

// apart remembers a line that is no run's so far.
func (r *reader) apart(l tool.Line) {
	if r.since.Cover(l); len(r.since.Covered) > maxGaps {
		r.since.Covered = r.since.Covered[:0]
	}
}

// remember keeps lines that look like a summary's while no run is open: closing counts
// right behind them say that they are.
func (r *reader) remember(l tool.Line) {
	if r.cur != nil && !r.cur.closed {
		return
	}
	before := len(r.stray.entries)
	if strings.Contains(l.Text, ".py") {
		r.stray.listed(l)
	}
	if len(r.stray.entries) == before {
		r.stray.entries = nil
	}
}

// openCut opens the run of which only the end is there.
func (r *reader) openCut(l tool.Line) {
	listed := r.stray.entries
	run := r.open(l)
	if run.entries = listed; len(listed) > 0 {
		run.start = listed[0].start
	}
}

// structure handles the lines that open or close something.
func (r *reader) structure(l tool.Line) bool {
	run := r.cur
	switch l.Text[0] {
	case '=':
		return r.ruled(l)
	case '_':
		if title, ok := cutRule(l.Text, '_', 0); run == nil && ok && strings.HasPrefix(title, errorCollecting) {
			run = r.open(l) // pytest-instafail, with -q
			run.width = utf8.RuneCountInString(l.Text)
		}
		return run != nil && run.head(l, r)
	case '-':
		if run != nil && run.capture(l) {
			return true
		}
	case '!':
		return run != nil && run.stop(l)
	case ' ':
		if run != nil && isPrettySummary(l.Text) {
			run.endBlock(l.Start)
			run.captured = false
			return true
		}
	case 'T', 'R', sugarRule[0]:
		if r.sugarLine(l) {
			return true
		}
	}
	return r.plainCounts(l) || r.plainProgress(l)
}

// ruled handles a rule of "=".
func (r *reader) ruled(l tool.Line) bool {
	width := 0
	if r.cur != nil && (!r.cur.closed || r.cur.sawText) {
		width = r.cur.width
	}
	title, ok := cutRule(l.Text, '=', width)
	if !ok {
		title, ok = cutRule(l.Text, '=', 0)
		if !ok || r.cur == nil || !r.cur.closed || title != "test session starts" {
			return false
		}
	}
	if c, ok := cutCounts(title); ok {
		if r.cur == nil {
			r.openCut(l)
			r.cur.width = utf8.RuneCountInString(l.Text)
		}
		return r.cur.width > 0 && r.close(l, c)
	}
	kind := sectionOf(title)
	if kind == unknown {
		if r.cur == nil || r.cur.captured || r.cur.closed {
			return false
		}
		kind = inOther // a plugin's
	}
	r.begin(l, kind).enter(kind, l)
	return true
}

// begin gives the run that a section belongs to: the open one, the closed one that was
// not over after all, or a new one.
func (r *reader) begin(l tool.Line, kind section) *run {
	run, reports := r.cur, kind == inFailures || kind == inErrors
	switch {
	case run == nil, run.closed && (kind == atStart || !run.header && reports):
		return r.open(l)
	case !run.closed && kind == atStart && (run.section != unknown || run.letters.any()):
		run.nest()
	}
	return run
}

func (r *reader) open(l tool.Line) *run {
	before := 0
	if last := r.cur; last != nil {
		before = last.before + max(len(last.blocks), len(last.entries))
	}
	r.stray.entries = nil
	r.cur = &run{start: l.Start, end: l.End, before: before, most: r.most, files: map[string]bool{}, failed: map[string]bool{}}
	if len(r.runs) == maxRuns { // the last one stands for the rest, and says that they are missing
		r.runs[maxRuns-1] = r.cur
		r.cur.spare.blocks = 1
	} else {
		r.runs = append(r.runs, r.cur)
	}
	return r.cur
}

// nest begins a run that a test makes.
func (run *run) nest() {
	run.live = !run.captured && !run.tainted && run.section <= atStart
	run.nested = true
}

// unnest ends a run that a test made.
func (run *run) unnest(l tool.Line) {
	run.endBlock(l.Start)
	run.nested = false
	if run.live { // the tests go on
		run.section, run.tainted, run.entries, run.live = atStart, false, nil, false
	}
}

// enter opens a section.
func (run *run) enter(kind section, l tool.Line) {
	run.endBlock(l.Start)
	run.tainted = run.tainted || run.captured || run.closed || run.nested
	run.captured, run.closed, run.aside = false, false, false
	run.end = max(run.end, l.End)
	if run.width == 0 {
		run.width = utf8.RuneCountInString(l.Text)
	}
	switch kind {
	case atStart:
		run.header = run.header || !run.nested && run.section == unknown
		if run.nested {
			return
		}
	case inSummary:
		run.entries = nil
		fallthrough
	default:
		run.stopped = nil // it would come last: a test printed it
	}
	run.section = kind
}

// close takes the closing counts. A run in captured output closes only itself.
func (r *reader) close(l tool.Line, c *counts) bool {
	run := r.cur
	if run.nested {
		run.unnest(l)
		return true
	}
	if run.closed {
		run.entries = nil // they belonged to what the first counts closed
	}
	run.sawText = run.sawText || run.captured
	run.endBlock(l.Start)
	run.counts, run.closed, run.captured, run.end = c, true, false, max(run.end, l.End)
	return true
}

// plainCounts takes the closing line of a run with -q.
func (r *reader) plainCounts(l tool.Line) bool {
	if r.cur != nil && r.cur.header {
		return false
	}
	c, ok := cutCounts(l.Text)
	if !ok || r.quiet && r.cur != nil && (r.cur.captured || r.cur.block != nil) {
		return false
	}
	if r.cur == nil || r.cur.closed && !r.cur.sawText {
		r.openCut(l)
	}
	return r.close(l, c)
}

// plainProgress takes a line of outcomes alone, which opens a run with -q. In captured
// output it is the progress of a run that a test made.
func (r *reader) plainProgress(l tool.Line) bool {
	if strings.IndexByte(letters, l.Text[0]) < 0 || !isProgress(l.Text) {
		return false
	}
	run := r.cur
	some, percent := cutPercent(l.Text)
	switch open := run != nil && !run.closed; {
	case run != nil && run.captured:
		if percent && !run.nested && strings.Trim(some, ",u- ") != "" { // those of subtests alone are printed into the test's own output
			run.nest()
		}
		return false
	case open && run.block != nil && !run.block.blank, open && run.section > atStart, run != nil && run.nested, !open && !percent:
		return false
	case !open:
		run = r.open(l)
	}
	run.letters.add(l)
	run.toldLetters(l.Text, run.file)
	run.end = max(run.end, l.End)
	return true
}

// turn ends a stream.
func (r *reader) turn(*read.Sink) {
	if run := r.cur; run != nil {
		if b := run.block; b != nil && !run.closed {
			b.cutOff()
		}
		run.endBlock(run.end)
	}
	r.troubles.close()
	r.cur, r.stray.entries, r.since.Covered = nil, nil, nil
}

// end reports the runs, and what went wrong beside them.
func (r *reader) end(s *read.Sink) {
	r.turn(s)
	c, ran := s.In.Command(), len(r.runs) > 0
	s.Complete, s.NoTests, s.Signed = ran, ran, ran
	for _, run := range r.runs {
		run.report(s.Report, r.quiet)
	}
	r.troubles.report(s.Report, lex.IsOneOf(c.Program(), "pytest py.test"), ran)
	for _, run := range r.runs {
		if bad := run.letters.bad; bad != nil && run.counts == nil && run.section <= atStart && len(s.Findings) == 0 {
			s.Add(*bad)
		}
	}
	if s.NoTests = s.NoTests && !asksOnly(c.Argv); s.NoTests && len(s.Findings) == 0 {
		addNoTests(s.Report, r.runs[len(r.runs)-1])
	}
	if s.Complete || !ran && (s.Meaning == result.MeansUsage || r.troubles.is(plugin)) { // it said why it did not begin
		s.EndHere()
	}
}
