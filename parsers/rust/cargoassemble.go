package rust

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/tool"
	"cairn/result"
)

// addTests assigns the blocks to their targets, and reports the failures of both.
func (run *cargoRun) addTests() {
	free := slices.DeleteFunc(slices.Clone(run.blocks), func(b *libtestBlock) bool { return b.target != nil || b.joins != nil })
	waiting := slices.DeleteFunc(slices.Clone(run.targets), func(t *cargoTarget) bool { return len(t.blocks) > 0 })
	free = joinQuietDocs(free, waiting)
	alignTargets(free, waiting)
	for _, b := range run.blocks {
		if b.joins != nil && b.joins.target != nil && b.target == nil {
			attach(b, b.joins.target)
		}
	}
	for _, b := range run.blocks {
		run.addBlock(b)
		switch {
		case run.report.Doubt != "":
		case b.announced == headless:
			run.report.Doubt = "the beginning of a test binary's output is missing"
		case b.result == nil && !run.accounted(b):
			run.report.Doubt = "a test binary printed no closing line"
		}
	}
	for _, t := range run.targets {
		if t.failed && len(t.blocks) == 0 && !run.explained(t) {
			run.addFinding(run.endedEarly(t, nil))
		}
	}
	for _, t := range run.listing { // the beginning of the output may be missing
		if !slices.ContainsFunc(run.targets, func(told *cargoTarget) bool { return told.rerun == t.rerun }) {
			f := run.endedEarly(&t, nil)
			f.Message = "failed, and its output is missing: " + t.rerun
			run.addFinding(f)
		}
	}
}

// explained says whether the target failed to start for a reason that has been reported.
func (run *cargoRun) explained(t *cargoTarget) bool {
	return t.kind == "doc" && len(run.report.Findings) > 0 && t.cause == "" && t.header
}

func (run *cargoRun) addFinding(f result.Finding) {
	run.report.Claimed++
	run.report.Add(f)
}

// addBlock reports the failed tests of a block, and a process that ended before its closing line.
func (run *cargoRun) addBlock(b *libtestBlock) {
	names := b.failures()
	run.tell(b, names)
	run.explainErrors(b, names)
	for _, name := range names {
		run.addFinding(run.test(b, name))
	}
	if b.result != nil {
		unnamed := max(0, b.result.failed-len(names))
		run.report.Claimed += unnamed
		run.report.Dropped += min(unnamed, b.more)
		return
	}
	if run.endsEarly(b.target, len(names)) {
		run.addFinding(run.endedEarly(b.target, b))
	} else if !run.accounted(b) && !run.in.Truncated {
		run.addUnfinished(b)
	}
}

// endsEarly says whether the process of a target failed for a reason that none of its tests explains.
func (run *cargoRun) endsEarly(t *cargoTarget, told int) bool {
	switch {
	case t == nil:
		return false
	case t.cause != "", t.failed && told == 0:
		return true
	}
	return t.header && run.followed(t) && !run.in.Truncated
}

// tell adds the tests of a block to the report, with the ids that findings have.
func (run *cargoRun) tell(b *libtestBlock, failed []string) {
	var f result.Finding
	for _, t := range b.believed(failed) {
		f.Name = t.ID
		run.identify(&f, b)
		t.ID = f.ID
		run.report.Ran(t)
	}
	b.ran = nil
	if b.result == nil {
		run.report.Unread("a test binary ended before its last test")
	}
}

// believed are the verdicts of a block that count. A test may print a line that looks like a failed test; the list at
// the end has the real ones. If the closing line counts the others as passed, they passed and their own verdict line is
// missing; else they are no tests.
func (b *libtestBlock) believed(failed []string) []tool.Test {
	if b.result == nil || len(failed) != b.result.failed || b.more > 0 {
		return b.ran
	}
	passed, mistaken := 0, 0
	isMistaken := func(t tool.Test) bool {
		_, listed := slices.BinarySearch(failed, t.ID)
		return t.Outcome == tool.Failed && !listed
	}
	for _, t := range b.ran {
		if isMistaken(t) {
			mistaken++
		} else if t.Outcome == tool.Passed {
			passed++
		}
	}
	if passed+mistaken != b.result.passed {
		return slices.DeleteFunc(b.ran, isMistaken)
	}
	for i := range b.ran {
		if isMistaken(b.ran[i]) {
			b.ran[i].Outcome = tool.Passed
		}
	}
	return b.ran
}

