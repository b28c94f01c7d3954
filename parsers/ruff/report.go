package ruff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffOutput is all that ruff said in an output: text of both streams, and
// perhaps a document.
type ruffOutput struct {
	in      *tool.Input
	asked   string // the tool that argv runs
	named   bool   // ruff is in the command line
	flake8  bool   // the command is flake8
	readers [2]*ruffReader
	doc     *ruffDoc
}

// ruffDoc is what a machine format holds.
type ruffDoc struct {
	findings []result.Finding
	dropped  int
	beyond   map[result.Severity]int // of dropped
	lost     int                     // diagnostics that could not be read
	names    int                     // how often a document says that it is ruff's
	covered  []result.Span
	seen     bool // its own marks were there
	whole    bool // it was closed
	version  string
}

func newRuffDoc() *ruffDoc { return &ruffDoc{beyond: map[result.Severity]int{}} }

func (d *ruffDoc) add(f result.Finding, start, end int64) {
	d.seen = true
	if len(d.findings) >= tool.MaxFindings {
		d.dropped++
		d.beyond[f.Severity]++
		return
	}
	f.RawSpan = &result.Span{Start: start, End: end}
	d.findings = append(d.findings, f)
}

// tool is the one whose document it is: only ruff format says "unformatted".
func (d *ruffDoc) tool(asked string) string {
	if slices.ContainsFunc(d.findings, func(f result.Finding) bool { return f.Rule == unformatted }) {
		return ruffFormat
	}
	return cmp.Or(asked, ruffCheck)
}

func newRuffOutput(in *tool.Input) *ruffOutput {
	o := &ruffOutput{in: in}
	o.asked, o.named = ruffAsked(in)
	if c := in.Command(); c.Direct {
		o.flake8 = slices.Contains(flake8s, c.Program())
	}
	for i := range o.readers {
		o.readers[i] = newRuffReader(o.asked)
	}
	return o
}

func (o *ruffOutput) line(l tool.Line) { o.readers[l.Stream-tool.Stdout].line(l) }

func parseRuffText(toolName string) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		o := newRuffOutput(in)
		for l := range in.Lines() {
			o.line(l)
		}
		return o.report(toolName)
	}
}

// parseRuffDoc reads a machine format, and beside it what ruff said in words.
func parseRuffDoc(toolName string, read func(*tool.Input, *ruffOutput) *ruffDoc) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		o := newRuffOutput(in)
		o.doc = read(in, o)
		if !o.doc.seen || o.doc.tool(o.asked) != toolName {
			return nil
		}
		return o.report(toolName)
	}
}

// report is what belongs to one of the tools; nil if nothing does.
func (o *ruffOutput) report(toolName string) *tool.Report {
	rep := tool.NewReport()
	rep.Complete = true
	heard := o.doc != nil
	if heard {
		o.reportDoc(rep)
	}
	runs := 0
	for _, r := range o.readers {
		r.finish()
		if o.doc == nil {
			runs += o.reportRuns(rep, r, toolName)
		}
	}
	if files := rep.Counts["unformatted"]; files > 0 && o.doc == nil && files > shownFiles(rep) {
		rep.Doubt = "ruff format says that more files would be reformatted than it shows"
	}
	fatal := o.reportNotices(rep, toolName, heard || runs > 0)
	if panics(rep) {
		rep.Meaning = result.MeansInternal
	}
	if !heard && runs == 0 && !fatal {
		if len(rep.Findings) == 0 {
			return nil
		}
		rep.Complete = o.noFiles() // else warnings, and no word of how it ended
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	switch {
	case rep.Meaning != "" || rep.Failures() == 0:
	case !misused(rep):
		if rep.Complete { // else whatever ended it may be what the exit code tells
			rep.Meaning = result.MeansFindings
		}
	case !heard && runs == 0:
		rep.Meaning = result.MeansUsage
	}
	return rep
}

// shownFiles counts the files that are not formatted. Of a notebook, each cell is
// a finding.
func shownFiles(rep *tool.Report) int {
	n, notebooks := rep.Dropped, make(map[string]bool)
	for _, f := range rep.Findings {
		switch {
		case f.Rule != unformatted || f.At == nil:
		case f.At.Label != "":
			notebooks[f.At.Path] = true
		default:
			n++
		}
	}
	return n + len(notebooks)
}

// noFiles: there was nothing to look at, which is all that is said then.
func (o *ruffOutput) noFiles() bool {
	return slices.ContainsFunc(o.readers[tool.Stderr-tool.Stdout].notes, func(n ruffNotice) bool { return strings.HasPrefix(n.head, ruffNoFiles) })
}

// misused: something is said that is about no file of the code. Where ruff
// format exits 2 because files do not parse, that is a finding.
func misused(rep *tool.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
		return f.Severity == result.SevError && f.Kind != result.Diagnostic
	})
}

