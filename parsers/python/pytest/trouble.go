package pytest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// troubles are problems of a run as a whole. Most are printed on stderr,
// outside of any run.
type troubles struct {
	files *place.Files
	found []trouble
	open  *trouble
}

type troubleKind uint8

const (
	usage troubleKind = iota + 1
	conftest
	plugin
	internal
	fatal
	coverage
	warnings
	traceback
	timeout
)

type trouble struct {
	kind       troubleKind
	message    string
	err        exception
	causes     []exception // of err, the first one first
	between    bool        // an empty line came
	over       bool        // its closing line came
	current    bool        // in the part of the main thread
	threads    read.Stacks
	start, end int64
}

// maxTroubles bounds the failures outside of tests, of which a run has one or two.
const maxTroubles = 200

// line takes a line that belongs to a trouble.
func (t *troubles) line(l tool.Line) bool {
	if o := t.open; o != nil {
		if o.goesOn(l.Text, t.files) {
			o.end = max(o.end, l.End)
			return true
		}
		t.close()
	}
	kind, message := troubleOf(l.Text)
	if kind == 0 {
		return false
	}
	t.open = &trouble{kind: kind, message: message, err: newException(), start: l.Start, end: l.End}
	if kind == internal {
		t.open.traceback(message)
	}
	return kind != fatal || l.Text[0] == 'F'
}

// troubleHeads are how the first lines of troubles begin, and how much of it is no part
// of the message.
var troubleHeads = [...]struct {
	begins string
	kind   troubleKind
	drop   int
}{
	{"ERROR: Coverage failure: ", coverage, len("ERROR: Coverage failure: ")},
	{"ERROR: ", usage, len("ERROR: ")},
	{"FAIL Required test coverage of ", coverage, len("FAIL ")},
	{"INTERNALERROR> ", internal, len("INTERNALERROR> ")},
	{"ImportError while loading conftest ", conftest, 0},
	{"Error while loading plugin ", plugin, 0},
	{"Traceback (most recent call last):", traceback, 0},
	{"Tests pass, but maximum allowed warnings exceeded: ", warnings, 0},
}

// troubleOf recognises the first line of a trouble.
func troubleOf(line string) (troubleKind, string) {
	if line == "" {
		return 0, ""
	}
	if strings.IndexByte("EFIT", line[0]) >= 0 {
		for _, h := range troubleHeads {
			if strings.HasPrefix(line, h.begins) {
				return h.kind, line[h.drop:]
			}
		}
	}
	if isTimeoutRule(line) {
		return timeout, "Timeout: pytest-timeout ended the run"
	}
	if at := strings.Index(line, "Fatal Python error: "); at >= 0 { // after the dots of the tests that ran
		return fatal, line[at:]
	}
	return 0, ""
}

// isTimeoutRule: the line that opens and closes the stacks that pytest-timeout
// dumps before it kills the run (method=thread).
func isTimeoutRule(line string) bool {
	return line != "" && line[len(line)-1] == '+' && strings.HasSuffix(strings.TrimRight(line, "+"), "+ Timeout ")
}

// interrupted reads the progress that a trouble cut short, in the same line.
func (r *reader) interrupted(l tool.Line) {
	if run := r.cur; run != nil && run.section == atStart && isTimeoutRule(l.Text) && l.Text[0] != '+' {
		l.Text, _, _ = strings.Cut(l.Text, "+")
		run.text(l, r)
	}
}

// goesOn says that a line belongs to the trouble, and reads it.
func (o *trouble) goesOn(line string, files *place.Files) bool {
	switch o.kind {
	case internal:
		text, ok := strings.CutPrefix(line, "INTERNALERROR> ")
		return ok && o.traceback(text) || !ok && strings.HasPrefix(line, "INTERNALERROR>")
	case traceback:
		return o.traceback(line)
	case fatal:
		ok := o.threads.Line(line)
		o.err.frames = o.threads.Frames
		return ok
	case conftest, plugin:
		return o.conftest(line, files)
	case timeout:
		return o.stacks(line)
	case usage:
		if message, ok := strings.CutPrefix(line, "pytest: error: "); ok {
			o.message = message
			return true
		}
		if o.unfinished(line) {
			return true
		}
		if lex.HasAnyPrefix(line, "(no ", "  inifile: ", "  rootdir: ") {
			o.err.rest.Add(strings.TrimSpace(line), nil)
			return true
		}
	}
	return false
}

