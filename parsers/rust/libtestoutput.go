package rust

import (
	"cmp"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// rustOutput is the output of one test, by kinds of lines.
type rustOutput struct {
	panics  []*rustPanic
	note    string // libtest's note about should_panic
	at      *result.Location
	values  [2]string // panic message and expected substring
	failed  rustError // the error that a test returned
	source  *result.Location
	cases   []result.Related
	printed []string   // other lines
	verdict string     // rustdoc's verdict on a documentation test
	diag    *rustcDiag // the first error of a documentation test that did not compile
	inDiag  bool
	doc     bool // a documentation test; in others, lines that look like rustc's errors are output
	said    rustSaid

	sanitizer sanitizerReport
}

func readRustOutput(lines []string, doc bool) *rustOutput {
	o := &rustOutput{doc: doc}
	var open *rustPanic
	for _, s := range lines {
		if o.libtestNote(s) {
			open = nil
			continue
		}
		if open != nil && open.line(s) {
			continue
		}
		open = nil
		if p, ok := readRustPanic(s); ok && len(o.panics) < maxLoosePanics {
			open = new(rustPanic)
			if *open = p; p.old && len(o.failed.lines) == 1 {
				open.before = o.failed.lines[0]
			}
			o.panics = append(o.panics, open)
			o.inDiag = false
			continue
		}
		o.other(s)
	}
	return o
}

// libtestNote reads libtest's note about should_panic.
func (o *rustOutput) libtestNote(s string) bool {
	if rest, ok := strings.CutPrefix(s, "note: test did not panic as expected"); ok {
		o.note = "test did not panic as expected"
		if at, ok := cutRustcPosition(strings.TrimPrefix(rest, " at ")); ok {
			o.at = &at
		}
		return true
	}
	if strings.HasPrefix(s, "note: panic did not contain expected string") || strings.HasPrefix(s, "note: expected panic with string value") {
		o.note = strings.TrimSuffix(strings.TrimPrefix(s, "note: "), ",")
		return true
	}
	if o.note != "" && strings.HasPrefix(s, " found non-string value: ") {
		o.note += ", found another"
		return true
	}
	if o.note == "" {
		return false
	}
	for i, label := range []string{"panic message: ", "expected substring: "} {
		if v, ok := strings.CutPrefix(strings.TrimLeft(s, " "), label); ok {
			o.values[i] = unquoteOld(v)
			return true
		}
	}
	return false
}

// unquoteOld drops the backticks and the comma that Rust printed before 1.83.
func unquoteOld(v string) string {
	v = strings.TrimSuffix(v, ",")
	if len(v) > 1 && v[0] == '`' && v[len(v)-1] == '`' {
		return v[1 : len(v)-1]
	}
	return v
}

func (o *rustOutput) other(s string) {
	if o.inDiag {
		if o.inDiag = s != ""; o.inDiag {
			o.diag.lines = append(o.diag.lines, s)
			return
		}
	}
	if o.sanitizer.line(s); o.said.line(s) {
		return
	}
	level, code, message, ok := cutRustcHeadline(s)
	switch {
	case (o.doc || message == "expect test failed") && ok && level == "error" && o.diag == nil && !isRustcSummary(s):
		o.diag, o.inDiag = &rustcDiag{level: level, code: code, message: message}, true
	case beginsRustError(s), len(o.failed.lines) > 0:
		o.failed.add(s)
	case isDocVerdict(s):
		o.verdict = strings.TrimSuffix(s, ".")
	default:
		o.ofCrates(s)
	}
}

// ofCrates keeps lines that crates for tests print before they panic.
func (o *rustOutput) ofCrates(s string) {
	if at := instaSource(s); at != nil {
		o.source = at
	}
	o.cases = trybuildCases(o.cases, s)
	if row := strings.TrimSpace(s); row != "" && !o.doc && !isOfHarness(row) {
		lex.Keep(&o.printed, maxRustPrinted, s)
	}
}

// isOfHarness reports whether a line is libtest's, nextest's, proptest's or the runtime's, and not one that the test printed.
func isOfHarness(row string) bool {
	return lex.HasAnyPrefix(row, "failures:", "test ", "---- ", "test result: ", "thread caused ", "proptest: ", "cc ", "warning: ", "error: ")
}

// maxRustPrinted bounds the lines kept of what a test printed.
const maxRustPrinted = 40

// fillCrates adds those lines, if the panic is in a dependency.
func (o *rustOutput) fillCrates(f *result.Finding) {
	if f.Message == "check failed" || f.Message == "assertion failed" {
		o.said.fill(f)
	}
	if ofTrybuild(f) {
		f.Related = append(f.Related, o.cases...)
	}
	if f.At != nil && frame.IsRustLibrary(f.At.Path) && o.source != nil {
		f.At = o.source
	}
}

// isDocVerdict says whether a line is rustdoc's verdict on a documentation test.
func isDocVerdict(s string) bool {
	return lex.HasAnyPrefix(s, "Test executable failed", "Test executable succeeded, but", "Test compiled successfully, but", "Couldn't compile the test", "Couldn't run the test", "Some expected error codes were not found")
}

// behindDocVerdict cuts rustdoc's verdict off a line. Under --nocapture the verdict has no newline, so the next error
// of the compiler or of cargo follows on the same line.
func behindDocVerdict(s string) string {
	verdict, rest, _ := strings.Cut(s, ".")
	if !isDocVerdict(verdict) {
		return ""
	}
	return rest
}

func (o *rustOutput) fillNote(f *result.Finding, name string) {
	if len(o.panics) > 0 {
		fillRustPanics(f, o.panics, name)
		f.Detail, f.Expected, f.Actual = "", "", ""
	}
	f.Message = o.note
	f.At = cmp.Or(o.at, f.At)
	if o.values[1] != "" {
		f.Actual, f.Expected = o.values[0], o.values[1]
		said := "expected substring: " + f.Expected
		if f.Actual != "" {
			said = "panic message: " + f.Actual + ", " + said
		}
		if len(f.Actual)+len(f.Expected) <= maxRustValue {
			f.Message += " (" + said + ")"
		}
	}
}

func (o *rustOutput) fillCompile(f *result.Finding) {
	d := o.diag.finding(&rustcLints{})
	f.Rule, f.Message, f.At, f.Detail = d.Rule, d.Message, d.At, d.Detail
	f.Locations, f.Related, f.Suggestions = d.Locations, d.Related, d.Suggestions
	f.Tags = append(f.Tags, "compile")
}

// placeDocTest takes the place in the name of a documentation test, "src/lib.rs - item (line 19)", if the failure has
// no place in the source. A panic of the test itself has the file and the line of the program that rustdoc made of the
// test. A line above the test is not the source's; a line below may be the documented item's own, and is kept.
func placeDocTest(f *result.Finding, name string) {
	path, rest, _ := strings.Cut(name, " - ")
	i := strings.LastIndex(rest, "(line ")
	_, line, ok := place.CutLineNumber("x:" + strings.TrimSuffix(rest[i+len("(line "):], ")"))
	if !ok {
		return
	}
	test := &result.Location{Path: path, Line: line}
	switch {
	case f.At == nil || strings.Contains(f.At.Path, "rustdoctest") || !strings.HasSuffix(f.At.Path, ".rs") || f.At.Path == "<anon>":
		f.At = test
	case f.At.Path == path && f.At.Line < line:
		panicked := *f.At
		panicked.Label = "line of the program made of the test"
		f.At, f.Locations = test, append(f.Locations, panicked)
	}
}
