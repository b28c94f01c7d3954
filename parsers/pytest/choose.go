package pytest

import (
	"slices"
	"strings"

	"cairn/result"
)

// pick decides which blocks and summary lines are real, as many as pytest
// says there are.
func (run *pytestRun) pick(errors bool, claimed int) (chosen []*pytestEntry, sure bool) {
	var entries []*pytestEntry
	for i := range run.entries {
		if run.of(run.entries[i].error) == errors {
			entries = append(entries, &run.entries[i])
		}
	}
	var blocks []*pytestBlock
	for _, b := range run.blocks {
		if run.of(b.section == sectionErrors) == errors {
			blocks = append(blocks, b)
		}
	}
	if len(entries) == 0 { // none, or -rf and -rE list the others alone
		run.tell(blocks, errors)
	}
	pairReports(entries, blocks)
	if allPaired(entries, claimed) {
		return inOrder(entries), true
	}
	return run.choose(entries, blocks, claimed)
}

// of says whether an entry or a block is looked for among the errors: sugar
// lists them among the failures.
func (run *pytestRun) of(errors bool) bool { return errors && !run.sugar }

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
	listsAll := claimed > 0 && len(entries) == claimed
	for _, e := range append(slices.Clone(entries), unlisted(entries, blocks)...) {
		if listsAll && e.id == "" && e.block != nil && e.block.line {
			continue // without a rule of its own, it is a part of another
		}
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
			e := &pytestEntry{block: b, start: b.start}
			if b.outcome != nil {
				e.desc = b.outcome.desc
			}
			rest = append(rest, e)
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
