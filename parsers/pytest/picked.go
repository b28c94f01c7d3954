package pytest

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// What "| grep" and the like leave of a run: single lines, from which the headings may
// be gone, so that a block may hold lines of the blocks below it, and the summary may
// stand in the last block.

// picked takes a line of a block of such an output; false says that it is read as any.
func (run *pytestRun) picked(l tool.Line) bool {
	before := len(run.picks)
	run.picks, run.entries = run.entries, run.picks
	run.summaryLine(l)
	run.picks, run.entries = run.entries, run.picks
	if len(run.picks) == before {
		run.picks = nil // the summary comes last: a test printed the lines above
		if b := run.block; b != nil && b.err.set && strings.HasPrefix(l.Text, "E ") {
			return true // of this test or of one whose heading is gone
		}
		return false
	}
	return true
}

// endPicked takes the lines that came last for the summary.
func (run *pytestRun) endPicked() {
	if len(run.entries) == 0 && run.section != sectionSummary {
		run.entries = run.picks
	}
	run.picks = nil
}

// cutOff forgets the first line of a block whose end is missing where it is the value
// of an argument, which stands above the code.
func (b *pytestBlock) cutOff() {
	if name, _, ok := strings.Cut(b.plain, " = "); ok && !b.err.set && lex.IsIdentifier(name) {
		b.plain = ""
	}
}
