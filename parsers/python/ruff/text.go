package ruff

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruff reads what ruff check and ruff format print as text, for the report of one of them. A closing line, or the end
// of a stream, ends a run and shows whose it is.
type ruff struct {
	in     *tool.Input
	tool   string // the tool whose report is made
	asked  string // the tool that argv runs; "" if argv runs neither
	named  bool   // "ruff" occurs in the command line
	flake8 bool   // the command is flake8, or a program that prints like it
	heard  bool   // a document has the findings, in place of the text

	run    ruffRun
	frame  ruffFrame // of the open finding
	diff   *ruffDiff
	notice *ruffNotice
	notes  []ruffNotice
	prev   tool.Line // the previous line, which may be the head of a frame
	group  string    // the file whose findings are indented below, in the format grouped
	stream int       // the stream of the last line

	all     *tool.Report     // the runs so far that are the tool's
	runs    int              // the number of these runs
	ours    bool             // a run on this stream was one of them
	partial bool             // one of them has no end
	diffs   []result.Finding // from --diff, until it is known which tool printed them
	differ  string           // the tool that closed with the numbers of a difference
	checked, unparsed,
	formatted bool // a run of ruff check was closed, has a finding E999; a run is of ruff format

	lost int  // diagnostics of a document that could not be read
	sure bool // the document is ruff's
}

// ruffRun is what is known of the run that is being read. Its findings are in the sink.
type ruffRun struct {
	tool    string // "" until a line shows which of the two tools printed the run
	diffs   []result.Finding
	closing *ruffClosing // nil until the closing line
	checks  bool         // the run has findings of ruff check
	bare    bool         // pylint's format, which has no closing line
	stats   bool         // the lines count rules (--statistics)
	flake8  bool         // a line is flake8's, so that others that look like ruff's may be, too
	framed  bool         // a finding has the frame of 0.13 and later
	certain bool         // a line is one that only ruff prints
}

func newRuff(in *tool.Input, toolName string) *ruff {
	r := &ruff{in: in, tool: toolName, all: in.NewReport()}
	r.asked, r.named = ruffAsked(in)
	if c := in.Command(); c.Direct {
		r.flake8 = slices.Contains(flake8s, c.Program())
	}
	return r
}

func (r *ruff) text() read.Text {
	return read.Text{Line: r.line, Count: r.count, Turn: r.endParts, End: r.end}
}

// count replaces line for the formats full and concise, once no more findings are kept.
func (r *ruff) count(s *read.Sink, l tool.Line) (own, known bool) {
	if r.diff != nil || r.notice != nil || int(l.Stream) != r.stream {
		return false, false
	}
	if s.Open() && isRuffFrame(l.Text) {
		return true, true
	}
	at, h, ok := readRuffPlaced(l.Text)
	if ok = ok && !isFlake8(at.Path, h); ok {
		r.endParts(s)
		r.found(s, l, h, at)
	}
	return ok, ok
}

func (r *ruff) line(s *read.Sink, l tool.Line) bool {
	if stream := int(l.Stream); stream != r.stream {
		r.endRun(s)
		r.stream, r.ours, r.group, r.prev = stream, false, "", tool.Line{}
	}
	l, glued := read.CutGlued(l)
	switch {
	case s.Open() && r.frame.line(s, l):
		return true
	case r.diff != nil && r.diff.line(l), r.notice != nil && r.notice.line(l):
		return false // covered if the tool's
	}
	r.endParts(s)
	prev := r.prev
	if r.prev = (tool.Line{}); l.Text == "" {
		n := len(s.Covered)
		return n > 0 && s.Covered[n-1].End >= l.Start
	}
	known, own := r.known(s, l, prev)
	if !known {
		r.prev = l
	}
	return own && !glued // the finding covers its part of the line
}

// known takes a line outside of frames, differences and notices.
func (r *ruff) known(s *read.Sink, l, prev tool.Line) (known, own bool) {
	switch text := l.Text; {
	case strings.IndexByte(" -", text[0]) >= 0 && (r.arrow(s, l, prev) || r.grouped(s, l, prev) || isFixes(text)), r.counted(s, l), r.wouldReformat(s, l):
		return true, true
	case text[0] == ' ': // of JSON, for the most part
		return false, false
	case r.changed(l), r.noticed(l):
		return true, false
	}
	if known, own = r.closes(s, l); known {
		return known, own
	}
	own = r.placed(s, l)
	return own, own
}

// arrow takes the line of a place, " --> src/a.py:1:8"; the previous line is the head.
func (r *ruff) arrow(s *read.Sink, l, prev tool.Line) bool {
	spot, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), "--> ")
	if !ok {
		return false
	}
	at, ok := ruffPlace(spot)
	head, known := cutRuffHead(prev.Text)
	if !ok || !known || strings.HasSuffix(at.Path, ".rs") { // rustc's lint without a code
		return false
	}
	r.found(s, prev, head, at)
	s.Reach(l)
	r.frame.old, r.run.framed = false, true
	r.run.certain = r.run.certain || isRuffCode(head.code) || head.code == ruffIO
	return true
}

