package pytest

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// reader reads the runs in an output, each stream separately: pytest prints a run to one of them, and lines of
// the other stream must not interrupt it.
type reader struct {
	files    *place.Files
	quiet    bool // no counts are printed: counts in the output were printed by a test
	picks    bool // a search such as grep left single lines of the output
	most     int  // failures that are kept
	budget   int  // bytes of detail that may still be kept
	troubles troubles
	over     *block // the block that takes the lines of all blocks beyond the limit
	runs     []*run

	cur   *run        // the last run of this stream; closed once its counts were read
	stray run         // lines of a summary whose heading was cut off, as by "| tail"
	since tool.Report // covers the lines since a run was open
}

// maxRuns bounds the runs of one output that are kept apart, maxGaps how often the streams may alternate while no run
// is open.
const (
	maxRuns = 1000
	maxGaps = 1 << 16
)

func parse(in *tool.Input) *tool.Report {
	c, files := in.Command(), place.NewFiles(in.Workspace)
	r := &reader{files: files, quiet: quietTwice(c.Argv), picks: c.Picked(isPytest), budget: lex.DetailBudget, troubles: troubles{files: files}, most: in.Most(), stray: run{most: in.Most()}}
	return read.Text{Line: r.line, Passes: r.passes, Turn: r.turn, End: r.end, Closes: true}.Parse(in)
}

// run is the state of one run of pytest that is being read.
type run struct {
	start, end int64
	width      int  // of its rules, in characters; 0 until one was read
	header     bool // "test session starts" was read: not -q
	version    string

	most     int
	section  section
	block    *block // the open block
	captured bool   // in the captured output of a block
	tainted  bool   // a rule was accepted inside of captured output
	sugar    bool   // pytest-sugar's format
	nested   bool   // a run inside of a test has begun and not ended
	aside    bool   // after the blocks, in output of a plugin
	bare     bool   // --tb=line shows only the closing lines, as before version 8
	live     bool   // the nested run is printed while the tests run (-s)
	sawText  bool   // some captured output was read

	blocks  []*block
	before  int                           // blocks or entries kept of earlier runs
	spare   struct{ blocks, entries int } // blocks and entries beyond the limit; most are of the same failures
	entries []entry                       // lines of the last summary
	picks   []entry                       // the same, if its heading is missing: see picked
	earlier []entry                       // lines of an earlier summary that more blocks followed
	counts  *counts
	closed  bool
	over    bool // the counts that closed it are surely its own

	files    map[string]bool // test files named in progress lines
	tests    tool.Report     // has the outcomes of all tests
	verdicts []verdict       // failures in the progress
	failed   map[string]bool // node ids of failures in lines of -v
	current  string          // the test or file that was begun last
	begun    int64           // offset of current
	file     string          // the file that the next letters belong to
	letters  letterCount

	stopped []stop
}

// line takes a line. All lines of a run, up to its closing counts, are pytest's.
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

// passes skips a line of a block beyond the limit, if its first byte shows that it can be nothing else: source, part of
// an assertion, or blank. The line's buffer may be reused.
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