func (o *ruffOutput) reportDoc(rep *tool.Report) {
	d := o.doc
	rep.Findings = d.findings
	for severity, n := range d.beyond {
		rep.Drop(severity, n)
	}
	rep.Complete, rep.Version = d.whole, d.version
	rep.Covered = append(rep.Covered, d.covered...)
	if d.lost > 0 {
		rep.Doubt = fmt.Sprintf("%d of the report's diagnostics could not be read", d.lost)
	}
	for _, f := range d.findings {
		countRuff(rep, f)
	}
}

// countRuff counts a finding where no closing line does.
func countRuff(rep *tool.Report, f result.Finding) {
	if f.Rule == unformatted {
		rep.Counts["unformatted"]++
		return
	}
	n, several := f.Extra["count"].(int)
	if !several {
		n = 1
	}
	rep.Counts["error"] += n
}

// reportRuns adds the runs of one stream that are the tool's.
func (o *ruffOutput) reportRuns(rep *tool.Report, r *ruffReader, toolName string) (n int) {
	for _, run := range r.runs {
		if !o.accepts(run, n > 0) || o.owner(run) != toolName {
			continue
		}
		n++
		run.report(rep, toolName)
		rep.Complete = rep.Complete && (run.closed || run.stats || run.bare || run.unread(toolName) || ruffQuiet(o.in) || len(run.items) == 0 && o.diffOwner() == toolName)
	}
	return n
}

// unread: ruff format has no closing line where it could read or parse none of
// the files.
func (run *ruffRun) unread(toolName string) bool {
	unformattable := func(f result.Finding) bool { return f.Rule == ruffIO || toolName == ruffFormat && f.Rule == ruffSyntax }
	return len(run.items) > 0 && !slices.ContainsFunc(run.items, func(f result.Finding) bool { return !unformattable(f) })
}

// accepts says whether a run is ruff's: flake8 prints lines like those of the
// concise format, biome and ty close like ruff.
func (o *ruffOutput) accepts(run *ruffRun, after bool) bool {
	found := len(run.items) + len(run.diffs) + run.dropped
	switch {
	case o.mayBeFlake8(run):
		return false
	case run.certain:
		return true
	case run.closed:
		switch run.closing.kind {
		case ruffClosingFound:
			return o.named || len(run.items) > 0 || run.closing.fixed > 0
		case ruffClosingFixed:
			return o.named
		case ruffClosingPassed:
			return o.in.Command().Program() != "ty"
		}
		return true
	}
	if len(run.items) == 0 && o.asked == "" {
		return len(run.diffs) > 0 && o.diffOwner() != ""
	}
	return o.named && found > 0 && !after
}

// owner is the tool of a run.
func (o *ruffOutput) owner(run *ruffRun) string {
	if len(run.diffs) > 0 && !run.closed {
		return cmp.Or(run.tool, o.asked, o.diffOwner(), ruffCheck)
	}
	return cmp.Or(run.tool, o.asked, ruffCheck)
}