// unfinished joins a message that ends in a colon with what follows it.
func (o *trouble) unfinished(line string) bool {
	const then = "This error occurred:" // of a warning filter
	text, colon := strings.TrimSpace(line), strings.HasSuffix(o.message, ":")
	switch {
	case !colon && text != then && !o.between || len(o.message) > lex.MaxHeadline:
		return false
	case text == "":
		o.between = true
	case colon || text == then:
		o.message += " " + text
	default:
		return false
	}
	return true
}

// traceback reads a native traceback: the last line in the first column that
// is no heading is the message.
func (o *trouble) traceback(text string) bool {
	e := &o.err
	link, linked := read.CutLink(text)
	if linked {
		e.link = link
	}
	at, framed := frame.Python(text)
	switch {
	case text == "" || linked || read.IsTraceHead(text):
	case text[0] == ' ' && framed:
		if e.set { // a new traceback of the chain
			o.causes = append(o.causes[:min(len(o.causes), result.MaxFrames-1)], *e)
			e.frames, e.set, e.source = nil, false, ""
		}
		e.frame(at)
	case text[0] == ' ':
		if strings.Trim(text, " ^~") != "" && !e.set {
			e.source = lex.CutText(strings.TrimSpace(text), lex.MaxSource)
		}
	case len(e.frames) == 0, e.set && o.kind == traceback:
		return false
	case !e.set:
		e.set, e.message = true, text
	}
	return true
}

// stacks reads the dump of pytest-timeout up to the rule that closes it; the main
// thread runs the test; where it is not among them, the test fails by itself and
// the run goes on.
func (o *trouble) stacks(text string) bool {
	if o.over {
		return false
	}
	o.over = isTimeoutRule(text)
	if strings.Contains(text, "~ Stack of ") {
		o.current = strings.Contains(text, "~ Stack of MainThread ")
	}
	if at, ok := frame.Python(text); ok && o.current {
		o.err.frame(at)
	}
	return true
}

// conftest reads the short traceback of a conftest.py that cannot be imported.
func (o *trouble) conftest(text string, files *place.Files) bool {
	e := &o.err
	at, rest, placed := place.CutPlace(text)
	name, in := strings.CutPrefix(rest, "in ")
	switch {
	case text == "":
		return false
	case strings.HasPrefix(text, "E   "):
		message, first := strings.TrimSpace(text[1:]), !e.set
		if first {
			e.set, e.message = true, message
		}
		if !e.syntax(message, files) && !first {
			e.rest.Add(text[4:], nil)
		}
	case placed && in:
		at.Function = name
		e.frame(at)
		e.source = ""
	case text[0] != ' ':
		return false
	case e.source == "":
		e.source = lex.CutText(strings.TrimSpace(text), lex.MaxSource)
	}
	return true
}

func (t *troubles) close() {
	if o := t.open; o != nil && len(t.found) < maxTroubles {
		o.message, o.err.message = lex.Headline(o.message), lex.Headline(o.err.message)
		t.found = append(t.found, *o)
	}
	t.open = nil
}

// report adds the findings, as far as the output is pytest's. Of coverage, the last thing
// that pytest-cov said is the fullest wording of one failure.
func (t *troubles) report(rep *tool.Report, direct, ran bool) {
	last := -1
	for i := range t.found {
		if t.found[i].kind == coverage {
			last = i
		}
	}
	for i := range t.found {
		o := &t.found[i]
		if !o.believed(rep, direct, ran) || o.kind == coverage && i != last || o.kind == fatal && t.mergeCrash(rep, o) {
			continue
		}
		t.add(rep, o)
	}
}

