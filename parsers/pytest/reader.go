package pytest

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pytestReader follows the runs in one stream.
type pytestReader struct {
	files    *place.Files
	runs     []*pytestRun
	cur      *pytestRun // the last of runs; closed when its counts were seen
	troubles pytestTroubles
	passed   []result.Span // what was read, with gaps where the other stream was
	quiet    bool          // no counts are printed: those in what a test printed are its own
	budget   int           // bytes of detail that may still be kept
	picks    bool          // a search picked single lines of the output
	over     *pytestBlock  // stands for all blocks that are too many
	stray    pytestRun     // lines of a summary whose heading was cut off, as by "| tail"
}

// maxRuns bounds how many runs of one output are told apart.
const maxRuns = 1000

func newPytestReader(in *tool.Input, c tool.Command) *pytestReader {
	p := place.NewFiles(in.Workspace)
	return &pytestReader{files: p, quiet: quietTwice(c.Argv), picks: c.Picked(isPytest), budget: lex.DetailBudget, troubles: pytestTroubles{files: p}}
}

// pytestRun is one run of pytest as far as it has been read.
type pytestRun struct {
	start, end int64
	width      int  // of its rules; 0 until one was seen
	header     bool // "test session starts" was there: not -q
	version    string

	section  sectionKind
	block    *pytestBlock // the open one
	captured bool         // in the captured output of a block
	tainted  bool         // a rule was accepted in captured output
	sugar    bool         // pytest-sugar prints it
	nested   bool         // a run that a test made has begun and not ended
	aside    bool         // behind the blocks, in what a plugin prints
	bare     bool         // --tb=line shows the closing lines alone, as before version 8
	live     bool         // it is printed while the tests run (-s)
	sawText  bool         // captured output was seen at all

	blocks  []*pytestBlock
	before  int                           // blocks or entries of the runs before it, which are kept, too
	spare   struct{ blocks, entries int } // more than are kept; most are of the same failures
	entries []pytestEntry                 // lines of the last summary
	picks   []pytestEntry                 // the same, where its heading is gone: see picked
	earlier []pytestEntry                 // of one before it, which more blocks followed
	counts  *pytestCounts
	closed  bool

	files    map[string]bool // test files that progress lines name
	outcomes []pytestOutcome // what failed, as the progress tells it
	failed   map[string]bool // node ids that verbose lines call failed
	current  string          // the test or file that was begun last
	file     string          // of the letters that come
	letters  pytestLetterCount

	stopped []pytestStop
	covered []result.Span // its lines
}

// pytestLetterCount is what the progress lines add up to.
type pytestLetterCount struct {
	by   [128]int
	full bool // [100%] was reached
}

func (r *pytestReader) line(l tool.Line) {
	r.pass(l)
	run := r.cur
	if (run == nil || run.outside()) && r.troubles.line(l) {
		r.interrupted(l)
		return
	}
	if len(l.Text) > 0 && r.structure(l) {
		return
	}
	r.remember(l)
	if run = r.cur; run != nil && (!run.closed || run.section == sectionResults) {
		run.text(l, r)
	}
}

// skips takes a line of a block that is one too many, and that can be nothing else by its
// first byte: source, what is asserted, or nothing. Its text is lent.
func (r *pytestReader) skips(l tool.Line) bool {
	run := r.cur
	if run == nil || run.closed || run.block == nil || !run.block.over || r.picks || run.section != sectionErrors && run.section != sectionFailures {
		return false
	}
	if l.Text != "" && l.Text[0] != '>' && (l.Text[0] != ' ' || isPrettySummary(l.Text)) {
		return false
	}
	r.pass(l)
	run.end = max(run.end, l.End)
	run.block.blank = l.Text == ""
	return true
}

// remember keeps lines that look like a summary's while no run is open: closing
// counts right behind them say that they are.
func (r *pytestReader) remember(l tool.Line) {
	if r.cur != nil && !r.cur.closed {
		return
	}
	before := len(r.stray.entries)
	if strings.Contains(l.Text, ".py") {
		r.stray.summaryLine(l)
	}
	if len(r.stray.entries) == before {
		r.stray.entries = nil
	}
}

// openCut opens the run of which only the end is there.
func (r *pytestReader) openCut(l tool.Line) {
	run := r.open(l)
	if run.entries = r.stray.entries; len(run.entries) > 0 {
		run.start = run.entries[0].start
	}
	r.stray.entries = nil
}

