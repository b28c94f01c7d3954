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

// troubles are problems of a run as a whole. Most are printed on stderr, outside of any run.
type troubles struct {
	above exception // has the frames of a stack without a head
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
	slower
)

type trouble struct {
	kind       troubleKind
	message    string
	err        exception
	causes     []exception // causes of err, from the first one on
	between    bool        // an empty line was read
	over       bool        // its closing line was read
	current    bool        // in the stack of the main thread
	threads    read.Stacks
	short      *block // a traceback in pytest's format
	start, end int64
}

// maxTroubles bounds the troubles that are kept, of which a run usually has one or two.
const maxTroubles = 200

// line takes a line, and says whether it belongs to a trouble.
func (t *troubles) line(l tool.Line) bool {
	if o := t.open; o != nil {
		if o.goesOn(l.Text, t.files) {
			o.end = max(o.end, l.End)
			return true
		}
		t.close()
	}
	if at, ok := frame.Python(l.Text); ok {
		t.above.frame(at)
	}
	kind, message := troubleOf(l.Text)
	if kind == 0 {
		if l.Text == "" || l.Text[0] != ' ' {
			t.above.frames = nil
		}
		return false
	}
	t.open = &trouble{kind: kind, message: message, err: newException(), start: l.Start, end: l.End}
	if kind == timeout && len(t.above.frames) > 0 { // the closing rule, of which "| tail" left the end of the stack
		t.open.err.frames, t.open.over = t.above.frames, true
	}
	if kind == internal {
		t.open.traceback(message)
	}
	return kind != fatal || l.Text[0] == 'F'
}

// troubleHeads are the beginnings of troubles' first lines; drop is how many bytes of them are no part of the
// message.
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
	{"Performance has regressed:", slower, 0}, // pytest-benchmark
	{"Tests pass, but maximum allowed warnings exceeded: ", warnings, 0},
}

// troubleOf recognizes the first line of a trouble.
func troubleOf(line string) (troubleKind, string) {
	if line == "" {
		return 0, ""
	}
	if strings.IndexByte("EFIPT", line[0]) >= 0 {
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

// isTimeoutRule says whether a line opens or closes the stacks that pytest-timeout prints before it kills the run
// (method=thread).
func isTimeoutRule(line string) bool {
	return line != "" && line[len(line)-1] == '+' && strings.HasSuffix(strings.TrimRight(line, "+"), "+ Timeout ")
}

// interrupted reads progress that a trouble cut short on the same line.
func (r *reader) interrupted(l tool.Line) {
	if run := r.cur; run != nil && run.section == atStart && isTimeoutRule(l.Text) && l.Text[0] != '+' {
		l.Text, _, _ = strings.Cut(l.Text, "+")
		run.text(l, r)
	}
}

// goesOn says whether a line belongs to the trouble, and if so reads it.
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
	case slower:
		if what, ok := strings.CutPrefix(line, "\t"); ok {
			o.message += " " + what
			return true
		}
		return line == "" || line[0] == '-' || o.traceback(line)
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

// unfinished joins a message that ends in a colon with the line after it.
func (o *trouble) unfinished(line string) bool {
	const then = "This error occurred:" // a warning filter's
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

// traceback reads a native traceback: the message is the last line in the first column that is no heading.
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
		if e.set { // a further traceback of the chain
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

// stacks reads the stacks of pytest-timeout up to the closing rule. The main thread runs the test; if its stack is
// missing, the test itself fails and the run continues.
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

// conftest reads the short traceback of a conftest.py that cannot be imported, as that of a test.
func (o *trouble) conftest(text string, files *place.Files) bool {
	if o.short == nil {
		o.short = newBlock("", inErrors, o.start, files)
	}
	_, in, placed := place.CutPlace(text)
	if text == "" || text[0] != ' ' && !strings.HasPrefix(text, "E   ") && !(placed && strings.HasPrefix(in, "in ")) {
		return false
	}
	o.short.body(text, nil)
	o.err = o.short.err
	return true
}

func (t *troubles) close() {
	if o := t.open; o != nil && len(t.found) < maxTroubles {
		o.message, o.err.message = lex.Headline(o.message), lex.Headline(o.err.message)
		t.found = append(t.found, *o)
	}
	t.open = nil
}

// report adds the findings of troubles that are pytest's. pytest-cov may report one failure in several wordings, of
// which the last is the fullest.
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

// believed says whether the trouble is pytest's: a test may print a line "ERROR: x" or a traceback.
func (o *trouble) believed(rep *tool.Report, direct, ran bool) bool {
	ofPytest := slices.ContainsFunc(o.err.frames, func(at result.Location) bool { return strings.Contains(at.Path, "/_pytest/") })
	switch o.kind {
	case usage:
		return (direct || ran) && (!rep.Tested && len(rep.Findings) == 0 || strings.HasPrefix(o.message, "Wrong expression passed to '-"))
	case internal:
		return len(o.err.frames) > 0 || !ran
	case traceback:
		// a traceback of pytest itself: the run did not end, or it failed after its end in a plugin's last step
		return o.err.set && ofPytest && (!rep.Complete || lex.IsOneOf(o.err.frames[0].Function, "<module> _run_module_as_main"))
	case fatal:
		return direct || ran
	case timeout:
		return len(o.err.frames) > 0 && (ran || ofPytest) || len(o.err.frames) == 0 && !o.over
	}
	return true
}

// is says whether exactly one trouble was found, and it is of this kind.
func (t *troubles) is(kind troubleKind) bool { return len(t.found) == 1 && t.found[0].kind == kind }

// mergeCrash adds the place of a fatal error to the test in which a worker of xdist died.
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

// place is the deepest place in the workspace; led are the frames that led there. faulthandler lists the most recent
// call first, other tracebacks last.
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

// meanings are the meanings of pytest's exit status after a trouble of each kind.
var meanings = [...]result.Meaning{
	usage: result.MeansUsage, conftest: result.MeansUsage, plugin: result.MeansInternal, internal: result.MeansInternal, traceback: result.MeansInternal, warnings: "", slower: "",
	fatal: result.MeansCrashed, timeout: result.MeansInterrupted,
}

func (t *troubles) add(rep *tool.Report, o *trouble) {
	f := result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: strings.TrimSpace(o.message),
		RawSpan: &result.Span{Start: o.start, End: o.end},
	}
	f.At, f.Frames = o.place(t.files)
	isTest := func(at result.Location) bool {
		return strings.HasPrefix(at.Function, "test") && !t.files.External(at.Path)
	}
	if i := slices.IndexFunc(o.err.frames, isTest); i >= 0 && (o.kind == timeout || o.kind == fatal) {
		of := o.err.frames[i]
		f.Message += " in " + of.Function
		if *f.At != of { // the answer shows the test's place before the others
			f.Frames = slices.Insert(slices.DeleteFunc(f.Frames, func(at result.Location) bool { return at == of }), 0, of)
		}
	}
	if o.err.set {
		f.Rule = trace.ClassOf(o.err.message)
		if o.kind != slower {
			f.Message = stripAssert(strings.TrimSpace(o.err.message))
		}
	}
	for i := range o.causes {
		e := &o.causes[len(o.causes)-1-i]
		at, _ := (&trouble{err: *e}).place(t.files)
		f.Related = append(f.Related, result.Related{Message: e.link + e.message, At: at})
		f.At = cmp.Or(f.At, at) // an exception raised from it may come from a library
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
	if o.kind == plugin && f.At == nil && len(o.err.frames) > 0 { // only the plugin's files say which one it is
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