// accounted says whether it is known why the block has no closing line.
func (run *cargoRun) accounted(b *libtestBlock) bool {
	t := b.target
	return t != nil && (t.cause != "" || t.failed || run.followed(t))
}

// followed says whether another target came after this one, which means that this one has ended.
func (run *cargoRun) followed(t *cargoTarget) bool {
	return len(run.targets) > 0 && run.targets[len(run.targets)-1] != t
}

// test is the finding for one failed test.
func (run *cargoRun) test(b *libtestBlock, name string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: notSaid}
	loose := run.looseOf(b, name)
	switch found := b.found[name]; {
	case found != nil && (!b.unsure[name] || len(loose) == 0):
		f = *found
		if len(loose) > 0 && f.At == nil && f.Expected != "" { // should_panic: libtest says no place
			f.At = loose[len(loose)-1].at
		}
		if b.target != nil && f.At == nil && strings.HasPrefix(f.Message, mimicPanicked) {
			placeMimic(&f, b.target.loose.everyPanic())
		}
	case len(loose) > 0:
		fillRustPanics(&f, loose, name)
		f.RawSpan = spanOfPanics(loose)
	case isDocTest(name): // under --nocapture, the output does not show which test printed a line
		placeDocTest(&f, name)
	}
	if b.target != nil && ofTrybuild(&f) {
		f.Related = append(f.Related, slices.Concat(b.loose.cases, b.target.loose.cases)...)
	}
	if f.RawSpan == nil {
		span := b.spans[name]
		if span.End == 0 {
			span = result.Span{Start: b.start, End: b.end}
		}
		f.RawSpan = &span
	}
	f.Name = name
	switch {
	case f.Message != notSaid:
	case b.announced == headless:
		f.Message = "failed; what it said is missing"
	case b.result == nil:
		f.Message = "failed; the process ended before it could say why"
	}
	run.identify(&f, b)
	return f
}

// explainErrors assigns the "Error: …" lines that were not captured to the failed tests without any other reason: in
// order if tests ran one after the other, else only if there is one line and one test.
func (run *cargoRun) explainErrors(b *libtestBlock, failed []string) {
	if b.target == nil || len(b.target.loose.errors) == 0 {
		return
	}
	var silent []string
	for _, name := range b.marked {
		if f := b.found[name]; slices.Contains(failed, name) && (f == nil || b.unsure[name]) && len(run.looseOf(b, name)) == 0 {
			silent = append(silent, name)
		}
	}
	errors := b.target.loose.errors
	if len(silent) != len(errors) || len(silent) > 1 && b.serial == nil {
		return
	}
	for i, name := range silent {
		f := errors[i].finding(name)
		b.found[name], b.unsure[name] = &f, false
	}
}

// finding is the finding for the test that printed the error.
func (e *looseError) finding(test string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, RawSpan: &e.span}
	if p := e.hook; p != nil {
		fillRustPanics(&f, []*rustPanic{p}, test)
		f.RawSpan = &result.Span{Start: p.start, End: p.end}
		return f
	}
	e.fill(&f)
	return f
}

// looseOf are the panics of a test that were not captured: those in the block, or else on cargo's stream.
func (run *cargoRun) looseOf(b *libtestBlock, name string) []*rustPanic {
	isTest := func(thread string) bool { return b.spans[thread].End > 0 }
	if all := b.loose.of(name, isTest); len(all) > 0 || b.target == nil {
		return all
	}
	return b.target.loose.of(name, isTest)
}

func (run *cargoRun) identify(f *result.Finding, b *libtestBlock) {
	target := b.target.id(run.in)
	if target == "" && b.target == nil {
		target = crateOfPath(f.At)
	}
	f.ID = f.Name
	if target != "" {
		f.Suite = []string{target}
	}
	if dir := run.memberDir(b); dir != "" {
		target = dir + "::" + target
	}
	if target != "" && !b.target.only(run.in) {
		f.ID = target + "::" + f.Name
	}
	b.target.again(f)
}

// again adds how cargo says that the target is run again.
func (t *cargoTarget) again(f *result.Finding) {
	if t != nil && t.rerun != "" {
		result.SetExtra(&f.Extra, "rerun", "cargo test "+t.rerun)
	}
}

// memberDir is the directory of a workspace member, for an integration test whose package is not named: before Rust
// 1.63, cargo named only the last target's.
func (run *cargoRun) memberDir(b *libtestBlock) string {
	t := b.target
	if t == nil || t.pkg != "" || t.kind != "test" || t.packageName(run.in) != "" {
		return ""
	}
	for _, p := range b.ownPaths() {
		if dir, ok := cutPackageDir(p); ok && dir != "" && !result.IsAbsolute(p) {
			return path.Base(dir)
		}
	}
	return ""
}

