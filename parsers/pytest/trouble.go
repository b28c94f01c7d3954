package pytest

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pytestTroubles are problems of a run as a whole. Most are printed on stderr,
// outside of any run.
type pytestTroubles struct {
	files *place.Files
	found []pytestTrouble
	open  *pytestTrouble
}

type troubleKind uint8

const (
	troubleUsage troubleKind = iota + 1
	troubleConftest
	troubleInternal
	troubleFatal
	troubleCoverage
	troubleWarnings
	troubleTraceback
	troubleTimeout
)

type pytestTrouble struct {
	kind       troubleKind
	message    string
	err        pytestError
	between    bool // an empty line came
	over       bool // its closing line came
	current    bool // in the part of the thread that crashed
	start, end int64
}

// line takes a line that belongs to a trouble.
func (t *pytestTroubles) line(l tool.Line) bool {
	if t.open != nil {
		if t.goesOn(l) {
			t.open.end = max(t.open.end, l.End)
			return true
		}
		t.close()
	}
	kind, message := troubleOf(l.Text)
	if kind == 0 {
		return false
	}
	t.open = &pytestTrouble{kind: kind, message: message, start: l.Start, end: l.End}
	t.open.err.rest.Max = lex.MaxRest
	if kind == troubleInternal {
		t.internal(l.Text)
	}
	return kind != troubleFatal || l.Text[0] == 'F'
}

// troubleOf recognises the first line of a trouble.
func troubleOf(line string) (troubleKind, string) {
	if line == "" {
		return 0, ""
	}
	switch line[0] {
	case 'E':
		if msg, ok := strings.CutPrefix(line, "ERROR: Coverage failure: "); ok {
			return troubleCoverage, msg
		}
		if msg, ok := strings.CutPrefix(line, "ERROR: "); ok {
			return troubleUsage, msg
		}
	case 'F':
		if msg, ok := strings.CutPrefix(line, "FAIL Required test coverage of "); ok {
			return troubleCoverage, "Required test coverage of " + msg
		}
	case 'I':
		if msg, ok := strings.CutPrefix(line, "INTERNALERROR> "); ok {
			return troubleInternal, msg
		}
		if strings.HasPrefix(line, "ImportError while loading conftest ") {
			return troubleConftest, line
		}
	case 'T':
		if strings.HasPrefix(line, "Traceback (most recent call last):") {
			return troubleTraceback, ""
		}
		if strings.HasPrefix(line, "Tests pass, but maximum allowed warnings exceeded: ") {
			return troubleWarnings, line
		}
	}
	if isTimeoutRule(line) {
		return troubleTimeout, "Timeout: pytest-timeout ended the run"
	}
	if strings.Contains(line, "Fatal Python error: ") { // after the dots of the tests that ran
		_, msg, _ := strings.Cut(line, "Fatal Python error: ")
		return troubleFatal, "Fatal Python error: " + msg
	}
	return 0, ""
}

// isTimeoutRule: the line that opens and closes the stacks that pytest-timeout
// dumps before it kills the run (method=thread).
func isTimeoutRule(line string) bool {
	return line != "" && line[len(line)-1] == '+' && strings.HasSuffix(strings.TrimRight(line, "+"), "+ Timeout ")
}

// goesOn says that a line belongs to the open trouble, and reads it.
func (t *pytestTroubles) goesOn(l tool.Line) bool {
	o := t.open
	switch o.kind {
	case troubleInternal:
		return t.internal(l.Text)
	case troubleFatal:
		return t.fatal(l.Text)
	case troubleConftest:
		return t.conftest(l.Text)
	case troubleTraceback:
		return t.traceback(l.Text)
	case troubleTimeout:
		return t.stacks(l.Text)
	case troubleUsage:
		if msg, ok := strings.CutPrefix(l.Text, "pytest: error: "); ok {
			o.message = msg
			return true
		}
		if o.unfinished(l.Text) {
			return true
		}
		if lex.HasAnyPrefix(l.Text, "(no ", "  inifile: ", "  rootdir: ") {
			o.err.rest.Add(strings.TrimSpace(l.Text), nil)
			return true
		}
	}
	return false
}

// unfinished joins a message that ends in a colon with what follows it.
func (o *pytestTrouble) unfinished(line string) bool {
	const then = "This error occurred:" // of a warning filter
	switch text := strings.TrimSpace(line); {
	case !strings.HasSuffix(o.message, ":") && text != then && !o.between || len(o.message) > lex.MaxHeadline:
		return false
	case text == "":
		o.between = true
	case strings.HasSuffix(o.message, ":") || text == then:
		o.message += " " + text
	default:
		return false
	}
	return true
}

// maxTroubles bounds what is no test: a run has one or two of these.
const maxTroubles = 200

func (t *pytestTroubles) close() {
	if o := t.open; o != nil && len(t.found) < maxTroubles {
		o.message, o.err.message = lex.Headline(o.message), lex.Headline(o.err.message)
		t.found = append(t.found, *o)
	}
	t.open = nil
}

func (t *pytestTroubles) finish() { t.close() }

// join adds the troubles of another stream.
func (t *pytestTroubles) join(other *pytestTroubles) {
	t.files = other.files
	t.found = append(t.found, other.found...)
}

