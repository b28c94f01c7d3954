package pytest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/trace"
	"cairn/parsers/tool"
	"cairn/result"
)

// report adds what the run says to rep.
func (run *pytestRun) report(rep *tool.Report, quiet bool) {
	if len(run.entries) == 0 && len(run.blocks) == 0 {
		run.entries = run.verboseEntries()
	}
	run.reportFiles(rep)
	failed, errors := run.claims(quiet)
	fails, sure := run.pick(false, failed)
	errs, sureToo := run.pick(true, errors)
	if !sure || !sureToo {
		rep.Doubt = "the summary lists more failures than pytest counts"
	}
	parents := 0
	subtests := withSubtests(fails)
	for _, e := range append(errs, fails...) {
		if e.isParent(subtests) {
			parents++
			continue
		}
		rep.Add(run.finding(e))
	}
	rep.Dropped += run.dropped(len(errs)+len(fails), failed+errors)
	run.account(rep, failed, errors, parents, quiet)
	run.reportStops(rep)
	if rep.Version == "" {
		rep.Version = run.version
	}
	rep.Covered = append(rep.Covered, run.covered...)
}

// dropped is how many failures there were beyond those that are kept: as many as
// pytest counts, if it does.
func (run *pytestRun) dropped(kept, claimed int) int {
	most := max(run.spare.blocks, run.spare.entries)
	if most == 0 || claimed < 0 {
		return most
	}
	return max(1, claimed-kept)
}

// claims is how many failures and errors there must be; -1 is unknown.
func (run *pytestRun) claims(quiet bool) (failed, errors int) {
	switch {
	case run.counts != nil && run.sugar:
		return run.counts.by["failed"] + run.counts.by["error"], 0
	case run.counts != nil:
		return run.counts.by["failed"] + run.counts.by["subtests_failed"], run.counts.by["error"]
	case quiet && !run.header && (run.letters.full || len(run.stopped) > 0):
		return run.quietClaims()
	}
	return -1, -1
}

// quietClaims counts the letters. Those of subtests may be lost in what a test
// captures: where all others are listed, the summary counts.
func (run *pytestRun) quietClaims() (failed, errors int) {
	listed, subtests, errs := 0, 0, 0
	for i := range run.entries {
		switch e := &run.entries[i]; {
		case e.desc != "":
			subtests++
		case e.error:
			errs++
		default:
			listed++
		}
	}
	errors = max(errs, run.letters.by['E']) // those of the collection have no letter
	if listed == run.letters.by['F'] && subtests > 0 {
		return listed + subtests, errors
	}
	return max(listed+subtests, run.letters.by['F']+run.letters.by['u']), errors
}

// account adds the run's counts, and whether it is complete.
func (run *pytestRun) account(rep *tool.Report, failed, errors, parents int, quiet bool) {
	switch {
	case failed < 0:
		rep.Complete, rep.NoTests = false, false
		rep.Doubt = cmp.Or(rep.Doubt, run.doubt())
		return
	case run.counts == nil:
		rep.Tested, rep.NoTests = true, false
		rep.Counts["failed"] += failed
		rep.Counts["error"] += errors
		rep.Counts["passed"] += run.letters.by['.']
		rep.Counts["skipped"] += run.letters.by['s']
	default:
		for k, n := range run.counts.by {
			rep.Counts[k] += n
		}
		ran := run.counts.ran() > 0
		rep.Tested = rep.Tested || ran && !run.counts.collect
		rep.NoTests = rep.NoTests && !ran && (run.counts.none || !run.counts.collect)
	}
	if run.counts != nil && !run.closed {
		rep.Doubt = cmp.Or(rep.Doubt, "more failures follow pytest's closing line")
	}
	rep.Claimed = max(rep.Claimed, 0) + failed + errors - parents
}

