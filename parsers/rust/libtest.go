package rust

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// libtestBlock is what one test binary prints, from "running N tests" to "test
// result: …". rustdoc prints the same for documentation tests.
//
//	running 2 tests
//	test tests::a ... ok
//	test tests::b - should panic ... FAILED
//
//	failures:
//
//	---- tests::b stdout ----
//	(output of the test)
//
//	failures:
//	    tests::b
//
//	test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
//
// A test may print any of these lines itself. The closing line is believed only if its numbers add up to the N of the
// first; the failed tests are those in the last list before it.
type libtestBlock struct {
	announced int
	start     int64
	end       int64
	result    *libtestResult

	marked  []string // names of lines "test NAME ... FAILED", in order
	listed  []string // names of the last list …
	more    int      // … and how many more names it had
	inList  bool
	shown   bool            // "successes:" was read; output of passed tests follows
	running string          // a test that was announced and has no verdict yet
	serial  *libtestSection // its output so far, if nothing is captured
	blank   bool            // the last line was empty, or only announced a test
	cutAt   int64           // end of that announcing line, if it has no newline
	ran     []tool.Test     // named as libtest names them
	passed  int             // lines "test NAME ... ok"
	ignored int
	slow    []string

	section *libtestSection
	spare   *libtestSection            // for the output of all tests beyond the limit
	held    *libtestSection            // of a test that may have printed the current list itself
	said    []tool.Line                // the lines of that list
	found   map[string]*result.Finding // by name, made when a section ends
	unsure  map[string]bool            // findings that are only a guess
	spans   map[string]result.Span     // where a test was marked as failed
	doc     bool                       // the tests are documentation tests
	docDir  string                     // directory of the first one: "lexer" of "lexer/src/lib.rs"
	joins   *libtestBlock              // the block before, if both are of one crate
	over    bool                       // a closing line was believed
	most    int                        // how many failures are kept
	crowded bool                       // earlier blocks have as many failures as are kept
	target  *cargoTarget
	loose   rustLoose // output outside of sections
}

// libtestResult is the closing line.
type libtestResult struct {
	ok                                          bool
	passed, failed, ignored, measured, filtered int
}

// libtestSection is the output of one test.
type libtestSection struct {
	name  string
	log   lex.Log
	start int64
	end   int64
	spare bool // beyond the limit: no output is kept
	mimic bool // printed by a harness other than libtest
}

// headless replaces the announced number of a block whose beginning is missing, since the output was piped through
// tail.
const headless = -1

// beginsMidway says whether a line is one that libtest prints in the middle of a block.
func beginsMidway(s string) bool {
	_, isHeader := readLibtestHeader(s)
	_, isResult := readLibtestResult(s)
	rest, isTest := strings.CutPrefix(s, "test ")
	name, verdict, ok := cutLibtestVerdict(rest)
	return isHeader || isResult || s == "failures:" ||
		isTest && ok && (verdict == "ok" || verdict == "FAILED") && (!strings.Contains(name, " ") || isDocTest(name))
}

func newLibtestBlock(announced int, l tool.Line, most int) *libtestBlock {
	return &libtestBlock{most: most, announced: announced, start: l.Start, end: l.End, found: map[string]*result.Finding{}, unsure: map[string]bool{}, spans: map[string]result.Span{}}
}

// readLibtestStart reads "running 12 tests", perhaps "(shuffle seed: 7)".
func readLibtestStart(s string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(s, "running ")
	if !ok {
		return 0, false
	}
	n, rest, ok = lex.CutCount(rest, "test")
	return n, ok && (rest == "" || strings.HasPrefix(rest, " (shuffle seed: "))
}

// readLibtestResult reads "test result: ok. 3 passed; 0 failed; …".
func readLibtestResult(s string) (r libtestResult, ok bool) {
	rest, ok := strings.CutPrefix(s, "test result: ")
	if !ok {
		return r, false
	}
	verdict, rest, _ := strings.Cut(rest, ". ")
	if r.ok = verdict == "ok"; !r.ok && verdict != "FAILED" {
		return r, false
	}
	rest, _, _ = strings.Cut(rest, "; finished in ")
	n := read.Counts(rest)
	r.passed, r.failed, r.ignored, r.measured, r.filtered = n["passed"], n["failed"], n["ignored"], n["measured"], n["filtered"]
	return r, strings.Contains(rest, " passed; ")
}

// line takes a line while the block is open.
func (b *libtestBlock) line(l tool.Line) {
	b.end = max(b.end, l.End)
	if r, ok := readLibtestResult(l.Text); ok && b.believes(r) {
		b.closeSection()
		last := r // a copy, since r would otherwise be allocated for each line
		b.result, b.over = &last, true
		return
	}
	if name, ok := readLibtestHeader(l.Text); ok && b.expects(name) {
		b.openSection(name, l)
		return
	}
	if name, ok := b.mimics(l.Text); ok {
		b.openSection(name, l)
		b.section.mimic = true
		return
	}
	if l.Text == "failures:" || l.Text == "successes:" {
		b.openList(l)
		return
	}
	if b.inList && b.listName(l.Text) && b.keeps(l) {
		return
	}
	b.resume()
	if b.section != nil {
		b.section.add(l)
		return
	}
	b.progress(l)
}

