package pytest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/result"
)

// pick decides which blocks and summary lines are real, as many as pytest counts. Without a summary, or
// if -rf or -rE leaves these out, the progress is the list.
func (run *run) pick(errors bool, claimed int) (chosen []*entry, sure bool) {
	var entries []*entry
	for i := range run.entries {
		if run.of(run.entries[i].error) == errors {
			entries = append(entries, &run.entries[i])
		}
	}
	var blocks []*block
	for _, b := range run.blocks {
		if run.of(b.section == inErrors) == errors {
			blocks = append(blocks, b)
		}
	}
	listed := len(entries) > 0
	if !listed {
		entries = run.toldEntries(errors)
	}
	pair(entries, blocks)
	if listed && claimed > 0 && len(entries) == claimed && !slices.ContainsFunc(entries, func(e *entry) bool { return e.block == nil }) {
		return inOrder(entries), true // other text that looks like a block was printed by a test
	}
	if !listed {
		run.findFiles(blocks, errors)
	}
	return run.choose(entries, blocks, claimed, listed)
}

// of says whether an entry or a block counts among the errors; pytest-sugar lists errors among the failures.
func (run *run) of(errors bool) bool { return errors && !run.sugar }

// toldEntries are the failures with a node id in the progress.
func (run *run) toldEntries(errors bool) (entries []*entry) {
	for i := range run.verdicts {
		v := &run.verdicts[i]
		if isError := v.Outcome == "error"; v.ID != "" && run.of(isError) == errors {
			entries = append(entries, &entry{told: true, id: v.ID, desc: v.desc, text: v.ID, error: isError, start: v.start, end: v.end})
		}
	}
	return entries
}

// pair gives every entry its block. Both list the same reports in the same order; if their numbers differ, titles
// decide.
func pair(entries []*entry, blocks []*block) {
	byTitle := map[string][]*block{}
	for _, b := range blocks {
		byTitle[b.key()] = append(byTitle[b.key()], b)
	}
	for _, e := range entries {
		e.match(byTitle)
	}
	var lines, others []*block
	for _, b := range blocks {
		if b.line && !b.listed {
			lines = append(lines, b)
		} else if !b.listed && !b.tainted {
			others = append(others, b)
		}
	}
	matchLines(unpaired(entries), lines)
	// The rest have names that pytest shortens or that a plugin invents.
	if left := unpaired(entries); len(left) == len(others) && !slices.ContainsFunc(left, func(e *entry) bool { return e.told }) {
		for i, e := range left {
			e.block, others[i].listed = others[i], true
		}
	}
}

// lists says whether progress, blocks, summary and counts have the same failures: then no test printed any of them.
func (run *run) lists(c *counts) bool {
	left := map[string]int{}
	for _, b := range run.blocks {
		left[b.key()]++
	}
	for i := range run.entries {
		left[titleOf(run.entries[i].id, run.entries[i].desc)]--
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	n := c.by["failed"] + c.by["subtests_failed"] + c.by["error"]
	return n > 0 && n == len(run.entries) && n == len(run.verdicts)
}

func unpaired(entries []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return e.block != nil })
}

// key is the name by which entries find the block. nbmake's title is a notebook's whole path: then it is the file's
// name.
func (b *block) key() string {
	name := cmp.Or(b.worker, strings.TrimPrefix(b.name, "[doctest] "))
	if result.IsAbsolute(name) && strings.HasSuffix(name, ".ipynb") {
		name = name[strings.LastIndexAny(name, `/\\`)+1:]
	}
	return name
}

// match tries every position at which the node id may end, the last one first, and takes the first with a block:
// "test[] - k] - x" may be test[] with the message "k] - x", but not if there is a block test[] - k].
func (e *entry) match(byTitle map[string][]*block) {
	for end := len(e.text); end >= 0; end = strings.LastIndex(e.text[:end], " - ") {
		id := e.text[:end]
		for _, key := range [...]string{titleOf(id, e.desc), id} {
			if some := byTitle[key]; len(some) > 0 {
				byTitle[key] = some[1:]
				some[0].listed = true
				e.block, e.id, e.message = some[0], id, strings.TrimPrefix(e.text[end:], " - ")
				return
			}
		}
	}
}

// findFiles finds the files of tests that no list names: the progress shows a letter for each, after the name of its
// file. A collection error has no letter.
func (run *run) findFiles(blocks []*block, errors bool) {
	var files []string
	for i := range run.verdicts {
		if v := &run.verdicts[i]; v.ID == "" && run.of(v.Outcome == "error") == errors {
			files = append(files, v.file)
		}
	}
	tests := slices.DeleteFunc(slices.Clone(blocks), func(b *block) bool { return b.when == "collect" || b.tainted })
	for i, b := range tests {
		if len(files) == len(tests) || run.counts == nil && len(files) > len(tests) {
			b.file = files[i]
		}
		b.file = cmp.Or(b.file, b.home)
	}
	fileByNeighbours(tests)
}

// fileByNeighbours finds the file of a test from the tests listed before and
// after it. pytest runs all tests of a file in a row, so a test between two tests
// of one file is of that file. This does not hold with xdist, whose workers finish
// in any order.
func fileByNeighbours(tests []*block) {
	before, unknown := "", []*block(nil)
	for _, b := range tests {
		switch {
		case b.remote:
			return
		case b.file == "":
			unknown = append(unknown, b)
			continue
		case b.file == before:
			for _, u := range unknown {
				u.file = before
			}
		}
		before, unknown = b.file, nil
	}
}

// choose ranks the candidates: blocks outside of captured output; listed blocks inside of it; entries without a block;
// other blocks in captured output. It takes the first kind whole, and of the others no more than pytest counts, if
// the real ones can be told. sure says whether they could.
func (run *run) choose(entries []*entry, blocks []*block, claimed int, summary bool) (chosen []*entry, sure bool) {
	var named, alone, likely, other []*entry
	listsAll := claimed > 0 && len(entries) == claimed
	for _, b := range blocks {
		if !b.listed && !(listsAll && b.line) { // a report without a rule is a part of another one
			entries = append(entries, &entry{block: b, start: b.start})
		}
	}
	for _, e := range entries {
		switch {
		case e.block == nil:
			alone = append(alone, e)
		case !e.block.tainted:
			chosen = append(chosen, e)
		case e.id != "":
			named = append(named, e)
		case e.block.ofRun:
			likely = append(likely, e)
		default:
			other = append(other, e)
		}
	}
	if claimed < 0 {
		chosen = append(append(chosen, named...), alone...)
		if !summary {
			chosen = append(append(chosen, likely...), other...)
		}
		return inOrder(chosen), true
	}
	room := claimed - len(chosen) - len(named)
	alone, sure = run.cutAlone(alone, room)
	for _, some := range [...][]*entry{named, alone, likely, other} {
		chosen = append(chosen, some[:max(0, min(len(some), claimed-len(chosen)))]...)
	}
	if !sure {
		for _, e := range alone {
			if !slices.Contains(chosen, e) {
				chosen = append(chosen, e)
			}
		}
	}
	return inOrder(chosen), sure
}

// cutAlone drops summary lines that are the rest of a message, if there are more than room: those of files that are not in
// this run. A failure must not be dropped, so all are kept if this does not decide.
func (run *run) cutAlone(alone []*entry, room int) (kept []*entry, sure bool) {
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

func inOrder(some []*entry) []*entry {
	slices.SortStableFunc(some, func(a, b *entry) int { return cmp.Compare(a.at(), b.at()) })
	return some
}

func (e *entry) at() int64 {
	if e.block != nil {
		return e.block.start
	}
	return e.start
}