// structure handles the lines that open or close something.
func (r *pytestReader) structure(l tool.Line) bool {
	run := r.cur
	switch l.Text[0] {
	case '=':
		return r.ruled(l)
	case '_':
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
func (r *pytestReader) ruled(l tool.Line) bool {
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
	if c, ok := parsePytestCounts(title); ok {
		if r.cur == nil {
			r.openCut(l)
			r.cur.width = utf8.RuneCountInString(l.Text)
		}
		return r.cur.width > 0 && r.close(l, c)
	}
	kind := pytestSection(title)
	if kind == sectionUnknown {
		if r.cur == nil || r.cur.captured || r.cur.closed {
			return false
		}
		kind = sectionOther // a plugin's
	}
	r.begin(l, kind).enter(kind, l)
	return true
}

// begin gives the run that a section belongs to: the open one, the closed one
// that was not over after all, or a new one.
func (r *pytestReader) begin(l tool.Line, kind sectionKind) *pytestRun {
	run := r.cur
	switch {
	case run == nil:
		return r.open(l)
	case run.closed && (kind == sectionStart || !run.header && (kind == sectionFailures || kind == sectionErrors)):
		return r.open(l)
	case !run.closed && kind == sectionStart && (run.section != sectionUnknown || run.letters.any()):
		run.nest()
	}
	return run
}

// nest begins a run that a test makes.
func (run *pytestRun) nest() {
	run.live = !run.captured && !run.tainted && run.section <= sectionStart
	run.nested = true
}

func (r *pytestReader) open(l tool.Line) *pytestRun {
	before := 0
	if last := r.cur; last != nil {
		before = last.before + max(len(last.blocks), len(last.entries))
	}
	r.cur = &pytestRun{start: l.Start, end: l.End, before: before, files: map[string]bool{}, failed: map[string]bool{}}
	if len(r.runs) == maxRuns { // the last one stands for the rest, and says that they are missing
		r.runs[maxRuns-1] = r.cur
		r.cur.spare.blocks = 1
		return r.cur
	}
	r.runs = append(r.runs, r.cur)
	return r.cur
}

// enter opens a section.
func (run *pytestRun) enter(kind sectionKind, l tool.Line) {
	run.endBlock(l.Start)
	run.tainted = run.tainted || run.captured || run.closed || run.nested
	run.captured, run.closed, run.aside = false, false, false
	run.end = max(run.end, l.End)
	if run.width == 0 {
		run.width = utf8.RuneCountInString(l.Text)
	}
	if kind != sectionStart {
		run.stopped = nil // it would come last: a test printed it
	}
	switch kind {
	case sectionStart:
		run.header = run.header || !run.nested && run.section == sectionUnknown
		if run.nested {
			return
		}
	case sectionSummary:
		run.entries = nil
	}
	run.section = kind
}

// close takes the closing counts. A run in captured output closes only itself.
func (r *pytestReader) close(l tool.Line, c *pytestCounts) bool {
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
func (r *pytestReader) plainCounts(l tool.Line) bool {
	if c := l.Text[0]; c != 'n' && (c < '0' || c > '9') || r.cur != nil && r.cur.header {
		return false
	}
	c, ok := parsePytestCounts(l.Text)
	if !ok || r.quiet && r.cur != nil && (r.cur.captured || r.cur.block != nil) {
		return false
	}
	if r.cur == nil || r.cur.closed && !r.cur.sawText {
		r.openCut(l)
	}
	return r.close(l, c)
}

// plainProgress takes a line of outcomes alone, which opens a run with -q. In
// captured output it is the progress of a run that a test made.
func (r *pytestReader) plainProgress(l tool.Line) bool {
	if strings.IndexByte(pytestLetters, l.Text[0]) < 0 || !isPytestProgress(l.Text) {
		return false
	}
	run := r.cur
	_, percent := cutPercent(l.Text)
	switch {
	case run != nil && run.captured:
		if percent && !run.nested {
			run.nest()
		}
		return false
	case run != nil && run.block != nil && !run.closed && !run.block.blank:
		return false
	case run != nil && !run.closed && run.section > sectionStart, run != nil && run.nested:
		return false
	case run == nil || run.closed:
		if !percent {
			return false
		}
		run = r.open(l)
	}
	run.letters.add(l.Text)
	run.letterOutcomes(l.Text, run.file)
	run.end = max(run.end, l.End)
	return true
}

func (n *pytestLetterCount) add(line string) {
	letters, percent := cutPercent(line)
	for i := range len(letters) {
		n.by[letters[i]&127]++
	}
	n.full = n.full || percent && strings.HasSuffix(line, "[100%]")
}

func (n *pytestLetterCount) any() bool { return n.full || n.by['.']+n.by['F']+n.by['E'] > 0 }

// finish ends the stream.
func (r *pytestReader) finish() []*pytestRun {
	if r.cur != nil {
		if b := r.cur.block; b != nil && !r.cur.closed {
			b.cutOff()
		}
		r.cur.endBlock(r.cur.end)
	}
	for _, run := range r.runs {
		run.endPicked()
		run.covered = r.between(run.start, run.end)
		if run.counts != nil && !run.closed && len(run.entries) == 0 {
			run.entries = run.earlier
		}
	}
	r.troubles.finish()
	return r.runs
}
