package parsers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/result"
)

// report adds what the run says to rep.
func (run *pytestRun) report(rep *Report, quiet bool) {
	failed, errors := run.claims(quiet)
	fails, sure := run.resolve(false, failed)
	errs, sureToo := run.resolve(true, errors)
	if !sure || !sureToo {
		rep.Doubt = "the summary lists more failures than pytest counts"
	}
	parents := 0
	for _, e := range append(errs, fails...) {
		if e.isParent() {
			parents++
			continue
		}
		rep.Add(run.finding(e))
	}
	rep.Dropped += run.dropped
	run.account(rep, failed, errors, parents, quiet)
	run.reportStops(rep)
	if rep.Version == "" {
		rep.Version = run.version
	}
	rep.Covered = append(rep.Covered, result.Span{Start: run.start, End: run.end})
}

// claims is how many failures and errors there must be; -1 is unknown.
func (run *pytestRun) claims(quiet bool) (failed, errors int) {
	switch {
	case run.counts != nil:
		return run.counts.by["failed"] + run.counts.by["subtests_failed"], run.counts.by["error"]
	case quiet && !run.header && run.letters.full:
		return run.letters.by['F'] + run.letters.by['u'], run.letters.by['E']
	}
	return -1, -1
}

// account adds the run's counts, and whether it is complete.
func (run *pytestRun) account(rep *Report, failed, errors, parents int, quiet bool) {
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

// isParent: its subtests are findings of their own.
func (e *pytestEntry) isParent() bool {
	if e.block != nil {
		return e.block.parent
	}
	return strings.HasPrefix(e.message, "contains ") && strings.Contains(e.message, " failed subtest")
}

// resolve decides which blocks and summary lines are real, as many as pytest
// says there are.
func (run *pytestRun) resolve(errors bool, claimed int) (chosen []*pytestEntry, sure bool) {
	var entries []*pytestEntry
	for i := range run.entries {
		if run.entries[i].error == errors {
			entries = append(entries, &run.entries[i])
		}
	}
	var blocks []*pytestBlock
	for _, b := range run.blocks {
		if (b.section == sectionErrors) == errors {
			blocks = append(blocks, b)
		}
	}
	pairReports(entries, blocks)
	if allPaired(entries, claimed) {
		return inOrder(entries), true
	}
	return run.choose(entries, blocks, claimed)
}

// allPaired: every summary line has its block, and they are as many as pytest
// counts. What else looks like a block was printed by a test.
func allPaired(entries []*pytestEntry, claimed int) bool {
	return claimed > 0 && len(entries) == claimed && !slices.ContainsFunc(entries, func(e *pytestEntry) bool { return e.block == nil })
}

// choose ranks what may be real: blocks outside of captured output; blocks in
// it that the summary lists; lines of the summary alone; and other blocks in
// captured output. Of all but the first it takes no more than pytest counts,
// as far as it can tell the real ones; sure says whether it could.
func (run *pytestRun) choose(entries []*pytestEntry, blocks []*pytestBlock, claimed int) (chosen []*pytestEntry, sure bool) {
	var listed, alone, likely, other []*pytestEntry
	for _, e := range append(slices.Clone(entries), unlisted(entries, blocks)...) {
		switch {
		case e.block != nil && !e.block.tainted:
			chosen = append(chosen, e)
		case e.block != nil && e.id != "":
			listed = append(listed, e)
		case e.block == nil:
			alone = append(alone, e)
		case run.plausible(e.block):
			likely = append(likely, e)
		default:
			other = append(other, e)
		}
	}
	if claimed < 0 {
		chosen = append(append(chosen, listed...), alone...)
		if len(entries) == 0 {
			chosen = append(append(chosen, likely...), other...)
		}
		return inOrder(chosen), true
	}
	alone, sure = run.cutAlone(alone, claimed-len(chosen)-len(listed))
	for _, some := range [...][]*pytestEntry{listed, alone, likely, other} {
		chosen = append(chosen, some[:max(0, min(len(some), claimed-len(chosen)))]...)
	}
	if !sure {
		chosen = append(chosen[:len(chosen):len(chosen)], alone...)
		slices.SortFunc(chosen, func(a, b *pytestEntry) int { return int(a.at() - b.at()) })
		chosen = slices.Compact(chosen)
	}
	return inOrder(chosen), sure
}

// unlisted are the blocks that no summary line names.
func unlisted(entries []*pytestEntry, blocks []*pytestBlock) (rest []*pytestEntry) {
	taken := map[*pytestBlock]bool{}
	for _, e := range entries {
		taken[e.block] = true
	}
	for _, b := range blocks {
		if !taken[b] {
			rest = append(rest, &pytestEntry{block: b, start: b.start})
		}
	}
	return rest
}

// cutAlone drops summary lines that are the rest of a message, when there are
// more than room: those of files that this run did not have. A failure must
// not be dropped, so that all stay when this does not tell.
func (run *pytestRun) cutAlone(alone []*pytestEntry, room int) (kept []*pytestEntry, sure bool) {
	if len(alone) <= room || room <= 0 {
		return alone, true
	}
	for _, e := range alone {
		if path, _, _ := strings.Cut(e.id, "::"); run.files[path] {
			kept = append(kept, e)
		}
	}
	if len(kept) == room {
		return kept, true
	}
	return alone, false
}

func inOrder(some []*pytestEntry) []*pytestEntry {
	slices.SortStableFunc(some, func(a, b *pytestEntry) int { return int(a.at() - b.at()) })
	return some
}

func (e *pytestEntry) at() int64 {
	if e.block != nil {
		return e.block.start
	}
	return e.start
}

// plausible says that a block is of a test that this run had.
func (run *pytestRun) plausible(b *pytestBlock) bool {
	return slices.ContainsFunc(b.err.frames, func(at result.Location) bool { return run.files[at.Path] })
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
		f.RawSpan = &result.Span{Start: b.start, End: b.end}
		b.fill(&f, e.message)
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

// fillAlone makes a finding of a summary line that has no block.
func (e *pytestEntry) fillAlone(f *result.Finding) {
	msg := strings.TrimSpace(e.message)
	f.MessageTruncated = msg == "" || strings.HasSuffix(msg, "...") || strings.HasPrefix(msg, `File "`)
	f.Rule = classOf(msg)
	f.Message = stripAssert(msg)
	if msg == "" {
		f.Message = "failed; pytest printed no message"
	}
	if !f.MessageTruncated {
		compareValues(f, f.Message, nil)
	}
}

// idOf finds the node id of a block that no summary line lists: in the verbose
// lines, else from the file of its first frame.
func (run *pytestRun) idOf(b *pytestBlock) string {
	if b.worker != "" {
		return b.worker
	}
	name := b.key()
	if b.when == "collect" {
		return name
	}
	for _, id := range run.failing {
		if titleOf(id, "") == name {
			return id
		}
	}
	if b.line || name == "" {
		return ""
	}
	plain, param := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		plain, param = name[:i], name[i:]
	}
	id := strings.ReplaceAll(plain, ".", "::") + param
	if b.when != "" { // the frames are the fixture's
		return id
	}
	for _, at := range append(slices.Concat(b.chainFrames()...), b.err.frames...) {
		if !b.places.external(at.Path) && !isAbsPath(at.Path) {
			return at.Path + "::" + id
		}
	}
	return id
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
	f.MessageTruncated = strings.HasPrefix(f.Message, `File "`) // the message is below it, and not shown
	b.locate(f)
	for i := range b.chain {
		f.Related = append(f.Related, b.related(&b.chain[i]))
	}
	extra := e.rest.lines()
	compareValues(f, f.Message, extra)
	b.values.fill(f)
	var text []string
	if source := cmp.Or(e.source, b.pending); source != "" {
		text = append(text, "> "+source)
	}
	text = append(text, extra...)
	text = append(text, b.output.lines()...)
	f.Detail = strings.Join(text, "\n")
}

// headline is the message of a block, and its rule. summary is how the short
// test summary begins the message, if it does.
func (b *pytestBlock) headline(summary string) (message, rule string) {
	e := &b.err
	switch {
	case b.worker != "": // which worker it was differs from run to run
		return fmt.Sprintf("worker crashed while running '%s'", b.worker), ""
	case e.set:
		rule = classOf(e.message)
		if rule == "" || e.class != "" && e.class != "None" && !b.line {
			rule = lastPart(cmp.Or(e.class, rule))
		}
		return stripAssert(e.message), rule
	case b.values.told():
		return b.values.message(), cmp.Or(lastPart(e.class), "DocTestFailure")
	case strings.HasPrefix(b.plain, "[XPASS(strict)]"):
		return strings.TrimSpace(b.plain), ""
	case b.plain == "":
		return "failed; pytest printed no message", ""
	}
	failed := "Failed: " + b.plain
	if strings.HasPrefix(failed, strings.TrimSuffix(summary, "...")) {
		return failed, "Failed" // pytest.fail(pytrace=False)
	}
	return b.plain, "" // a test that is no Python: its own text
}

// locate finds the line to open, the deepest frame in the workspace, and the
// frames that led there.
func (b *pytestBlock) locate(f *result.Finding) {
	frames := b.err.frames
	at := b.deepest(frames)
	if at < 0 {
		b.addLast(f, frames)
		return
	}
	place := frames[at]
	f.At = &place
	for i := at - 1; i >= 0 && len(f.Frames) < result.MaxFrames-1; i-- {
		if !b.places.external(frames[i].Path) {
			f.Frames = append(f.Frames, frames[i])
		}
	}
	b.addLast(f, frames[at+1:])
}

// addLast adds the frame that raised, in a library; pytest's own tell nothing.
func (b *pytestBlock) addLast(f *result.Finding, frames []result.Location) {
	if n := len(frames); n > 0 && !strings.Contains(frames[n-1].Path, "/_pytest/") {
		f.Frames = append(f.Frames, frames[n-1])
	}
}

func (b *pytestBlock) deepest(frames []result.Location) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if !b.places.external(frames[i].Path) {
			return i
		}
	}
	return -1
}