// doubt says why a run without its closing line is not to be believed.
func (run *pytestRun) doubt() string {
	s := "the output ends before pytest's closing line"
	if run.current != "" && (run.section == sectionStart || run.section == sectionUnknown) {
		s += "; running then: " + run.current
	}
	return s
}

// withSubtests are the tests of which subtests failed, by node id.
func withSubtests(entries []*pytestEntry) map[string]bool {
	ids := map[string]bool{}
	for _, e := range entries {
		if e.desc != "" {
			ids[e.id] = true
		}
	}
	return ids
}

// isParent: its subtests are findings of their own. Where there was no room to
// say so, a test with failed subtests has no failure beside theirs.
func (e *pytestEntry) isParent(subtests map[string]bool) bool {
	if e.block != nil {
		return e.block.parent
	}
	if e.desc != "" || e.error {
		return false
	}
	said, cut := strings.CutSuffix(e.message, "...")
	if subtests[e.id] && (e.message == "" || cut && (strings.HasPrefix(said, "contains ") || strings.HasPrefix("contains ", said))) {
		return true
	}
	return strings.HasPrefix(e.message, "contains ") && strings.Contains(e.message, " failed subtest")
}

// finding is one failed test.
func (run *pytestRun) finding(e *pytestEntry) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: "FAILED", ID: e.id, RawSpan: &result.Span{Start: e.start, End: e.end}}
	if e.error || e.block != nil && e.block.section == sectionErrors {
		f.Severity, f.RawSeverity = result.SevError, "ERROR"
	}
	if e.desc != "" {
		f.RawSeverity = "SUBFAILED"
	}
	if b := e.block; b != nil {
		if f.ID == "" {
			f.ID = run.idOf(b)
		}
		if e.end == 0 || !b.line || b.plain != "None" { // which tells less than the summary
			f.RawSpan = &result.Span{Start: b.start, End: b.end}
		}
		b.fill(&f, cmp.Or(e.message, run.noMessage(e)))
	} else {
		e.fillAlone(&f)
	}
	f.Suite, f.Name, f.Params = splitNodeID(f.ID)
	if e.desc != "" {
		f.ID += " " + e.desc
	}
	if f.At == nil {
		if path, _, _ := strings.Cut(f.ID, "::"); isNodePath(path) {
			f.At = &result.Location{Path: path}
		}
	}
	return f
}

// noMessage says why a summary line has no message: "..." where there was no
// room for it, or where none tells of pytest.fail(pytrace=False) before version 8.
func (run *pytestRun) noMessage(e *pytestEntry) string {
	const least = len(" - ...")
	if e.block != nil && e.block.when == "collect" {
		return ""
	}
	if e.text == "" || run.width > 0 && len("FAILED ")+utf8.RuneCountInString(e.text)+len(e.desc)+least > run.width {
		return "..."
	}
	if _, name, _ := splitNodeID(e.id); strings.HasPrefix(name, "test") {
		return "..."
	}
	return ""
}

// fillAlone makes a finding of a summary line that has no block.
func (e *pytestEntry) fillAlone(f *result.Finding) {
	msg := strings.TrimSpace(e.message)
	f.MessageTruncated = msg == "" || strings.HasSuffix(msg, "...") || strings.HasPrefix(msg, `File "`)
	f.Rule = trace.ClassOf(msg)
	f.Message = stripAssert(msg)
	if msg == "" {
		f.Message = saidNothing
	}
	if !f.MessageTruncated {
		compareValues(f, f.Message, nil)
	}
}

func (b *pytestBlock) chainFrames() (all [][]result.Location) {
	for i := range b.chain {
		all = append(all, b.chain[i].frames)
	}
	return all
}

// splitNodeID takes "tests/a.py::TestA::test_b[1-2]" apart.
func splitNodeID(id string) (suite []string, name, params string) {
	path, rest, ok := strings.Cut(id, "::")
	if !ok {
		return nil, "", ""
	}
	if i := strings.IndexByte(rest, '['); i >= 0 && strings.HasSuffix(rest, "]") {
		rest, params = rest[:i], rest[i+1:len(rest)-1]
	}
	parts := strings.Split(rest, "::")
	return append([]string{path}, parts[:len(parts)-1]...), parts[len(parts)-1], params
}

