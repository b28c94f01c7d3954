package ruff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

func parseRuffText(toolName string) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := newRuff(in, toolName)
		rep := r.text().Parse(in)
		if rep == nil {
			rep = in.NewReport()
		}
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
