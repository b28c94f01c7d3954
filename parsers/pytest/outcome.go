package pytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pytestOutcome is a failure that the progress of a run shows: with -v by its
// node id, otherwise by a letter behind the name of its file. The progress, the
// blocks of the failures and the summary list the failures in the same order, and
// each of them has something that the other two leave out.
type pytestOutcome struct {
	id, desc   string // the node id, and which of its subtests; "" if a letter told it
	file       string // "" with -q
	error      bool
	start, end int64 // of a verbose line
}

// fails remembers a failure. Node ids are kept whole or not at all.
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

// letterOutcomes remembers the failures in a line such as "test_a.py .F.E".
func (run *pytestRun) letterOutcomes(letters, file string) {
	letters, _ = cutPercent(letters)
	for i := range len(letters) {
		if c := letters[i]; c == 'F' || c == 'E' || c == 'u' {
			run.fails(pytestOutcome{file: file, error: c == 'E'})
		}
	}
}

// tell uses the progress to complete blocks that the summary does not list. A
// collection error is left as it is: there was no test, so there is no progress.
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

// tellByTitle is for runs in which blocks and outcomes are not equally many: it
// gives a block the outcome of a test with the name in the block's title.
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

// fileByNeighbours finds the file of a test from the tests listed before and
// after it. pytest runs all tests of a file in a row, so a test between two tests
// of one file is of that file. This does not hold with xdist, whose workers finish
// in any order.
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

// knownFile is the file of the test, taken from the progress or from the frames
// of the traceback.
func (b *pytestBlock) knownFile() string {
	if o := b.outcome; o != nil && o.file != "" {
		return o.file
	}
	return cmp.Or(b.file, b.testFile())
}

// verboseEntries are the failures of a run that printed nothing but its progress:
// with --no-summary, or because it was stopped.
func (run *pytestRun) verboseEntries() (entries []pytestEntry) {
	for _, o := range run.outcomes {
		if o.id != "" {
			entries = append(entries, pytestEntry{id: o.id, desc: o.desc, text: o.id, error: o.error, start: o.start, end: o.end})
		}
	}
	return entries
}

// reportFiles adds a finding for each file whose letters show failures when the
// output does not say which tests failed: the run was stopped, or its options
// leave the names out.
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

// withoutFiles removes the findings of reportFiles for those files whose failed
// tests are named in a report, such as a JUnit file.
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

// idOf finds the node id of a block that the summary does not list. It is taken
// from the progress, or else made from the file in the frame of the test.
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

// testFile is the file of the test: that of the frame with the test's name, or
// else that of the first frame. The first frame may be a fixture's. It then tells
// the file only if it is a file of tests, because tests of other files cannot use
// its fixtures.
func (b *pytestBlock) testFile() string {
	name := b.testFunction()
	frames := append([]result.Location(nil), b.err.frames...)
	for _, more := range b.chainFrames() {
		frames = append(frames, more...)
	}
	first := ""
	for _, at := range frames {
		path := b.files.FromHere(at.Path)
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

// isTestFile says whether pytest collects tests from a file of that name.
func isTestFile(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || strings.HasSuffix(base, "_test.py")
}
