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

func parseRuffText(toolName string) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := newRuff(in, toolName)
		rep := r.text().Parse(in)
		rep = cmp.Or(rep, in.NewReport())
		rep.Complete = !r.partial
		return r.finish(rep)
	}
}

// ruffDocument returns a reader of a machine format and of ruff's text beside it. document returns the
// reader of the format, which sets ruff.sure if the document is ruff's.
func ruffDocument(toolName string, document func(r *ruff) func(in *tool.Input) *tool.Report) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := newRuff(in, toolName)
		r.heard = true
		rep := read.Beside(document(r), r.text())(in)
		if rep == nil || !r.sure || ruffWrote(rep, r.asked) != toolName {
			return nil
		}
		if r.lost > 0 {
			rep.Doubt = fmt.Sprintf("%d of the report's diagnostics could not be read", r.lost)
		}
		clear(rep.Counts)
		for _, f := range rep.Findings {
			countRuff(rep, f)
		}
		return r.finish(rep)
	}
}

// ruffWrote returns the tool that wrote a document: only ruff format has the rule "unformatted".
func ruffWrote(rep *tool.Report, asked string) string {
	if slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.Rule == ruffUnformatted }) {
		return ruffFormat
	}
	return cmp.Or(asked, ruffCheck)
}

// finish adds the notices to a report, and returns nil if it has nothing of the tool.
func (r *ruff) finish(rep *tool.Report) *tool.Report {
	ran := r.heard || r.runs > 0
	if files := rep.Counts["unformatted"]; files > 0 && !r.heard && files > shownFiles(rep) {
		rep.Doubt = "ruff format says that more files would be reformatted than it shows"
	}
	fatal := r.reportNotices(rep, ran)
	if panics(rep) {
		rep.Meaning = result.MeansInternal
	}
	if !ran && !fatal {
		if len(rep.Findings) == 0 {
			return nil
		}
		// There are only warnings. The run's end is not known, unless there were no files.
		rep.Complete = slices.ContainsFunc(r.notes, func(n ruffNotice) bool { return strings.HasPrefix(n.head, ruffNoFiles) })
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(a.RawSpan.Start, b.RawSpan.Start) })
	switch {
	case rep.Meaning != "" || rep.Failures() == 0:
	case !misused(rep):
		if rep.Complete { // otherwise the exit code may have another cause
			rep.Meaning = result.MeansFindings
		}
	case !ran:
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

// misused reports whether there is an error about the command line or the configuration. A file
// that does not parse is a finding about the code, although ruff format then exits with 2.
func misused(rep *tool.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
		return f.Severity == result.SevError && f.Kind != result.Diagnostic
	})
}

// keep adds a run to the report.
func (r *ruff) keep(run *ruffRun, of *tool.Report) {
	r.runs++
	r.ours = true
	for i := 0; i < len(of.Findings) && run.closing == nil; i++ {
		countRuff(r.all, of.Findings[i])
	}
	if r.all.Findings == nil {
		r.all.Findings = of.Findings
	} else {
		for _, f := range of.Findings {
			r.all.Add(f)
		}
	}
	r.all.DropAll(of)
	r.all.Covered = append(r.all.Covered, of.Covered...)
	if n := len(of.Covered); n > 0 {
		r.all.Ends = append(r.all.Ends, of.Covered[n-1].End)
	}
	if run.closing != nil {
		r.differs(run.diffs)
		run.closing.count(r.all, of)
		return
	}
	// No closing line comes if no file could be read or, with ruff format, parsed.
	read := func(f result.Finding) bool { return f.Rule != ruffIO && (r.tool != ruffFormat || f.Rule != ruffSyntax) }
	r.partial = r.partial || !run.stats && !run.bare && slices.ContainsFunc(of.Findings, read) && !ruffQuiet(r.in)
}

// differs adds the findings of --diff.
func (r *ruff) differs(diffs []result.Finding) {
	for _, f := range diffs {
		f.Message = "File would be fixed"
		if r.tool == ruffFormat {
			f.Rule, f.Message = ruffUnformatted, ruffReformat
		}
		r.all.Add(f)
		r.all.CoverSpan(f.RawSpan.Start, f.RawSpan.End)
	}
}

// count adds the numbers of the closing line to a report. If the line counts more errors than were read, the report is
// doubted.
func (t *ruffClosing) count(rep, of *tool.Report) {
	if t.tool() == ruffFormat {
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
	shown := of.Dropped
	for _, f := range of.Findings {
		shown += errorsIn(f)
	}
	if shown < t.remaining {
		rep.Doubt = "ruff says that there are more errors than it shows"
	}
}

// countRuff counts a finding of an output without a closing line.
func countRuff(rep *tool.Report, f result.Finding) {
	if f.Rule == ruffUnformatted {
		rep.Counts["unformatted"]++
	} else {
		rep.Counts["error"] += errorsIn(f)
	}
}

// errorsIn returns how many errors a finding stands for: several, if it is a rule in --statistics.
func errorsIn(f result.Finding) int {
	if n, several := f.Extra["count"].(int); several {
		return n
	}
	return 1
}

// end ends the last run, and adds the differences for which no closing line came on their stream.
func (r *ruff) end(s *read.Sink) {
	r.endRun(s)
	if len(r.diffs) > 0 && !r.heard && (r.named || r.differ != "") && cmp.Or(r.asked, r.differ, ruffCheck) == r.tool {
		r.differs(r.diffs)
		r.runs++
		r.partial = r.partial || r.differ != r.tool && !ruffQuiet(r.in)
	}
	*s.Report = *r.all
	s.Signed = r.runs > 0
}