// believed: the trouble is pytest's. A line "ERROR: x" or a traceback may be a test's
// own.
func (o *trouble) believed(rep *tool.Report, direct, ran bool) bool {
	ofPytest := slices.ContainsFunc(o.err.frames, func(at result.Location) bool { return strings.Contains(at.Path, "/_pytest/") })
	switch o.kind {
	case usage:
		return (direct || ran) && (!rep.Tested && len(rep.Findings) == 0 || strings.HasPrefix(o.message, "Wrong expression passed to '-"))
	case internal:
		return len(o.err.frames) > 0 || !ran
	case traceback:
		// pytest's own: it did not come to its end, or fell behind it, as what a plugin does last may
		return o.err.set && ofPytest && (!rep.Complete || lex.IsOneOf(o.err.frames[0].Function, "<module> _run_module_as_main"))
	case fatal:
		return direct || ran
	case timeout:
		return len(o.err.frames) > 0 && (ran || ofPytest)
	}
	return true
}

// is says that one trouble was found, of this kind.
func (t *troubles) is(kind troubleKind) bool { return len(t.found) == 1 && t.found[0].kind == kind }

// mergeCrash gives the place of a fatal error to the test that a worker of
// xdist died in.
func (t *troubles) mergeCrash(rep *tool.Report, o *trouble) bool {
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if !strings.HasPrefix(f.Message, "worker crashed while running") || f.At != nil && f.At.Line > 0 {
			continue
		}
		if slices.ContainsFunc(o.err.frames, func(at result.Location) bool { return at.Function == f.Name && !t.files.External(at.Path) }) {
			f.Related = append(f.Related, result.Related{Message: o.message})
			f.At, _ = o.place(t.files)
			return true
		}
	}
	return false
}

// place is the deepest place in the workspace, and led those that led there: faulthandler
// lists the most recent call first, the others last.
func (o *trouble) place(files *place.Files) (deepest *result.Location, led []result.Location) {
	frames := slices.Clone(o.err.frames)
	if o.kind != fatal {
		slices.Reverse(frames)
	}
	frames = slices.DeleteFunc(frames, func(at result.Location) bool { return files.External(at.Path) })
	if len(frames) == 0 {
		return nil, nil
	}
	return &frames[0], frames[1:min(len(frames), result.MaxFrames)]
}

// meanings are what a trouble of each kind makes of pytest's exit status.
var meanings = [...]result.Meaning{
	usage: result.MeansUsage, conftest: result.MeansUsage, plugin: result.MeansInternal, internal: result.MeansInternal, traceback: result.MeansInternal, warnings: "",
	fatal: result.MeansCrashed, timeout: result.MeansInterrupted,
}

func (t *troubles) add(rep *tool.Report, o *trouble) {
	f := result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: strings.TrimSpace(o.message),
		RawSpan: &result.Span{Start: o.start, End: o.end},
	}
	f.At, f.Frames = o.place(t.files)
	if o.err.set {
		f.Message, f.Rule = stripAssert(strings.TrimSpace(o.err.message)), trace.ClassOf(o.err.message)
	}
	for i := range o.causes {
		e := &o.causes[len(o.causes)-1-i]
		at, _ := (&trouble{err: *e}).place(t.files)
		f.Related = append(f.Related, result.Related{Message: e.link + e.message, At: at})
		f.At = cmp.Or(f.At, at) // what was raised from it may be raised by a library
	}
	var text []string
	switch meaning := meanings[o.kind]; {
	case meaning != "":
		rep.Meaning = meaning
	case o.kind == coverage: // the two percentages of pytest-cov
		want, got, ok := strings.Cut(strings.TrimPrefix(f.Message, "Required test coverage of "), " not reached. Total coverage: ")
		if ok {
			f.Expected, f.Actual, f.Operator = want, got, ">="
		}
	}
	if o.kind == plugin && f.At == nil && len(o.err.frames) > 0 { // its files alone say which
		f.At = &o.err.frames[len(o.err.frames)-1]
	}
	if o.kind == conftest || o.kind == plugin {
		text = append(text, o.message)
	}
	if o.err.source != "" {
		text = append(text, "> "+o.err.source)
	}
	f.Detail = strings.Join(append(text, o.err.rest.Lines()...), "\n")
	rep.Add(f)
	rep.Claimed = max(rep.Claimed, 0) + 1
	rep.Covered = append(rep.Covered, result.Span{Start: o.start, End: o.end})
}