// fill puts what the block tells into f.
func (b *pytestBlock) fill(f *result.Finding, summary string) {
	e := &b.err
	f.Message, f.Rule = b.headline(summary)
	f.MessageTruncated = f.Message == saidNothing || strings.HasPrefix(f.Message, `File "`) // the message is below it, and not shown
	b.locate(f)
	for i := len(b.chain) - 1; i >= 0; i-- { // the cause that is nearest first
		f.Related = append(f.Related, b.related(&b.chain[i]))
	}
	f.Related = append(f.Related, b.moreDoctests()...)
	extra := e.rest.Lines()
	compareValues(f, f.Message, extra)
	b.values.fill(f)
	var text []string
	if source := cmp.Or(e.source, b.pending); source != "" {
		text = append(text, "> "+source)
	}
	text = append(text, extra...)
	text = append(text, b.output.Lines()...)
	f.Detail = strings.Join(text, "\n")
}

// locate finds the line to open, the deepest frame in the workspace, and the
// frames that led there.
func (b *pytestBlock) locate(f *result.Finding) {
	frames := b.err.frames
	at := b.deepest(frames)
	if at < 0 {
		if at = outside(frames); at < 0 {
			b.addLast(f, frames)
			return
		}
		frames[at].External = true
	}
	spot := frames[at]
	f.At = &spot
	for i := at - 1; i >= 0 && len(f.Frames) < result.MaxFrames-1; i-- {
		if !b.files.External(frames[i].Path) {
			f.Frames = append(f.Frames, frames[i])
		}
	}
	b.addLast(f, frames[at+1:])
}

// addLast adds the frame that raised the exception, if it is in a library. Frames of
// pytest itself tell nothing.
func (b *pytestBlock) addLast(f *result.Finding, frames []result.Location) {
	if n := len(frames); n > 0 && !strings.Contains(frames[n-1].Path, "/_pytest/") {
		f.Frames = append(f.Frames, frames[n-1])
	}
}

func (b *pytestBlock) deepest(frames []result.Location) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if !b.files.External(frames[i].Path) {
			return i
		}
	}
	return -1
}

// outside is the deepest frame in a file that is neither Python's own nor installed: a
// test may lie outside of the workspace.
func outside(frames []result.Location) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if path := frames[i].Path; strings.HasSuffix(path, ".py") && !strings.Contains(path, "/lib/python") && !strings.Contains(path, "-packages/") && path[0] != '<' {
			return i
		}
	}
	return -1
}

// related is a cause in the chain.
func (b *pytestBlock) related(e *pytestError) result.Related {
	rel := result.Related{Message: e.link + stripAssert(e.message)}
	if i := b.deepest(e.frames); i >= 0 {
		at := e.frames[i]
		rel.At = &at
	}
	return rel
}

// finish keeps of the frames what a finding can show: the test's own, which
// names its file, those in the workspace, and the one that raised.
func (b *pytestBlock) finish() {
	b.name, b.title = strings.Clone(b.name), ""
	b.firstDoctest()
	test := b.testFunction()
	for i := range b.chain {
		b.chain[i].frames = b.keptFrames(b.chain[i].frames, test)
	}
	b.err.frames = b.keptFrames(b.err.frames, test)
}

func (b *pytestBlock) keptFrames(frames []result.Location, test string) (kept []result.Location) {
	inside := 0
	for i := len(frames) - 1; i >= 0; i-- {
		in := !b.files.External(frames[i].Path)
		if in {
			inside++
		}
		if i == 0 || i == len(frames)-1 || in && frames[i].Function == test || in && inside <= result.MaxFrames {
			kept = append(kept, frames[i])
		}
	}
	slices.Reverse(kept)
	return kept
}
