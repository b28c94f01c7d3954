package junit

import (
	"bytes"
	"io"

	"cairn/parsers/text/xmltext"
)

// junitReader reads the documents of one stream or file.
type junitReader struct {
	run    *junitRun
	x      *xmltext.Scanner
	stream *junitStream // nil for a file

	open   []junitKind // the open elements
	suites []junitSuite
	test   junitCase
	within bool       // a test case is open
	sink   *junitText // the text that character data goes to

	from     int64  // offset up to which the input is covered
	line     int64  // offset of the line in which the document begins
	heads    int    // XML declarations before the document
	base     string // the module's directory, from surefire's properties
	cases    int    // cases of the run before this document
	findings int    // findings of the run before this document
	counted  bool   // a suite gives its number of tests
	others   bool   // the document has elements that reports do not have

	style string // the document's writer, if known
}

// junitKind classifies an element.
type junitKind uint8

const (
	junitOther junitKind = iota
	junitSuites
	junitSuiteKind
	junitTest
	junitOutcomeKind
	junitOutput
	junitProperty
)

func junitKindOf(name []byte) junitKind {
	switch string(name) {
	case "testsuites":
		return junitSuites
	case "testsuite":
		return junitSuiteKind
	case "testcase":
		return junitTest
	case "failure", "error", "skipped", "rerunFailure", "rerunError", "flakyFailure", "flakyError":
		return junitOutcomeKind
	case "system-out", "system-err":
		return junitOutput
	case "property":
		return junitProperty
	}
	return junitOther
}

func newJUnitReader(run *junitRun, r io.Reader) *junitReader {
	return &junitReader{run: run, x: xmltext.NewScanner(r)}
}

func (r *junitReader) read() {
	for r.seek() {
		r.document()
	}
}

// seek moves to the next beginning of a document: a tag at the start of a line, or directly behind another
// document.
func (r *junitReader) seek() bool {
	x := r.x
	if x.Has(3) && x.Offset() == 0 && string(x.Window()[:3]) == "\ufeff" {
		x.Pos += 3
	}
	for begin := int64(-1); ; {
		begin = r.skipBlanks(begin)
		x.Has(len("<testsuites "))
		w := x.Window()
		switch {
		case len(w) == 0:
			return false
		case bytes.HasPrefix(w, []byte("<testsuite")) && IsLine(string(w[:min(len(w), 30)])):
			r.from = r.line
			return true
		case bytes.HasPrefix(w, []byte("<?xml")):
			begin = r.line
			x.Pos += 2
			x.Pass("?>")
		case begin >= 0 && bytes.HasPrefix(w, []byte("<!")):
			x.Markup()
		default:
			begin = -1
			r.skipLine()
		}
	}
}

// skipBlanks skips blanks, and returns the offset of the line's beginning unless a document has begun already.
func (r *junitReader) skipBlanks(begin int64) int64 {
	x := r.x
	if begin < 0 {
		r.line = x.Offset()
	}
	for x.Has(1) && xmltext.IsSpace(x.Buf[x.Pos]) {
		if x.Pos++; begin < 0 && x.Buf[x.Pos-1] == '\n' {
			r.line = x.Offset()
		}
	}
	return begin
}

func (r *junitReader) skipLine() {
	x := r.x
	for x.Has(1) {
		if i := bytes.IndexByte(x.Window(), '\n'); i >= 0 {
			x.Pos += i + 1
			return
		}
		x.Pos = x.Len
	}
}

// document reads one document.
func (r *junitReader) document() {
	x := r.x
	r.begin()
	for {
		switch x.Next() {
		case xmltext.End:
			r.abandon()
			return
		case xmltext.Open:
			kind := junitKindOf(x.Name)
			if len(r.open) > 0 && (kind == junitSuites || kind == junitSuiteKind && x.Heads > r.heads) {
				r.abandon() // this document was cut, and another begins here
				r.from = x.Start
				r.begin()
			}
			r.opened(kind)
			if x.Alone {
				r.pop()
			}
		case xmltext.Close:
			r.closed(junitKindOf(x.Name))
		case xmltext.Text:
			if r.sink != nil {
				r.sink.add(x.Content())
			}
		}
		if len(r.open) == 0 {
			r.end()
			return
		}
	}
}

func (r *junitReader) begin() {
	r.run.documents++
	r.heads = r.x.Heads
	r.style, r.base = "", ""
	r.cases, r.findings = r.run.cases, len(r.run.rep.Findings)+r.run.rep.Dropped
	r.counted, r.others = false, false
	r.x.Broken = false
}

