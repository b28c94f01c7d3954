package junit

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
)

// junitCase is the open test case. Most cases pass: their texts are kept in buffers that the next case reuses.
type junitCase struct {
	name, class, file, owner, status, verdict, param []byte

	line     int
	took     int64 // milliseconds
	start    int64
	implicit bool // a failure of the suite itself, outside of any case
	outcomes []junitOutcome
	forgiven int       // expected outcomes that Catch2's suites count as failures
	output   junitText // output of a failed case
	cut      bool      // its name was shortened
}

// junitOutcome is a reason why a case did not pass.
type junitOutcome struct {
	what    string // the element: failure, error, skipped, rerunFailure, …
	message string
	class   string // the attribute type, often the exception's class
	text    junitText
}

func (t *junitCase) reset(start int64) {
	*t = junitCase{
		name: t.name[:0], class: t.class[:0], file: t.file[:0], owner: t.owner[:0], status: t.status[:0],
		verdict: t.verdict[:0], param: t.param[:0], outcomes: t.outcomes[:0], start: start,
	}
}

func (t *junitCase) begin(x *xmltext.Scanner, start int64) {
	t.reset(start)
	for i := range x.Attrs {
		a := &x.Attrs[i]
		value := x.Values[a.Begin:a.End]
		switch string(a.Name) {
		case "name":
			t.name, t.cut = append(t.name, value...), a.Cut
		case "classname":
			t.class = append(t.class, value...)
		case "class":
			t.owner = append(t.owner, value...)
		case "file", "filepath":
			t.file = append(t.file[:0], value...)
		case "line", "lineno":
			t.line = lex.Atoi(string(value))
		case "time", "duration":
			t.took, _ = lex.Millis(string(value))
		case "status":
			t.status = append(t.status, value...)
		case "result":
			t.verdict = append(t.verdict, value...)
		case "value_param":
			t.param = append(t.param, value...)
		}
	}
}

// outcome adds an outcome, and returns the text that its content goes to.
func (t *junitCase) outcome(x *xmltext.Scanner, only bool) *junitText {
	o := junitOutcome{what: string(x.Name)}
	if o.what == "skipped" {
		o.class, o.message = x.Attr("type"), x.Attr("message")
		t.outcomes = append(t.outcomes, o)
		return nil
	}
	if len(t.outcomes) >= maxOutcomes {
		return nil
	}
	if file, line := x.Attr("file"), lex.Atoi(x.Attr("line")); file != "" && line > 0 && len(t.outcomes) == 0 { // the place of the failure, not of the test
		t.file, t.line = append(t.file[:0], file...), line
	}
	if !only {
		o.message, o.class = x.Attr("message"), x.Attr("type")
	}
	t.outcomes = append(t.outcomes, o)
	return &t.outcomes[len(t.outcomes)-1].text
}

// maxOutcomes bounds the outcomes kept of one case.
const maxOutcomes = 1000

// todo reports whether the test is marked as still to be done: node runs such a test, but its outcome does not
// count.
func (t *junitCase) todo() bool {
	return slices.ContainsFunc(t.outcomes, func(o junitOutcome) bool { return o.what == "skipped" && o.class == "todo" })
}

// notStarted makes an error of a case that the report calls skipped although it could not be started.
func (t *junitCase) notStarted(known *tool.Dialect) {
	if known.NotStarted == nil || len(t.outcomes) != 1 {
		return
	}
	if o := &t.outcomes[0]; o.what == "skipped" && known.NotStarted(string(t.status), o.message) {
		o.what = "error"
	}
}

// bad reports whether the case failed, even if a later attempt passed.
func (t *junitCase) bad() bool {
	return t.saysFailed() || slices.ContainsFunc(t.outcomes, func(o junitOutcome) bool { return o.what != "skipped" })
}

// saysFailed reports whether only the status says that the case failed, as with ctest.
func (t *junitCase) saysFailed() bool {
	return lex.IsOneOf(string(t.status), "fail failed error broken")
}

// skipped reports whether the case did not run.
func (t *junitCase) skipped() bool {
	return lex.IsOneOf(string(t.status), "notrun disabled skipped pending") || lex.IsOneOf(string(t.verdict), "skipped suppressed") ||
		slices.ContainsFunc(t.outcomes, func(o junitOutcome) bool { return o.what == "skipped" })
}

// junitText keeps the beginning and the end of a text of any length.
type junitText struct {
	head, tail strings.Builder
	before     string // the half of the tail before the one being filled
	omitted    bool
}

// MaxText bounds the beginning, and each half of the end, in bytes.
const MaxText = 256 << 10

func (t *junitText) add(s string) {
	if room := MaxText - t.head.Len(); room > 0 && t.tail.Len() == 0 {
		n := min(room, len(s))
		t.head.WriteString(s[:n])
		s = s[n:]
	}
	for s != "" {
		n := min(len(s), MaxText-t.tail.Len())
		t.tail.WriteString(s[:n])
		s = s[n:]
		if t.tail.Len() == MaxText {
			t.omitted = t.omitted || t.before != ""
			t.before = t.tail.String()
			t.tail.Reset()
		}
	}
}

// lines returns the text that was kept, with escapes resolved and without blank lines at both ends.
func (t *junitText) lines() []string {
	text := t.head.String()
	if t.omitted {
		text += "\n…\n"
	}
	return read.TextLines(text + t.before + t.tail.String())
}
