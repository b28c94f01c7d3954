package ruff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffOutput holds ruff's text on both streams of an output. A document in a machine format may be beside the text.
type ruffOutput struct {
	in      *tool.Input
	asked   string // the tool that argv runs; "" if argv runs neither
	named   bool   // "ruff" occurs in the command line
	flake8  bool   // the command is flake8, or a program that prints like it
	readers [2]*ruffReader

	lost int  // diagnostics of a document that could not be read
	sure bool // the document is ruff's
}

func newRuffOutput(in *tool.Input) *ruffOutput {
	o := &ruffOutput{in: in}
	o.asked, o.named = ruffAsked(in)
	if c := in.Command(); c.Direct {
		o.flake8 = slices.Contains(flake8s, c.Program())
	}
	for i := range o.readers {
		o.readers[i] = newRuffReader(o.asked, in.Most())
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

// ruffDocument returns a reader of a machine format and of ruff's text beside it. document returns the
// reader of the format, which sets o.sure if the document is ruff's.
func ruffDocument(toolName string, document func(o *ruffOutput) func(in *tool.Input) *tool.Report) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		o := newRuffOutput(in)
		words := read.Text{Line: func(_ *read.Sink, l tool.Line) bool { o.line(l); return false }}
		rep := read.Beside(document(o), words)(in)
		if rep == nil || !o.sure || ruffWrote(rep, o.asked) != toolName {
			return nil
		}
		if o.lost > 0 {
			rep.Doubt = fmt.Sprintf("%d of the report's diagnostics could not be read", o.lost)
		}
		for _, f := range rep.Findings {
			countRuff(rep, f)
		}
		return o.finish(rep, toolName, true)
	}
}

// ruffWrote returns the tool that wrote a document: only ruff format has the rule "unformatted".
func ruffWrote(rep *tool.Report, asked string) string {
	if slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.Rule == ruffUnformatted }) {
		return ruffFormat
	}
	return cmp.Or(asked, ruffCheck)
}

// report returns the report of one of the two tools on a text; nil if the text has nothing of that tool.
func (o *ruffOutput) report(toolName string) *tool.Report {
	rep := o.in.NewReport()
	rep.Complete = true
	return o.finish(rep, toolName, false)
}

// finish adds the text's runs and notices to a report. heard is set if rep is from a document, which
// then has the findings in place of the runs.
func (o *ruffOutput) finish(rep *tool.Report, toolName string, heard bool) *tool.Report {
	runs := 0
	for _, r := range o.readers {
		r.finish()
		if !heard {
			runs += o.reportRuns(rep, r, toolName)
		}
	}
	if files := rep.Counts["unformatted"]; files > 0 && !heard && files > shownFiles(rep) {
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
		rep.Complete = o.noFiles() // otherwise there are only warnings, and the run's end is not known
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	switch {
	case rep.Meaning != "" || rep.Failures() == 0:
	case !misused(rep):
		if rep.Complete { // otherwise the exit code may have another cause
			rep.Meaning = result.MeansFindings
		}
	case !heard && runs == 0:
		rep.Meaning = result.MeansUsage
	}
	return rep
}

// shownFiles counts the files with findings of ruff format. A notebook, whose cells are findings
// of their own, counts once.
func shownFiles(rep *tool.Report) int {
	n, notebooks := rep.Dropped, make(map[string]bool)
	for _, f := range rep.Findings {
		switch {
		case f.Rule != ruffUnformatted || f.At == nil:
		case f.At.Label != "":
			notebooks[f.At.Path] = true
		default:
			n++
		}
	}
	return n + len(notebooks)
}

// noFiles reports whether ruff printed that there were no files to read, its only line in this case.
func (o *ruffOutput) noFiles() bool {
	return slices.ContainsFunc(o.readers[tool.Stderr-tool.Stdout].notes, func(n ruffNotice) bool { return strings.HasPrefix(n.head, ruffNoFiles) })
}

// misused reports whether there is an error about the command line or the configuration. A file
// that does not parse is a finding about the code, although ruff format then exits with 2.
func misused(rep *tool.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
		return f.Severity == result.SevError && f.Kind != result.Diagnostic
	})
}

// countRuff counts a finding of an output without a closing line.
func countRuff(rep *tool.Report, f result.Finding) {
	if f.Rule == ruffUnformatted {
		rep.Counts["unformatted"]++
		return
	}
	n, several := f.Extra["count"].(int)
	if !several {
		n = 1
	}
	rep.Counts["error"] += n
}

// reportRuns adds the runs of one stream that are the tool's, and returns their number.
func (o *ruffOutput) reportRuns(rep *tool.Report, r *ruffReader, toolName string) (n int) {
	for _, run := range r.runs {
		if !o.accepts(run, n > 0) || o.owner(run) != toolName {
			continue
		}
		n++
		run.report(rep, toolName)
		if k := len(run.lines); k > 0 {
			rep.Ends = append(rep.Ends, run.lines[k-1].End)
		}
		ended := run.closed || run.stats || run.bare || run.unread(toolName) || ruffQuiet(o.in)
		rep.Complete = rep.Complete && (ended || len(run.items) == 0 && o.diffOwner() == toolName)
	}
	return n
}

// unread reports whether no file could be read or, with ruff format, parsed. ruff format then prints no closing line.
func (run *ruffRun) unread(toolName string) bool {
	unformattable := func(f result.Finding) bool { return f.Rule == ruffIO || toolName == ruffFormat && f.Rule == ruffSyntax }
	return len(run.items) > 0 && !slices.ContainsFunc(run.items, func(f result.Finding) bool { return !unformattable(f) })
}

// accepts reports whether a run is ruff's: flake8 prints lines like those of the concise format, and
// the closing lines of biome and ty look like ruff's. after is set for a run after an accepted one.
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

// owner returns the tool of a run.
func (o *ruffOutput) owner(run *ruffRun) string {
	if len(run.diffs) > 0 && !run.closed {
		return cmp.Or(run.tool, o.asked, o.diffOwner(), ruffCheck)
	}
	return cmp.Or(run.tool, o.asked, ruffCheck)
}

// diffOwner returns the tool that printed a diff, from a closing line on either stream: that of
// "ruff format --diff" is on stderr. It is "" if there is no closing line.
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

// report adds one run to a report.
func (run *ruffRun) report(rep *tool.Report, toolName string) {
	for _, f := range run.items {
		rep.Add(f)
	}
	for _, f := range run.diffs {
		rep.Add(told(f, toolName))
		rep.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
	}
	rep.Drop(result.SevError, run.dropped) // every finding in ruff's text is an error
	rep.Covered = append(rep.Covered, run.lines...)
	if !run.closed {
		for _, f := range run.items {
			countRuff(rep, f)
		}
		return
	}
	run.count(rep, toolName)
}

// count takes the numbers of the closing line. If the line counts more errors than were read, the report is doubted.
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
		return // the line does not say how many errors are left
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