// report adds the findings, as far as the output is pytest's.
func (t *pytestTroubles) report(rep *tool.Report, direct, ran bool) {
	coverage := t.coverage()
	for i := range t.found {
		o := &t.found[i]
		if !o.believed(rep, direct, ran) || o.kind == troubleCoverage && i != coverage {
			continue
		}
		if o.kind == troubleFatal && t.mergeCrash(rep, o) {
			continue
		}
		t.add(rep, o)
	}
}

// coverage is the last thing that pytest-cov said: the fullest of the two
// wordings of one failure.
func (t *pytestTroubles) coverage() int {
	last := -1
	for i := range t.found {
		if t.found[i].kind == troubleCoverage {
			last = i
		}
	}
	return last
}

// believed: the trouble is pytest's. A line "ERROR: x" or a traceback may be a test's
// own.
func (o *pytestTrouble) believed(rep *tool.Report, direct, ran bool) bool {
	switch o.kind {
	case troubleUsage:
		return (direct || ran) && (!rep.Tested && len(rep.Findings) == 0 || strings.HasPrefix(o.message, "Wrong expression passed to '-"))
	case troubleInternal:
		return len(o.err.frames) > 0 || !ran
	case troubleTraceback:
		return !rep.Complete && o.err.set && o.ofPytest()
	case troubleFatal:
		return direct || ran
	case troubleTimeout:
		return len(o.err.frames) > 0 && (ran || o.ofPytest())
	}
	return true
}

// ofPytest says that a traceback went through pytest itself.
func (o *pytestTrouble) ofPytest() bool {
	for _, at := range o.err.frames {
		if strings.Contains(at.Path, "/_pytest/") {
			return true
		}
	}
	return false
}

// mergeCrash gives the place of a fatal error to the test that a worker of
// xdist died in.
func (t *pytestTroubles) mergeCrash(rep *tool.Report, o *pytestTrouble) bool {
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if !strings.HasPrefix(f.Message, "worker crashed while running") || f.At != nil && f.At.Line > 0 {
			continue
		}
		for _, at := range o.err.frames {
			if at.Function == f.Name && !t.files.External(at.Path) {
				f.Related = append(f.Related, result.Related{Message: o.message})
				o.locate(f, t.files)
				return true
			}
		}
	}
	return false
}

// locate: faulthandler lists the most recent call first, the others last.
func (o *pytestTrouble) locate(f *result.Finding, p *place.Files) {
	frames := o.err.frames
	for i := range frames {
		at := frames[len(frames)-1-i]
		if o.kind == troubleFatal {
			at = frames[i]
		}
		if !p.External(at.Path) {
			f.At = &at
			return
		}
	}
}

func (t *pytestTroubles) add(rep *tool.Report, o *pytestTrouble) {
	f := result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: strings.TrimSpace(o.message),
		RawSpan: &result.Span{Start: o.start, End: o.end},
	}
	if o.err.set {
		f.Message, f.Rule = stripAssert(strings.TrimSpace(o.err.message)), trace.ClassOf(o.err.message)
	}
	o.locate(&f, t.files)
	var text []string
	switch o.kind {
	case troubleUsage:
		rep.Meaning = result.MeansUsage
	case troubleConftest:
		rep.Meaning = result.MeansUsage
		text = append(text, o.message)
	case troubleInternal, troubleTraceback:
		rep.Meaning = result.MeansInternal
	case troubleFatal:
		rep.Meaning = result.MeansCrashed
	case troubleTimeout:
		rep.Meaning = result.MeansInterrupted
	case troubleCoverage:
		coverageValues(&f)
	}
	if o.err.source != "" {
		text = append(text, "> "+o.err.source)
	}
	f.Detail = strings.Join(append(text, o.err.rest.Lines()...), "\n")
	rep.Add(f)
	rep.Claimed = max(rep.Claimed, 0) + 1
	rep.Covered = append(rep.Covered, result.Span{Start: o.start, End: o.end})
}

// coverageValues reads the two percentages of pytest-cov.
func coverageValues(f *result.Finding) {
	rest, ok := strings.CutPrefix(f.Message, "Required test coverage of ")
	want, rest, found := strings.Cut(rest, " not reached. Total coverage: ")
	if ok && found {
		f.Expected, f.Actual, f.Operator = want, rest, ">="
	}
}

// reportStops adds why a run ended early: a finding if it was an
// interruption, else (-x, too many collection errors) only a note.
func (run *pytestRun) reportStops(rep *tool.Report) {
	for _, s := range run.stopped {
		interrupted := s.title == "KeyboardInterrupt" || strings.HasPrefix(s.title, "_pytest.outcomes.Exit: ")
		if !interrupted {
			rep.Extra = tool.WithExtra(rep.Extra, "stopped", s.title)
			continue
		}
		rep.Meaning = result.MeansInterrupted
		f := result.Finding{
			Kind: result.GenericFinding, Severity: result.SevError, Message: s.title, Rule: trace.ClassOf(s.title),
			RawSpan: &result.Span{Start: s.start, End: s.end},
		}
		if at, _, ok := place.CutPlace(s.at); ok {
			f.At = &at
		}
		rep.Add(f)
		if rep.Claimed >= 0 {
			rep.Claimed++
		}
	}
}

// addNoTests says that nothing was selected.
func addNoTests(rep *tool.Report, run *pytestRun) {
	if run.counts == nil {
		return
	}
	msg := "no tests ran"
	if n := run.counts.by["deselected"]; n > 0 {
		msg = "no tests ran: all were deselected"
	}
	rep.Add(result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: msg,
		RawSpan: &result.Span{Start: run.start, End: run.end},
	})
}