// end finishes a document whose root was closed.
func (r *junitReader) end() {
	x := r.x
	if !r.told() {
		r.run.documents--
		return
	}
	r.run.wrote(r.style)
	if x.Broken {
		r.run.doubt("the report is not well-formed XML")
	}
	for x.Has(1) && xmltext.IsSpace(x.Buf[x.Pos]) {
		if x.Pos++; x.Buf[x.Pos-1] == '\n' {
			break
		}
	}
	r.cover(x.Offset())
}

// told reports whether the document was a report: phpunit's configuration has <testsuites> too, but with
// directories inside.
func (r *junitReader) told() bool {
	return r.cases < r.run.cases || r.findings < len(r.run.rep.Findings)+r.run.rep.Dropped || r.counted || !r.others
}

// abandon finishes a document that stops before its end: what was read stays.
func (r *junitReader) abandon() {
	r.run.cut = true
	r.run.doubt("the report ends before its last tag")
	if r.within && r.test.bad() {
		r.endTest()
	}
	r.open, r.suites, r.within, r.sink = r.open[:0], r.suites[:0], false, nil
	r.cover(r.x.Start)
	if r.x.Kind == xmltext.End {
		r.cover(r.x.Offset())
	}
}

func (r *junitReader) cover(to int64) {
	if r.stream != nil {
		r.stream.cover(r.run.rep, r.from, to)
	}
	r.from = max(r.from, to)
}

// at is the offset in the output of a position in the stream.
func (r *junitReader) at(pos int64) int64 {
	if r.stream != nil {
		return r.stream.merged(pos)
	}
	return pos
}

func (r *junitReader) opened(kind junitKind) {
	x := r.x
	if r.within && (kind == junitTest || kind == junitSuiteKind) { // the closing tag of the open case is missing
		x.Broken = true
		r.closed(junitTest)
	}
	r.open = append(r.open, kind)
	switch kind {
	case junitSuites, junitSuiteKind:
		r.openSuite(kind)
	case junitTest:
		r.within = true
		r.test.begin(x, r.at(x.Start))
	case junitOutcomeKind:
		r.openOutcome()
	case junitOutput:
		r.sink = nil
		switch {
		case r.within && r.test.bad() && !r.only():
			r.sink = &r.test.output
		case !r.within && r.run.owner(r.style, false) != nil:
			r.sink = &r.run.printed
		}
	case junitProperty:
		r.property()
	case junitOther:
		r.others = r.others || len(r.open) < 4 && string(x.Name) != "properties"
	}
}

// closed closes the innermost element of that kind, and all elements inside it.
func (r *junitReader) closed(kind junitKind) {
	i := len(r.open) - 1
	for i >= 0 && r.open[i] != kind {
		i--
	}
	if i < 0 || kind == junitOther && i < len(r.open)-1 {
		r.x.Broken = true
		return
	}
	r.x.Broken = r.x.Broken || i < len(r.open)-1
	for len(r.open) > i {
		r.pop()
	}
}

func (r *junitReader) pop() {
	kind := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	switch kind {
	case junitSuites, junitSuiteKind:
		r.endSuite()
	case junitTest:
		r.endTest()
	case junitOutcomeKind:
		r.sink = nil
		if r.test.implicit {
			r.endTest()
		}
	case junitOutput:
		r.sink = nil
	}
}

// openOutcome begins an outcome of a test case or, outside of cases, of the suite itself.
func (r *junitReader) openOutcome() {
	if !r.within {
		r.within = true
		r.test.reset(r.at(r.x.Start))
		r.test.implicit = true
		r.test.class = append(r.test.class, r.suite().name...)
	}
	r.sink = r.test.outcome(r.x, r.run.onlyCounts())
	if passes := r.run.known(r.style).Passes; passes != nil && r.sink != nil && passes(r.x.Attr("type")) {
		r.test.outcomes[len(r.test.outcomes)-1].what = "warning"
		for i := range r.suites {
			r.suites[i].errors-- // the suite counts them as errors
		}
	}
	if r.only() {
		r.sink = nil
	}
}

// only reports whether it is enough to know that the open case failed, since no more findings are kept. This does
// not hold for tools that read their own cases, and for linters (which all cases so far may come from): they count
// by what the text says.
func (r *junitReader) only() bool {
	return len(r.run.rep.Findings) >= r.run.rep.Most() && r.style != "" && r.run.known(r.style).Cases == nil &&
		!r.isUnrun() && !r.run.foreign && r.run.lintCases != r.run.badCases
}

func (r *junitReader) property() {
	x := r.x
	name := string(x.RawAttr("name"))
	if name == "basedir" {
		r.base = x.Attr("value")
	}
	if r.within && (name == "skip" || name == "todo") { // directives of TAP, as node-tap writes them
		r.test.outcomes = append(r.test.outcomes, junitOutcome{what: "skipped"})
	}
	r.learn(r.writerByProperty(name))
}
