package pytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pytestOutcome is a failure as the progress of a run tells it: by its node id
// (-v), or by a letter behind the name of its file. Progress, blocks and
// summary list failures in the same order; each tells what the others leave out.
type pytestOutcome struct {
	id, desc   string // the node id, and which of its subtests; "" if a letter told it
	file       string // "" with -q
	error      bool
	start, end int64 // of a verbose line
}

// failed remembers a failure. Node ids are kept whole or not at all.
func (run *pytestRun) fails(o pytestOutcome) {
	if len(run.outcomes) >= tool.MaxFindings || len(o.id)+len(o.desc) >= lex.MaxHeadline {
		return
	}
	if o.id != "" {
		o.id, o.desc = strings.Clone(o.id), strings.Clone(o.desc)
		path, _, _ := strings.Cut(o.id, "::")
		o.file, run.files[path], run.failed[o.id] = path, true, true
	}
	run.outcomes = append(run.outcomes, o)
}

// letterOutcomes remembers the failures in a line of letters of a file.
func (run *pytestRun) letterOutcomes(letters, file string) {
	letters, _ = cutPercent(letters)
	for i := range len(letters) {
		if c := letters[i]; c == 'F' || c == 'E' || c == 'u' {
			run.fails(pytestOutcome{file: file, error: c == 'E'})
		}
	}
}

// tell gives the blocks that no summary lists what the progress says of them.
// A collection error has no test and so no progress.
func (run *pytestRun) tell(blocks []*pytestBlock, errors bool) {
	var told []*pytestOutcome
	for i := range run.outcomes {
		if run.outcomes[i].error == errors {
			told = append(told, &run.outcomes[i])
		}
	}
	var tests []*pytestBlock
	for _, b := range blocks {
		if b.when != "collect" && !b.tainted {
			tests = append(tests, b)
		}
	}
	if len(told) == len(tests) || run.counts == nil && len(told) > len(tests) {
		for i, b := range tests {
			if o := told[i]; b.line || o.id == "" || titleOf(o.id, o.desc) == b.key() {
				b.outcome = o
			}
		}
	}
	tellByTitle(told, tests)
	fileByNeighbours(tests)
}

// tellByTitle gives the blocks the outcomes of their names, where some of either
// are missing.
func tellByTitle(told []*pytestOutcome, tests []*pytestBlock) {
	byTitle := map[string][]*pytestOutcome{}
	for _, o := range told {
		if o.id != "" {
			title := titleOf(o.id, o.desc)
			byTitle[title] = append(byTitle[title], o)
		}
	}
	for _, b := range tests {
		if some := byTitle[b.key()]; b.outcome == nil && !b.line && len(some) > 0 {
			b.outcome, byTitle[b.key()] = some[0], some[min(1, len(some)-1):]
		}
	}
}

// fileByNeighbours finds the files of tests that nothing else tells: pytest runs
// the tests of a file one behind the other, so that between two of one file
// there is none of another. Workers of xdist finish in any order.
func fileByNeighbours(tests []*pytestBlock) {
	before, unknown := "", []*pytestBlock(nil)
	for _, b := range tests {
		file := b.knownFile()
		switch {
		case b.remote:
			return
		case file == "":
			unknown = append(unknown, b)
			continue
		case file == before:
			for _, u := range unknown {
				u.file = file
			}
		}
		before, unknown = file, nil
	}
}

// knownFile is the file of the test as the progress or the frames tell it.
func (b *pytestBlock) knownFile() string {
	if o := b.outcome; o != nil && o.file != "" {
		return o.file
	}
	return cmp.Or(b.file, b.testFile())
}

// verboseEntries are what failed in a run of which there is nothing but its
// progress: with --no-summary, or because it was ended.
func (run *pytestRun) verboseEntries() (entries []pytestEntry) {
	for _, o := range run.outcomes {
		if o.id != "" {
			entries = append(entries, pytestEntry{id: o.id, desc: o.desc, text: o.id, error: o.error, start: o.start, end: o.end})
		}
	}
	return entries
}

// reportFiles adds the files whose letters say that tests failed, where nothing
// says which: the run was ended, or told not to say.
func (run *pytestRun) reportFiles(rep *tool.Report) {
	if len(run.entries)+len(run.blocks) > 0 {
		return
	}
	failed := map[string]int{}
	var files []string
	for _, o := range run.outcomes {
		if o.file == "" {
			continue
		}
		if failed[o.file]++; failed[o.file] == 1 {
			files = append(files, o.file)
		}
	}
	for _, file := range files {
		f := result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: "F", ID: file, MessageTruncated: true,
			Message: fmt.Sprintf("%d failed here; pytest does not say which", failed[file]),
			At:      &result.Location{Path: file}, RawSpan: &result.Span{Start: run.start, End: run.end},
		}
		rep.Add(f)
	}
}

// withoutFiles leaves out what reportFiles found of files whose tests a report
// names.
func withoutFiles(findings, named []result.Finding) []result.Finding {
	told := map[string]bool{}
	for i := range named {
		path, _, _ := strings.Cut(named[i].ID, "::")
		told[path] = true
	}
	return slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.RawSeverity == "F" && f.Kind == result.TestFailure && f.MessageTruncated && told[f.ID]
	})
}

// idOf finds the node id of a block that no summary line lists: in the progress,
// else by the file of the test's frame.
func (run *pytestRun) idOf(b *pytestBlock) string {
	name := b.key()
	if b.worker != "" || b.when == "collect" {
		return name
	}
	if o := b.outcome; o != nil && o.id != "" {
		return o.id
	}
	if b.line || name == "" {
		return ""
	}
	id := nameOfTitle(b.name)
	if file := b.knownFile(); file != "" {
		return file + "::" + id
	}
	return id
}

// nameOfTitle makes "T::test[x.y]" of "T.test[x.y]".
func nameOfTitle(title string) string {
	if name, ok := strings.CutPrefix(title, "[doctest] "); ok {
		return name
	}
	end := strings.IndexAny(title, "[ ")
	if end < 0 {
		end = len(title)
	}
	return strings.ReplaceAll(title[:end], ".", "::") + title[end:]
}

// testFile is the file of the test, by the frame that has its name, else by the
// first one. A fixture's frames tell it only where they lie in a file of tests,
// which no other file can take fixtures from.
func (b *pytestBlock) testFile() string {
	name := b.testFunction()
	frames := append([]result.Location(nil), b.err.frames...)
	for _, more := range b.chainFrames() {
		frames = append(frames, more...)
	}
	first := ""
	for _, at := range frames {
		path := b.places.FromHere(at.Path)
		switch {
		case path == "" || b.when != "" && !isTestFile(path):
			continue
		case at.Function == name:
			return path
		case first == "":
			first = path
		}
	}
	return first
}

// testFunction is the name of the function that the block's title names.
func (b *pytestBlock) testFunction() string {
	name := b.key()
	if end := strings.IndexAny(name, "[ "); end >= 0 {
		name = name[:end]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// isTestFile: as pytest finds them.
func isTestFile(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || strings.HasSuffix(base, "_test.py")
}
