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

// ruffOutput is all that ruff said in an output: text of both streams, beside a document
// or alone.
type ruffOutput struct {
	in      *tool.Input
	asked   string // the tool that argv runs
	named   bool   // ruff is in the command line
	flake8  bool   // the command is flake8
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

// ruffDocument reads a machine format, and beside it what ruff said in words. read gives
// the reader of the document, and what is ruff's says o.sure.
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

// ruffWrote is the tool that wrote a document: only ruff format says "unformatted".
func ruffWrote(rep *tool.Report, asked string) string {
	if slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.Rule == ruffUnformatted }) {
		return ruffFormat
	}
	return cmp.Or(asked, ruffCheck)
}

// report is what belongs to one of the tools of a text; nil if nothing does.
func (o *ruffOutput) report(toolName string) *tool.Report {
	rep := o.in.NewReport()
	rep.Complete = true
	return o.finish(rep, toolName, false)
}

// finish adds what was said in words; heard: beside a document.
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
		case f.Rule != ruffUnformatted || f.At == nil:
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

// countRuff counts a finding where no closing line does.
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

// reportRuns adds the runs of one stream that are the tool's.
func (o *ruffOutput) reportRuns(rep *tool.Report, r *ruffReader, toolName string) (n int) {
	for _, run := range r.runs {
		if !o.accepts(run, n > 0) || o.owner(run) != toolName {
			continue
		}
		n++
		run.report(rep, toolName)
		ended := run.closed || run.stats || run.bare || run.unread(toolName) || ruffQuiet(o.in)
		rep.Complete = rep.Complete && (ended || len(run.items) == 0 && o.diffOwner() == toolName)
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