// related is a cause in the chain.
func (b *pytestBlock) related(e *pytestError) result.Related {
	rel := result.Related{Message: stripAssert(e.message)}
	if i := b.deepest(e.frames); i >= 0 {
		at := e.frames[i]
		rel.At = &at
	}
	return rel
}

// finish keeps of the frames what a finding can show: the first one, which
// names the test's file, those in the workspace, and the one that raised.
func (b *pytestBlock) finish() {
	b.name, b.title = strings.Clone(b.name), ""
	for i := range b.chain {
		b.chain[i].frames = b.keptFrames(b.chain[i].frames)
	}
	b.err.frames = b.keptFrames(b.err.frames)
}

func (b *pytestBlock) keptFrames(frames []result.Location) (kept []result.Location) {
	inside := 0
	for i := len(frames) - 1; i >= 0; i-- {
		in := !b.places.external(frames[i].Path)
		if in {
			inside++
		}
		if i == 0 || i == len(frames)-1 || in && inside <= result.MaxFrames {
			kept = append(kept, frames[i])
		}
	}
	slices.Reverse(kept)
	return kept
}

// classOf is the class of the exception that a message begins with, without
// its module: "shop.cart.OutOfStock: only 2" gives "OutOfStock".
func classOf(message string) string {
	if strings.HasPrefix(message, "assert ") {
		return "AssertionError"
	}
	name, _, colon := strings.Cut(message, ":")
	if !colon && strings.ContainsAny(name, " ") {
		return ""
	}
	name = strings.ReplaceAll(name, "<locals>", "locals")
	for part := range strings.SplitSeq(name, ".") {
		if !isIdentifier(part) {
			return ""
		}
	}
	return lastPart(name)
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func isIdentifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// stripAssert takes off the class that pytest leaves out or adds, depending on
// the style of the traceback and the quotes in the message.
func stripAssert(message string) string {
	if rest, ok := strings.CutPrefix(message, "AssertionError: assert "); ok {
		return "assert " + rest
	}
	return message
}
