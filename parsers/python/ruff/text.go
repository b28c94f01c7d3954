package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffRun is the output of one run of ruff on one stream, up to a closing line or the stream's end.
type ruffRun struct {
	tool    string // "" until a line shows which of the two tools printed the run
	items   []result.Finding
	diffs   []result.Finding // from --diff; used if a closing line or argv shows that ruff printed them
	lines   []result.Span    // the spans covered
	closing ruffClosing
	closed  bool
	checks  bool // the run has findings of ruff check
	bare    bool // pylint's format, which has no closing line
	flake8  bool // a line is flake8's, so that others that look like ruff's may be, too
	framed  bool // a finding has the frame of 0.13 and later
	certain,
	stats bool // certain: a line is one that only ruff prints; stats: the lines count rules (--statistics)
	dropped int
}

// ruffReader reads one stream.
type ruffReader struct {
	tool   string // the tool that argv runs; "" if argv runs neither
	runs   []*ruffRun
	run    *ruffRun
	block  *ruffBlock // the open block, which points to space; nil outside of a block
	space  ruffBlock
	diff   *ruffDiff
	notice *ruffNotice
	prev   tool.Line // the previous line, which may be the head of a frame
	group  string    // the file whose findings are indented below, in the format grouped
	notes  []ruffNotice
	most   int // how many findings are kept at most
	kept   int // findings kept, of all runs
	budget int // bytes of frames that may still be kept
}

// maxRuffFrames bounds the frames of all findings together, in bytes.
const maxRuffFrames = 16 << 20

// maxRuffRuns bounds the runs of one stream that are kept apart.
const maxRuffRuns = 1000

func newRuffReader(toolName string, most int) *ruffReader {
	return &ruffReader{tool: toolName, most: most, run: &ruffRun{}, budget: maxRuffFrames}
}

func (r *ruffReader) line(l tool.Line) {
	l, _ = read.CutGlued(l)
	switch {
	case r.block != nil && r.block.line(l), r.diff != nil && r.diff.line(l), r.notice != nil && r.notice.line(l):
		return
	}
	r.endParts()
	if l.Text == "" {
		r.cover(l)
		r.prev = tool.Line{}
		return
	}
	if !r.structure(l) {
		r.prev = l
	}
}

// cover marks a line as the run's. The line is covered in the report if the run is accepted as ruff's.
func (r *ruffReader) cover(l tool.Line) {
	if n := len(r.run.lines); l.Text != "" || n > 0 && r.run.lines[n-1].End >= l.Start {
		r.coverSpan(l.Start, l.End)
	}
}

func (r *ruffReader) coverSpan(start, end int64) {
	if n := len(r.run.lines); n > 0 && r.run.lines[n-1].End >= start {
		r.run.lines[n-1].End = max(r.run.lines[n-1].End, end)
		return
	}
	r.run.lines = append(r.run.lines, result.Span{Start: start, End: end})
}

// structure handles a line outside of blocks, and returns false if the line is not known.
func (r *ruffReader) structure(l tool.Line) bool {
	s := l.Text
	switch s[0] {
	case ' ':
		return r.arrow(l) || r.grouped(l) || r.counted(l) || r.fixes(l)
	case '-':
		return r.arrow(l) || r.changed(l) || r.fixes(l) || r.placed(l)
	case 'W':
		if r.wouldReformat(l) {
			return true
		}
	}
	return r.closes(l) || r.noticed(l) || r.placed(l) || r.counted(l)
}

// arrow takes the line of a place, " --> src/a.py:1:8"; the previous line is the head.
func (r *ruffReader) arrow(l tool.Line) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), "--> ")
	if !ok {
		return false
	}
	at, ok := ruffPlace(rest)
	head, known := cutRuffHead(r.prev.Text)
	if !ok || !known || r.prev.Stream != l.Stream {
		return false
	}
	if strings.HasSuffix(at.Path, ".rs") {
		return false // rustc's lint without a code
	}
	r.begin(head, at, r.prev.Start, l.End, false)
	r.run.framed = true
	r.run.certain = r.run.certain || isRuffCode(head.code) || head.code == ruffIO
	return true
}

// begin opens the block of a finding. old is set if the head has the place, as before 0.13.
func (r *ruffReader) begin(h ruffHead, at result.Location, start, end int64, old bool) {
	r.turns(h.code)
	r.run.bare = h.bare
	r.run.certain = r.run.certain || h.fixable || h.code == ruffSyntax || strings.Contains(h.message, "`") || strings.HasPrefix(h.message, ruffReformat)
	r.prev = tool.Line{}
	r.coverSpan(start, end)
	r.block = &r.space
	*r.block = ruffBlock{start: start, end: end, old: old, path: at.Path, counted: r.kept >= r.most}
	if !r.block.counted {
		r.block.f = ruffFinding(h.code, h.message, at)
		r.block.f.Fixable = r.block.f.Fixable || h.fixable
	}
}

