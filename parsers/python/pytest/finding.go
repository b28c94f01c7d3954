package pytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// saidNothing is the message of a failure that pytest printed without one.
const saidNothing = "failed; pytest printed no message"

// finding is the finding for one failed test.
func (run *run) finding(e *entry) result.Finding {
	var f result.Finding
	b := e.block
	if b != nil {
		f = *b.shown
		f.ID = cmp.Or(e.id, b.id())
		f.Message, f.Rule = b.headline(cmp.Or(e.message, run.noMessage(e)))
		f.MessageTruncated = f.Message == saidNothing || strings.HasPrefix(f.Message, `File "`) // the message follows below, and was not shown
	} else {
		f.ID = e.id
		e.fillAlone(&f)
	}
	f.RawSpan = &result.Span{Start: e.start, End: e.end}
	if b != nil && (e.end == 0 || !b.line || b.plain != "None") { // "None" says less than the summary
		f.RawSpan = &result.Span{Start: b.start, End: b.end}
	}
	f.Kind, f.Severity, f.RawSeverity = result.TestFailure, result.SevFailure, "FAILED"
	if e.error || b != nil && b.section == inErrors {
		f.Severity, f.RawSeverity = result.SevError, "ERROR"
	}
	f.Suite, f.Name, f.Params = splitNodeID(f.ID)
	if e.desc != "" {
		f.RawSeverity = "SUBFAILED"
		f.ID += " " + e.desc
	}
	if path, _, _ := strings.Cut(f.ID, "::"); f.At == nil && isNodePath(path) {
		f.At = &result.Location{Path: path}
	}
	return f
}

// id is the node id of a block that no list names, made of its title "T.test[x.y]" and the file.
func (b *block) id() string {
	name := b.key()
	switch {
	case b.worker != "", b.when == "collect":
		return name
	case b.line || name == "":
		return ""
	}
	if doctest, ok := strings.CutPrefix(b.name, "[doctest] "); ok {
		name = doctest
	} else {
		end := strings.IndexAny(name+" ", "[ ")
		name = strings.ReplaceAll(name[:end], ".", "::") + name[end:]
	}
	if file := cmp.Or(b.file, b.home); file != "" {
		return file + "::" + name
	}
	return name
}

// testFile is the file of the test: that of the frame with the test's name, or else that of the first frame. The first
// frame may be a fixture's. Then it counts only if its file is one of tests, because tests of other files cannot use
// fixtures defined there.
func (b *block) testFile() (first string) {
	name, _, _ := strings.Cut(strings.ReplaceAll(b.key(), "[", " "), " ")
	name = lex.LastPart(name)
	for _, at := range b.allFrames() {
		path := b.files.FromHere(at.Path)
		switch {
		case path == "" || b.when != "" && !isTestFile(path):
			continue
		case at.Function == name:
			return path
		}
		first = cmp.Or(first, path)
	}
	return first
}

// allFrames are the frames of the last exception, and then those of its causes.
func (b *block) allFrames() []result.Location {
	all := b.err.frames
	for i := range b.chain {
		all = slices.Concat(all, b.chain[i].frames)
	}
	return all
}

// isTestFile says whether pytest collects tests from a file of that name.
func isTestFile(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || strings.HasSuffix(base, "_test.py")
}

// noMessage says why a summary line has no message. It returns "..." if there was no room, or before version 8, where
// pytest.fail(pytrace=False) has none.
func (run *run) noMessage(e *entry) string {
	const least = len(" - ...")
	if e.block != nil && e.block.when == "collect" {
		return ""
	}
	if e.text == "" || e.told || run.width > 0 && len("FAILED ")+utf8.RuneCountInString(e.text)+len(e.desc)+least > run.width {
		return "..."
	}
	if _, name, _ := splitNodeID(e.id); strings.HasPrefix(name, "test") {
		return "..."
	}
	return ""
}

// fillAlone fills a finding from a summary line without a block.
func (e *entry) fillAlone(f *result.Finding) {
	said := strings.TrimSpace(e.message)
	f.MessageTruncated = said == "" || strings.HasSuffix(said, "...") || strings.HasPrefix(said, `File "`)
	f.Rule, f.Message = trace.ClassOf(said), cmp.Or(stripAssert(said), saidNothing)
	if !f.MessageTruncated {
		compareValues(f, f.Message, nil)
	}
}

// finish keeps the parts of a block that a finding shows and drops the rest. Of a docstring's failures, the first
// becomes the block's own.
func (b *block) finish(files map[string]bool) {
	if len(b.doctests) > 0 {
		b.err = b.doctests[0]
	}
	e, f := &b.err, new(result.Finding)
	b.shown = f
	b.home = b.testFile()
	b.ofRun = slices.ContainsFunc(e.frames, func(at result.Location) bool { return files[at.Path] })
	b.locate(f)
	for i := range b.chain { // the nearest cause first
		e := &b.chain[len(b.chain)-1-i]
		f.Related = append(f.Related, b.related(e))
		if at := e.frames; len(at) > 1 && !b.files.External(at[0].Path) && b.files.FromHere(at[0].Path) == b.home && b.deepest(at) > 0 {
			f.Related = append(f.Related, result.Related{Message: "from here", At: &at[0]}) // the line of the test that led to the exception
		}
	}
	for i := range b.members {
		rel := b.related(&b.members[i])
		f.At = cmp.Or(f.At, rel.At)
		again := slices.ContainsFunc(f.Related, func(r result.Related) bool { return r.Message == rel.Message })
		if !again && !strings.HasSuffix(trace.ClassOf(b.members[i].message), "ExceptionGroup") {
			f.Related = append(f.Related, rel)
		}
	}
	for i := 1; i < len(b.doctests); i++ {
		f.Related = append(f.Related, b.related(&b.doctests[i]))
	}
	var text []string
	if source := cmp.Or(e.source, b.pending); source != "" {
		text = append(text, "> "+source)
	}
	extra := e.rest.Lines()
	if f.At != nil {
		f.At.Label = failingCase(extra)
	}
	compareValues(f, stripAssert(e.message), extra)
	e.values.Fill(f)
	if out := b.output.Lines(); slices.ContainsFunc(out, func(s string) bool { return s != "" && !strings.HasPrefix(s, "--- Captured ") }) {
		f.Printed = strings.TrimPrefix(strings.Join(out, "\n"), "--- Captured stdout call\n")
	}
	f.Detail = strings.Join(slices.Concat(text, extra, b.output.Lines()), "\n")
	e.frames, b.chain, b.members, b.doctests, e.rest, b.output = nil, nil, nil, nil, lex.Bounded{}, lex.Bounded{}
}