// crateOfPath is the directory of a workspace member, for when cargo's own stream was not kept: "lexer" of
// "lexer/src/lib.rs".
func crateOfPath(at *result.Location) string {
	if at == nil || result.IsAbsolute(at.Path) {
		return ""
	}
	dir, _, ok := strings.Cut(at.Path, "/src/")
	if !ok {
		return ""
	}
	return strings.ReplaceAll(dir[strings.LastIndexByte(dir, '/')+1:], "-", "_")
}

// count adds up the counts of the closing lines.
func (run *cargoRun) count(toolName string) {
	rep := run.report
	c := rep.Counts
	for _, f := range run.diags {
		switch f.Severity {
		case result.SevError:
			c["error"]++
		case result.SevWarning:
			c["warning"]++
		}
	}
	if toolName != "cargo-test" {
		return
	}
	ran := 0
	for _, b := range run.blocks {
		r := libtestResult{passed: b.passed, failed: len(b.marked), ignored: b.ignored}
		if b.result != nil {
			r = *b.result
		}
		c["skipped"] += r.ignored
		c["passed"] += r.passed
		c["failed"] += r.failed
		for key, n := range map[string]int{"measured": r.measured, "deselected": r.filtered} {
			if n > 0 {
				c[key] += n
			}
		}
		ran += max(b.announced, r.passed+r.failed)
		if n := b.announced - r.passed - r.failed - r.ignored - 1; b.result == nil && n > 0 && b.target != nil && b.target.cause != "" {
			c["did_not_run"] += n // all but the one that ended the process
		}
	}
	if run.crashed > 0 {
		c["failed"] += run.crashed
	}
	rep.Tested = ran > 0
	rep.NoTests = len(run.blocks) > 0 && ran == 0 && len(rep.Findings) == c["warning"]
}

// complete says whether every target that was started has its block, every block has its closing line or a message of
// cargo about how it ended, and cargo itself reported a failure if there is one.
func (run *cargoRun) complete(toolName string) bool {
	if run.listed && len(run.blocks) == 0 {
		return true
	}
	for _, b := range run.blocks {
		if b.result == nil && !run.accounted(b) {
			return false
		}
		if b.result != nil && !b.result.ok && b.target != nil && !b.target.failed && !run.followed(b.target) {
			return false
		}
	}
	for _, t := range run.targets {
		if len(t.blocks) == 0 && !t.failed && !(run.followed(t) && len(run.blocks) > 0) {
			return false
		}
	}
	if toolName == "cargo-test" && len(run.blocks) > 0 {
		return len(run.targets) > 0 || run.mayBeQuiet()
	}
	return run.ended || len(run.diags) > 0 || run.usage
}

// joinDocs marks the blocks before "all doctests ran in …" as those of one crate: since the 2024 edition, rustdoc first
// runs the tests that it could merge, then the others. A block of other tests may precede the only documentation block.
func (run *cargoRun) joinDocs() {
	n := len(run.blocks)
	if n < 2 {
		return
	}
	last, before := run.blocks[n-1], run.blocks[n-2]
	if (before.doc || !last.doc) && (before.docDir == last.docDir || before.docDir == "" || last.docDir == "") {
		last.joins = before
	}
}

// joinQuietDocs joins neighbouring blocks of documentation tests of one package, if cargo names fewer targets than
// there are such blocks.
func joinQuietDocs(blocks []*libtestBlock, targets []*cargoTarget) []*libtestBlock {
	docs := 0
	for _, b := range blocks {
		if b.doc {
			docs++
		}
	}
	for _, t := range targets {
		if t.kind == "doc" {
			docs--
		}
	}
	var before *libtestBlock
	return slices.DeleteFunc(blocks, func(b *libtestBlock) bool {
		joins := docs > 0 && before != nil && before.doc && b.doc && b.docDir == before.docDir
		if joins {
			b.joins = cmp.Or(before.joins, before)
			docs--
		}
		before = b
		return joins
	})
}

// mayBeQuiet says whether cargo's headers may be missing because the command suppressed them.
func (run *cargoRun) mayBeQuiet() bool {
	line := tool.ShellText(run.in)
	return cargoToolNamed(run.in) == "" || strings.Contains(line, "2>") || strings.Contains(line, "-q") || strings.Contains(line, "QUIET")
}