// diffOwner is the tool whose closing line stands on the other stream: that is
// where ruff format --diff prints it.
func (o *ruffOutput) diffOwner() string {
	for _, r := range o.readers {
		for _, run := range r.runs {
			if run.closed && (run.closing.kind == ruffClosingFormat || run.closing.kind == ruffClosingDiff) {
				return run.closing.tool()
			}
		}
	}
	return ""
}

// report adds one run.
func (run *ruffRun) report(rep *tool.Report, toolName string) {
	for _, f := range run.items {
		rep.Add(f)
	}
	for _, f := range run.diffs {
		rep.Add(told(f, toolName))
		rep.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
	}
	rep.Drop(result.SevError, run.dropped) // text has no other severity
	rep.Covered = append(rep.Covered, run.lines...)
	if !run.closed {
		for _, f := range run.items {
			countRuff(rep, f)
		}
		return
	}
	run.count(rep, toolName)
}

// count takes the numbers of the closing line, and doubts what does not add up.
func (run *ruffRun) count(rep *tool.Report, toolName string) {
	t, shown := run.closing, len(run.items)+run.dropped
	if toolName == ruffFormat {
		rep.Counts["unformatted"] += t.changed * lex.Btoi(t.kind == ruffClosingFormat)
		return
	}
	if t.fixed > 0 {
		rep.Counts["fixed"] += t.fixed
	}
	if t.kind == ruffClosingFixed {
		return // it does not say how many are left
	}
	rep.Counts["error"] += t.remaining
	if run.stats {
		shown = 0
		for _, f := range run.items {
			n, _ := f.Extra["count"].(int)
			shown += n
		}
	}
	if shown < t.remaining {
		rep.Doubt = "ruff says that there are more errors than it shows"
	}
}

// reportNotices adds what ruff said of itself, and says whether it was that it
// could not go on.
func (o *ruffOutput) reportNotices(rep *tool.Report, toolName string, heard bool) (fatal bool) {
	other := o.other(false)
	unparsed := o.other(true)
	for _, r := range o.readers {
		for i := range r.notes {
			n := &r.notes[i]
			owner := cmp.Or(n.tool(), o.asked, other)
			if n.syntax() {
				owner = cmp.Or(o.asked, unparsed)
			}
			if owner != toolName || !n.certain() && o.asked == "" {
				continue
			}
			f := n.finding()
			if f.Rule == ruffSyntax && o.saidAgain(rep, f) || n.asksOnly() && panics(rep) {
				rep.CoverSpan(n.start, n.end)
				continue
			}
			rep.Add(f)
			rep.Covered = append(rep.Covered, result.Span{Start: n.start, End: n.end})
			fatal = fatal || f.Severity == result.SevError && (f.Kind != result.Diagnostic || !heard)
		}
	}
	return fatal
}

func panics(rep *tool.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.Kind == result.Panic })
}

// saidAgain: ruff 0.4 says on stderr what it says again on stdout, where the
// path may be absolute.
func (o *ruffOutput) saidAgain(rep *tool.Report, f result.Finding) bool {
	path, _ := o.in.Workspace.Path(f.At.Path)
	return slices.ContainsFunc(rep.Findings, func(g result.Finding) bool {
		if g.At == nil || f.At.Line > 0 && g.At.Line != f.At.Line || g.Rule != ruffSyntax && g.Rule != "E999" {
			return false
		}
		other, _ := o.in.Workspace.Path(g.At.Path)
		return other == path
	})
}

// other is the tool under which a notice is reported that does not say whose it is,
// where both tools ran: it is reported once. That a file does not parse is a notice of
// ruff format, and of ruff check before 0.5, which then prints E999 too.
func (o *ruffOutput) other(unparsed bool) string {
	check, format := false, false
	for _, r := range o.readers {
		for _, run := range r.runs {
			says := !unparsed || slices.ContainsFunc(run.items, func(f result.Finding) bool { return f.Rule == "E999" })
			check = check || says && run.closed && run.closing.tool() == ruffCheck
			format = format || run.tool == ruffFormat
		}
	}
	if format && !check {
		return ruffFormat
	}
	return ruffCheck
}