func (s *libtestSection) add(l tool.Line) {
	if s.end = max(s.end, l.End); !s.spare {
		s.log.Add(l.Text)
	}
}

// passing says whether the output of the current test is not kept.
func (b *libtestBlock) passing() bool { return b != nil && b.section != nil && b.section.spare }

// believes says whether the numbers of a closing line add up. If the beginning is missing, the list before must have as
// many names as the line counts.
func (b *libtestBlock) believes(r libtestResult) bool {
	if b.announced == headless {
		return r.failed == len(b.listed) || r.failed == len(b.marked) || b.section == nil && !b.inList
	}
	return r.passed+r.failed+r.ignored+r.measured == b.announced
}

// openList begins a list of names, which may be libtest's or printed by a test.
func (b *libtestBlock) openList(l tool.Line) {
	b.resume()
	b.held, b.section = b.section, nil
	if b.said = b.said[:0]; b.held != nil {
		b.say(l)
	}
	b.inList, b.listed, b.more = l.Text == "failures:", nil, 0
	b.shown = b.shown || !b.inList && b.held == nil
}

// keeps says whether a line of a list may be libtest's: it names only tests that are known to have failed. A long list
// has been believed already.
func (b *libtestBlock) keeps(l tool.Line) bool {
	if b.held == nil {
		return true
	}
	if n := len(b.listed); n > 0 && l.Text != "" && !b.expects(b.listed[n-1]) {
		b.listed, b.more, b.inList = nil, 0, false
		return false
	}
	b.say(l)
	return true
}

func (b *libtestBlock) say(l tool.Line) {
	if len(b.said) < maxPanicLines && !b.held.spare {
		b.said = append(b.said, l)
	}
}

// resume continues with the output of a test that printed the list itself.
func (b *libtestBlock) resume() {
	s := b.held
	if s == nil {
		return
	}
	b.section, b.held, b.inList = s, nil, false
	for _, l := range b.said {
		s.add(l)
	}
}

func (b *libtestBlock) listName(s string) bool {
	name, ok := strings.CutPrefix(s, "    ")
	if !ok || name == "" || name[0] == ' ' {
		b.inList = s == ""
		return s == "" && len(b.listed) > 0
	}
	if len(b.listed) < b.most {
		b.listed = append(b.listed, name)
	} else {
		b.more++
	}
	return true
}

// readLibtestHeader reads "---- tests::b stdout ----".
func readLibtestHeader(s string) (name string, ok bool) {
	name, ok = readMimicHeader(s)
	name, captured := strings.CutSuffix(name, " stdout")
	return name, ok && captured
}

// expects says whether a test is known to have failed, or no failed test is known.
func (b *libtestBlock) expects(name string) bool {
	return len(b.marked) == 0 || len(b.marked) >= b.most || b.spans[name].End > 0
}

func (b *libtestBlock) openSection(name string, l tool.Line) {
	b.closeSection()
	if b.full() {
		if b.spare == nil {
			b.spare = &libtestSection{spare: true}
		}
		b.section = b.spare
		return
	}
	b.section = &libtestSection{name: name, start: l.Start, end: l.End}
}

// full says whether findings of further failures are not kept.
func (b *libtestBlock) full() bool { return b.crowded || len(b.found) >= b.most }

// trim forgets everything in an ended block except how many tests failed.
func (b *libtestBlock) trim() {
	b.more += len(b.failures())
	b.marked, b.listed, b.said, b.slow, b.held, b.spare, b.serial = nil, nil, nil, nil, nil, nil, nil
	b.found, b.unsure, b.spans, b.loose = nil, nil, nil, rustLoose{}
}

func (b *libtestBlock) closeSection() {
	s := cmp.Or(b.section, b.held)
	if b.section, b.held = nil, nil; s == nil || b.full() {
		return
	}
	b.explain(s)
}

// explain makes a finding of a test's output. Under --nocapture there are two: the panic where the test ran, and
// libtest's note about should_panic.
func (b *libtestBlock) explain(s *libtestSection) {
	f, sure := explainRust(s.name, s.log.Lines())
	if s.mimic && !sure {
		sure = fillMimic(&f, s.log.Lines())
	}
	if !sure {
		b.unsure[s.name] = true
	}
	f.RawSpan = &result.Span{Start: s.start, End: s.end}
	if before := b.found[s.name]; before != nil && f.At == nil {
		f.At, f.Frames, f.Related = before.At, before.Frames, before.Related
	}
	b.found[s.name] = &f
}