// found adds a finding, whose frame may follow.
func (r *ruff) found(s *read.Sink, l tool.Line, h ruffHead, at result.Location) bool {
	r.turns(s, h.code)
	r.run.bare = h.bare
	r.run.certain = r.run.certain || h.fixable || h.code == ruffSyntax || strings.Contains(h.message, "`") || strings.HasPrefix(h.message, ruffReformat)
	r.frame = ruffFrame{old: true, path: at.Path}
	if s.Crowded() {
		return s.Tell(l, result.SevError)
	}
	f := ruffFinding(h.code, h.message, at)
	f.Fixable = f.Fixable || h.fixable
	return s.Find(l, f)
}

// turns begins another run if code is the other tool's. With --quiet, no line separates the runs of ruff check and
// ruff format.
func (r *ruff) turns(s *read.Sink, code string) {
	check := isRuffCode(code) || ruffCodes()[code] != ""
	switch {
	case code == ruffUnformatted && r.run.checks:
		again := cutAgain(s)
		r.endRun(s)
		for _, f := range again {
			s.Add(f)
			s.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
		}
	case check && r.run.tool == ruffFormat:
		r.endRun(s)
	}
	if code == ruffUnformatted {
		r.run.tool, r.formatted = ruffFormat, true
	}
	r.run.checks = r.run.checks || check
}

// cutAgain removes repeated findings from the end of a run, and returns them: they are those of ruff format, which
// reports a file that does not parse after ruff check has done so.
func cutAgain(s *read.Sink) []result.Finding {
	s.Settle()
	n := len(s.Findings)
	for ; n > 0; n-- {
		f := s.Findings[n-1]
		said := func(g result.Finding) bool { return g.At != nil && *g.At == *f.At && g.Message == f.Message }
		if f.Rule != ruffSyntax && f.Rule != ruffIO || !slices.ContainsFunc(s.Findings[:n-1], said) {
			break
		}
	}
	again := slices.Clone(s.Findings[n:])
	s.Findings = s.Findings[:n]
	return again
}

// placed takes a line of the formats concise, pylint, or full before 0.13.
func (r *ruff) placed(s *read.Sink, l tool.Line) bool {
	at, h, ok := readRuffPlaced(l.Text)
	if ok && isFlake8(at.Path, h) {
		r.run.flake8 = true
		return false
	}
	if !ok {
		at, h, ok = readRuffUnread(l.Text)
		ok = ok && (r.asked != "" || isPythonPath(at.Path) || strings.HasSuffix(at.Path, ".ipynb"))
	}
	if ok {
		return r.found(s, l, h, at)
	}
	if path, isHead := strings.CutSuffix(l.Text, ":"); isHead && path != "" && path[0] != ' ' {
		r.group = path
	}
	return false
}

// grouped takes a line of the format grouped, "  12:5  F401 [*] message", below the name of the file.
func (r *ruff) grouped(s *read.Sink, l, prev tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	if r.group == "" || l.Text == text {
		return false
	}
	at, head, ok := readRuffUnread(r.group + ": " + text)
	if ok = ok && len(l.Text) == len(text)+2; !ok {
		spot, rest, _ := strings.Cut(text, " ")
		if spot == "cell" {
			number, after, _ := strings.Cut(rest, " ")
			spot, rest = "cell "+number, after
		}
		if at, ok = ruffPlace(r.group + ":" + spot); ok && at.Column > 0 {
			head, ok = headAt(at, strings.TrimLeft(rest, " "))
		}
		ok = ok && at.Column > 0
	}
	if ok && prev.Text == r.group+":" {
		s.Cover(prev)
	}
	return ok && r.found(s, l, head, at)
}

// wouldReformat takes "Would reformat: path".
func (r *ruff) wouldReformat(s *read.Sink, l tool.Line) bool {
	path, ok := strings.CutPrefix(l.Text, "Would reformat: ")
	if !ok || path == "" {
		return false
	}
	r.found(s, l, ruffHead{code: ruffUnformatted, message: ruffReformat}, result.Location{Path: path})
	s.Last().ID = path // the line has no position
	return true
}

// ruffReformat is the message for a file that is not formatted.
const ruffReformat = "File would be reformatted"

// isFixes reports whether a line is in the list of --show-fixes.
func isFixes(s string) bool {
	return strings.HasPrefix(s, "- ") && strings.HasSuffix(s, ":") || strings.HasPrefix(s, "    ") && strings.Contains(s, " × ")
}

// endParts ends an open frame, difference or notice.
func (r *ruff) endParts(s *read.Sink) {
	if f := s.Last(); f != nil && !r.frame.old {
		r.frame.endOfFile(f)
	}
	s.Break()
	if r.diff != nil && len(r.run.diffs) < s.Most() {
		if f, ok := r.diff.finding(); ok {
			r.run.diffs = append(r.run.diffs, f)
		}
	}
	if n := r.notice; n != nil && len(r.notes) < s.Most() {
		r.notes = append(r.notes, *n)
	}
	r.diff, r.notice = nil, nil
}