// turns begins another run if code is the other tool's. With --quiet, no line separates the runs of
// ruff check and ruff format.
func (r *ruffReader) turns(code string) {
	check := isRuffCode(code) || ruffCodes()[code] != ""
	switch {
	case code == ruffUnformatted && r.run.checks:
		again := r.run.cutAgain()
		r.keepRun()
		r.run = &ruffRun{items: again}
	case check && r.run.tool == ruffFormat:
		r.keepRun()
		r.run = &ruffRun{}
	}
	if code == ruffUnformatted {
		r.run.tool = ruffFormat
	}
	r.run.checks = r.run.checks || check
}

// cutAgain removes repeated findings from the end of a run, and returns them: they are those of ruff format,
// which reports a file that does not parse after ruff check has done so.
func (run *ruffRun) cutAgain() []result.Finding {
	n := len(run.items)
	said := func(f result.Finding) bool {
		return slices.ContainsFunc(run.items[:n-1], func(g result.Finding) bool { return g.At != nil && *g.At == *f.At && g.Message == f.Message })
	}
	for n > 0 && (run.items[n-1].Rule == ruffSyntax || run.items[n-1].Rule == ruffIO) && said(run.items[n-1]) {
		n--
	}
	again := slices.Clone(run.items[n:])
	run.items = run.items[:n]
	return again
}

// placed takes a line of the formats concise, pylint, or full before 0.13.
func (r *ruffReader) placed(l tool.Line) bool {
	at, h, ok := readRuffPlaced(l.Text)
	if ok && isFlake8(at.Path, h) {
		r.run.flake8 = true
		return false
	}
	if ok {
		r.begin(h, at, l.Start, l.End, true)
		return true
	}
	if at, head, unread := readRuffUnread(l.Text); unread && (r.tool != "" || isPythonPath(at.Path) || strings.HasSuffix(at.Path, ".ipynb")) {
		r.begin(head, at, l.Start, l.End, true)
		return true
	}
	if path, isHead := strings.CutSuffix(l.Text, ":"); isHead && path != "" {
		r.group = path
	}
	return false
}

// grouped takes a line of the format grouped, "  12:5  F401 [*] message", below the name of the file.
func (r *ruffReader) grouped(l tool.Line) bool {
	if r.group == "" {
		return false
	}
	s := strings.TrimLeft(l.Text, " ")
	if at, head, unread := readRuffUnread(r.group + ": " + s); unread && len(l.Text) == len(s)+2 {
		r.grouping()
		r.begin(head, at, l.Start, l.End, true)
		return true
	}
	spot, rest, ok := strings.Cut(s, " ")
	if spot == "cell" {
		var number string
		if number, rest, ok = strings.Cut(rest, " "); ok {
			spot += " " + number
		}
	}
	if !ok {
		return false
	}
	at, ok := ruffPlace(r.group + ":" + spot)
	if !ok || at.Column == 0 {
		return false
	}
	head, ok := headAt(at, strings.TrimLeft(rest, " "))
	if !ok {
		return false
	}
	r.grouping()
	r.begin(head, at, l.Start, l.End, true)
	return true
}

// grouping covers the line that names the file of the group.
func (r *ruffReader) grouping() {
	if n := len(r.prev.Text); n > 0 && r.prev.Text[:n-1] == r.group {
		r.cover(r.prev)
	}
}

// wouldReformat takes "Would reformat: path".
func (r *ruffReader) wouldReformat(l tool.Line) bool {
	path, ok := strings.CutPrefix(l.Text, "Would reformat: ")
	if !ok || path == "" {
		return false
	}
	r.begin(ruffHead{code: ruffUnformatted, message: ruffReformat}, result.Location{Path: path}, l.Start, l.End, true)
	r.block.f.ID = path // the line has no position
	r.run.certain = true
	return true
}

// ruffReformat is the message for a file that is not formatted.
const ruffReformat = "File would be reformatted"

// fixes covers a line in the list of --show-fixes.
func (r *ruffReader) fixes(l tool.Line) bool {
	s := l.Text
	known := strings.HasPrefix(s, "- ") && strings.HasSuffix(s, ":") || strings.HasPrefix(s, "    ") && strings.Contains(s, " × ")
	if known {
		r.cover(l)
	}
	return known
}

// add adds a finding to the open run, or counts it as dropped if the limit is reached.
func (r *ruffReader) add(f result.Finding) {
	if r.kept >= r.most {
		r.run.dropped++
		return
	}
	r.kept++
	if r.budget -= len(f.Detail); r.budget < 0 {
		f.Detail = ""
	}
	r.run.items = append(r.run.items, f)
}

// endParts ends an open block, diff or notice.
func (r *ruffReader) endParts() {
	if b := r.block; b != nil {
		r.block = nil
		r.coverSpan(b.start, b.end)
		if b.counted {
			r.run.dropped++
		} else {
			r.add(b.finish())
		}
	}
	if d := r.diff; d != nil {
		r.diff = nil
		r.keepDiff(d)
	}
	if n := r.notice; n != nil {
		r.notice = nil
		if len(r.notes) < r.most {
			r.notes = append(r.notes, *n)
		}
	}
}
