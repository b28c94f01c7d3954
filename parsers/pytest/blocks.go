package pytest

import (
	"strings"

	"cairn/parsers/tool"
)

// The parts of a run that stand under a heading: failures, errors, what was
// captured. reader.go knows which section a line is in; here its blocks are kept.

// head opens a block.
func (run *pytestRun) head(l tool.Line, r *pytestReader) bool {
	title, ok := cutRule(l.Text, '_', run.width)
	if !ok || run.width == 0 || strings.Trim(title, "_ ") == "" {
		return false
	}
	if run.section <= sectionStart {
		return run.instantHead(title, l, r)
	}
	if !run.reopen(true) {
		return false
	}
	run.endBlock(l.Start)
	tainted := run.tainted || run.captured
	run.captured, run.aside, run.end = false, false, max(run.end, l.End)
	if run.section == sectionErrors || run.section == sectionFailures {
		run.block = run.newBlock(title, l, r)
		run.block.tainted = tainted
	}
	return true
}

// newBlock begins a block, or the one that stands for all that are too many.
func (run *pytestRun) newBlock(title string, l tool.Line, r *pytestReader) *pytestBlock {
	if run.before+len(run.blocks) < tool.MaxFindings {
		return newPytestBlock(title, run.section, l.Start, r.files)
	}
	if r.over == nil {
		r.over = &pytestBlock{over: true}
	}
	r.over.blank = false
	return r.over
}

// reopen goes on with a run whose summary or counts turn out to have been
// printed by a test, which only a run with captured output can have. What they
// said is kept until others come.
func (run *pytestRun) reopen(block bool) bool {
	if !run.closed && run.section != sectionSummary {
		return true
	}
	if !run.sawText || !block {
		return false
	}
	if len(run.entries) > 0 {
		run.earlier = run.entries
	}
	run.closed, run.section, run.entries, run.tainted = false, sectionFailures, nil, true
	return true
}

// capture opens captured output.
func (run *pytestRun) capture(l tool.Line) bool {
	title, ok := cutRule(l.Text, '-', 0)
	if ok && !ofRun(title) {
		title, ok = cutRule(l.Text, '-', run.width)
	}
	if !ok || run.width == 0 || run.section <= sectionStart && run.block == nil {
		return false
	}
	if !run.reopen(strings.HasPrefix(title, "Captured ")) {
		return false
	}
	if ofRun(title) {
		run.endBlock(l.Start)
		run.captured, run.aside = false, true
		return true
	}
	run.captured, run.sawText = true, true
	if run.block != nil && !run.block.over {
		run.block.captures(title)
	}
	return true
}

// endBlock keeps the open block, bounded.
func (run *pytestRun) endBlock(at int64) {
	b := run.block
	if b == nil {
		return
	}
	run.block = nil
	if b.line && !b.crashed { // what is left behind the last line of --tb=line
		return
	}
	b.end = at
	run.keep(b)
}

func (run *pytestRun) keep(b *pytestBlock) {
	if run.before+len(run.blocks) >= tool.MaxFindings {
		run.spare.blocks++
		return
	}
	b.finish()
	run.blocks = append(run.blocks, b)
}

// outside says that a line is neither in a block nor in what a test printed.
func (run *pytestRun) outside() bool {
	return run.closed || run.block == nil && !run.captured && run.section != sectionFailures && run.section != sectionErrors
}

// text handles a line that opens nothing.
func (run *pytestRun) text(l tool.Line, r *pytestReader) {
	run.end = max(run.end, l.End)
	switch run.section {
	case sectionStart, sectionUnknown:
		if run.instantLine(l, r) {
			return
		}
		if len(l.Text) > 0 && !run.nested {
			run.progress(l, r)
		}
	case sectionErrors, sectionFailures:
		if !r.picks || !run.picked(l) {
			run.body(l, r)
		}
	case sectionSummary:
		run.summaryLine(l)
	case sectionStop:
		run.stopLine(l)
	case sectionResults:
		run.result(l.Text)
	}
}

// body handles a line of a block, or of --tb=line, which has none.
func (run *pytestRun) body(l tool.Line, r *pytestReader) {
	if run.block == nil {
		if l.Text == "" || run.aside {
			return
		}
		run.block = newPytestBlock("", run.section, l.Start, r.files)
		run.block.line = true
		run.block.tainted = run.tainted
	}
	b := run.block
	room := &r.budget
	switch {
	case b.over:
		b.blank = l.Text == ""
		return
	case b.line:
		run.lineBody(l, r)
		return
	case run.captured:
		b.capturedLine(l.Text, room)
		return
	}
	b.body(l.Text, room)
}