// failingCase is the example found by Hypothesis: "Failing test case: test_sum(n=100, words=[])".
func failingCase(extra []string) (said string) {
	for _, line := range extra {
		text, _, _ := strings.Cut(strings.TrimSpace(line), "  # ") // or any other generated value
		if said == "" && !lex.HasAnyPrefix(text, "Failing test case: ", "Falsifying example: ") {
			continue
		}
		if said += text + " "; text[max(0, len(text)-1):] == ")" {
			break
		}
	}
	return lex.CutText(strings.NewReplacer("( ", "(", ", )", ")").Replace(strings.TrimSpace(said)), result.MaxValue)
}

// headline returns the message of a block, and its rule. summary is the message in the short test
// summary, perhaps cut off, or "".
func (b *block) headline(summary string) (message, rule string) {
	e := &b.err
	switch {
	case len(b.lints) > 0:
		return b.lints[0].Message, "" // the others follow
	case b.worker != "": // the worker differs from run to run
		return fmt.Sprintf("worker crashed while running '%s'", b.worker), ""
	case b.plain != "" && e.set && saysFailed(summary, b.plain) && !strings.HasPrefix(e.first, strings.TrimSuffix(summary, "...")):
		return "Failed: " + b.plain, "Failed" // the text of pytest.fail only looks like a traceback
	case e.set:
		rule = trace.ClassOf(e.message)
		if rule == "" || e.class != "" && e.class != "None" && (!b.line || b.doctest) {
			rule = lex.LastPart(cmp.Or(e.class, rule))
		}
		return stripAssert(e.message), rule
	case e.values.Told():
		return e.values.Message(), cmp.Or(lex.LastPart(e.class), "DocTestFailure")
	case strings.HasPrefix(b.plain, "[XPASS(strict)]"):
		return strings.TrimSpace(b.plain), ""
	case b.plain == "", b.line && b.plain == "None":
		return saidNothing, ""
	case b.doctest:
		return "failed; the outputs differ", "DocTestFailure"
	case summary == "...", saysFailed(summary, b.plain):
		return "Failed: " + b.plain, "Failed" // pytest.fail(pytrace=False)
	}
	return b.plain, "" // the text of a test that is not Python
}

// saysFailed says whether the summary shows that the text was passed to pytest.fail.
func saysFailed(summary, text string) bool {
	begin := strings.TrimSuffix(summary, "...")
	return begin != "" && strings.HasPrefix("Failed: "+text, begin) && !strings.HasPrefix(text, begin)
}

// stripAssert cuts off "AssertionError: " before "assert", which pytest adds or leaves out depending on the style of
// the traceback and on quotes in the message.
func stripAssert(message string) string {
	if rest, ok := strings.CutPrefix(message, "AssertionError: assert "); ok {
		return "assert " + rest
	}
	return message
}

// locate sets the place that an editor should open, the deepest frame in the workspace, and the frames that led there.
// Frames of pytest itself are ignored, since they do not explain what raised.
func (b *block) locate(f *result.Finding) {
	frames := b.err.frames
	at := b.deepest(frames)
	if i := deepest(frames, isOwn); at < 0 && i >= 0 { // a test may lie outside of the workspace
		at = i
		frames[at].External = true
	}
	if at >= 0 {
		spot := frames[at]
		f.At = &spot
	}
	for i := at - 1; i >= 0 && len(f.Frames) < result.MaxFrames-1; i-- {
		if !b.files.External(frames[i].Path) {
			f.Frames = append(f.Frames, frames[i])
		}
	}
	if n := len(frames) - 1; n > at && !strings.Contains(frames[n].Path, "/_pytest/") {
		f.Frames = append(f.Frames, frames[n])
	}
}

func (b *block) deepest(frames []result.Location) int {
	return deepest(frames, func(path string) bool { return !b.files.External(path) })
}

// deepest is the index of the deepest frame in a file of a kind, or -1.
func deepest(frames []result.Location, is func(path string) bool) int {
	for i, at := range slices.Backward(frames) {
		if is(at.Path) {
			return i
		}
	}
	return -1
}

// isOwn says whether neither Python nor a package installed a file.
func isOwn(path string) bool {
	return strings.HasSuffix(path, ".py") && !strings.Contains(path, "/lib/python") && !strings.Contains(path, "-packages/") && path[0] != '<'
}

// related is the note about a cause in the chain, or about another failure of a docstring.
func (b *block) related(e *exception) result.Related {
	rel := result.Related{Message: e.link + stripAssert(e.message)}
	if !e.set {
		rel.Message = e.values.Message()
	}
	if i := b.deepest(e.frames); i >= 0 {
		at := e.frames[i]
		rel.At = &at
	}
	return rel
}