// isNothing says whether no run is open, and the line neither opens one nor says why none began.
func (r *reader) isNothing(l tool.Line) bool {
	if n := len(l.Text); n > 0 {
		first, last := l.Text[0], l.Text[n-1]
		opens := strings.IndexByte("=T_", first) >= 0 || strings.IndexByte("]s)", last) >= 0
		if opens || r.cur != nil && strings.IndexByte("-!", first) >= 0 || mayList(l.Text) || strings.HasPrefix(l.Text, `  File "`) {
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

// apart remembers a line that belongs to no run so far.
func (r *reader) apart(l tool.Line) {
	if r.since.Cover(l); len(r.since.Covered) > maxGaps {
		r.since.Covered = r.since.Covered[:0]
	}
}

// remember keeps lines that look like a summary's while no run is open. They count if closing counts follow directly.
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

// openCut opens a run of which only the end was kept.
func (r *reader) openCut(l tool.Line) {
	listed := r.stray.entries
	run := r.open(l)
	if run.entries = listed; len(listed) > 0 {
		run.start = listed[0].start
	}
}

// structure takes a line that opens or closes a part of a run, and says whether it did.
func (r *reader) structure(l tool.Line) bool {
	run := r.cur
	switch l.Text[0] {
	case '=':
		return r.ruled(l)
	case '_':
		title, ok := cutRule(l.Text, '_', 0)
		over := run == nil || run.closed && !run.sawText
		cut := ok && over && isTestTitle(title)
		if cut || ok && run == nil && strings.HasPrefix(title, errorCollecting) {
			run = r.open(l) // pytest-instafail, with -q, or the start was cut off, as by "| tail"
			run.width = utf8.RuneCountInString(l.Text)
			if cut {
				run.section = inFailures
			}
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

// isTestTitle says whether a block's title is surely a test's: "test_take[3]", "TestBox.test_volume".
func isTestTitle(title string) bool {
	_, name := cutErrorTitle(title)
	name, _, _ = strings.Cut(name, "[")
	return strings.Contains(strings.ToLower(name), "test") && !strings.ContainsAny(name, " \t=/")
}

// ruled takes a rule of "=".
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
	kind, over := sectionOf(title), r.cur != nil && r.cur.closed
	if over && kind == inOther && !r.cur.sawText || kind == unknown && (r.cur == nil || r.cur.captured || over) {
		return false
	}
	kind = cmp.Or(kind, inOther) // a plugin's section
	r.begin(l, kind).enter(kind, l)
	return true
}

// begin returns the run that a section belongs to: the open one, a closed one that turns out not to be over,
// or a new one.
func (r *reader) begin(l tool.Line, kind section) *run {
	run, reports := r.cur, kind == inFailures || kind == inErrors
	onlyEnd := run != nil && !run.sawText && kind == inSummary // of the next run, as "| tail" leaves it
	next := run != nil && (run.over || !run.header) && reports
	switch {
	case run == nil, run.closed && (kind == atStart || onlyEnd || next):
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
	if len(r.runs) == maxRuns { // the last run takes all further lines, and reports that runs are missing
		r.runs[maxRuns-1] = r.cur
		r.cur.spare.blocks = 1
	} else {
		r.runs = append(r.runs, r.cur)
	}
	return r.cur
}

// nest begins a run inside of a test.
func (run *run) nest() {
	run.live = !run.captured && !run.tainted && run.section <= atStart
	run.nested = true
}

// unnest ends a run inside of a test.
func (run *run) unnest(l tool.Line) {
	run.endBlock(l.Start)
	run.nested = false
	if run.live { // the tests continue
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
		run.stopped = nil // a test printed it: the real reason comes last
	}
	run.section = kind
}

// close takes the closing counts. Counts of a run in captured output close only that run.
func (r *reader) close(l tool.Line, c *counts) bool {
	run := r.cur
	if run.nested {
		run.unnest(l)
		return true
	}
	if run.closed {
		run.entries = nil // the entries belonged to the run that the first counts closed
	}
	run.sawText = run.sawText || run.captured
	run.endBlock(l.Start)
	run.over = run.lists(c)
	run.sawText = run.sawText && !run.over
	run.counts, run.closed, run.captured, run.end = c, true, false, max(run.end, l.End)
	return true
}

// plainCounts takes the closing line of a run with -q.
func (r *reader) plainCounts(l tool.Line) bool {
	if r.cur != nil && r.cur.header && !r.cur.over {
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

// plainProgress takes a line that has only outcomes, which opens a run with -q. In captured output it is the progress
// of a run inside of a test.
func (r *reader) plainProgress(l tool.Line) bool {
	if strings.IndexByte(letters, l.Text[0]) < 0 || !isProgress(l.Text) {
		return false
	}
	run := r.cur
	some, percent := cutPercent(l.Text)
	switch open := run != nil && !run.closed; {
	case run != nil && run.captured:
		if percent && !run.nested && strings.Trim(some, ",u- ") != "" { // letters of subtests alone are printed into the test's own output
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

// end reports the runs, and the troubles outside of runs.
func (r *reader) end(s *read.Sink) {
	r.turn(s)
	c, ran := s.In.Command(), len(r.runs) > 0
	s.Complete, s.NoTests, s.Signed = ran, ran, ran
	for _, run := range r.runs {
		run.report(s.Report, r.quiet || r.troubles.is(slower))
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
	if s.Complete || !ran && (s.Meaning == result.MeansUsage || (r.troubles.is(plugin) || r.troubles.is(traceback))) { // pytest printed why it did not begin
		s.EndHere()
	}
}
