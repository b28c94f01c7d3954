package parsers

import (
	"strings"
)

// junitCase is the test case that is being read. Most pass: what they say is
// kept in buffers that the next one uses again.
type junitCase struct {
	name, class, file, phpClass, status, verdict, param []byte

	line     int
	start    int64
	implicit bool // a failure outside of any case: the suite's own
	outcomes []junitOutcome
	output   junitText // of a case that failed
	cut      bool      // its name was not kept whole
}

// junitOutcome is why a case did not pass.
type junitOutcome struct {
	what    string // the element: failure, error, skipped, rerunFailure, …
	message string
	class   string // of the exception: the attribute type
	text    junitText
}

func (t *junitCase) reset(start int64) {
	*t = junitCase{
		name: t.name[:0], class: t.class[:0], file: t.file[:0], phpClass: t.phpClass[:0], status: t.status[:0],
		verdict: t.verdict[:0], param: t.param[:0], outcomes: t.outcomes[:0], start: start,
	}
}

func (t *junitCase) begin(x *xmlScanner, start int64) {
	t.reset(start)
	for i := range x.attrs {
		a := &x.attrs[i]
		value := x.values[a.begin:a.end]
		switch string(a.name) {
		case "name":
			t.name, t.cut = append(t.name, value...), a.cut
		case "classname":
			t.class = append(t.class, value...)
		case "class":
			t.phpClass = append(t.phpClass, value...)
		case "file", "filepath":
			t.file = append(t.file[:0], value...)
		case "line", "lineno":
			t.line = atoi(string(value))
		case "status":
			t.status = append(t.status, value...)
		case "result":
			t.verdict = append(t.verdict, value...)
		case "value_param":
			t.param = append(t.param, value...)
		}
	}
}

// outcome opens one, and gives where its text goes.
func (t *junitCase) outcome(x *xmlScanner) *junitText {
	o := junitOutcome{what: string(x.name)}
	if o.what == "skipped" {
		o.class, o.message = x.attr("type"), x.attr("message")
		t.outcomes = append(t.outcomes, o)
		return nil
	}
	if len(t.outcomes) >= maxOutcomes {
		return nil
	}
	o.message, o.class = x.attr("message"), x.attr("type")
	t.outcomes = append(t.outcomes, o)
	return &t.outcomes[len(t.outcomes)-1].text
}

// maxOutcomes bounds the reasons that are kept of one case.
const maxOutcomes = 64

// todo: node ran it, and does not mind how it went.
func (t *junitCase) todo() bool {
	for i := range t.outcomes {
		if o := &t.outcomes[i]; o.what == "skipped" && o.class == "todo" {
			return true
		}
	}
	return false
}

// notRun makes an error of a test that ctest could not start, which it counts
// as failed on the terminal and as skipped in the report.
func (t *junitCase) notRun() {
	if string(t.status) != "notrun" || len(t.outcomes) != 1 {
		return
	}
	if o := &t.outcomes[0]; o.what == "skipped" && o.message != "" && !strings.HasPrefix(o.message, "SKIP_") && o.message != "Disabled" {
		o.what = "error"
	}
}

// bad: the case failed, or did so at first.
func (t *junitCase) bad() bool {
	for i := range t.outcomes {
		if t.outcomes[i].what != "skipped" {
			return true
		}
	}
	return t.saysFailed()
}

// saysFailed: by its status alone, as ctest may.
func (t *junitCase) saysFailed() bool {
	switch string(t.status) {
	case "fail", "failed", "error", "broken":
		return true
	}
	return false
}

// skipped: it did not run.
func (t *junitCase) skipped() bool {
	for i := range t.outcomes {
		if t.outcomes[i].what == "skipped" {
			return true
		}
	}
	switch string(t.status) {
	case "notrun", "disabled", "skipped", "pending":
		return true
	}
	return string(t.verdict) == "skipped" || string(t.verdict) == "suppressed"
}

// expectedFailure: pytest's xfail, which JUnit knows as skipped.
func (t *junitCase) expectedFailure() bool {
	for i := range t.outcomes {
		if t.outcomes[i].class == "pytest.xfail" {
			return true
		}
	}
	return false
}

// junitText keeps the beginning and the end of a text of any length.
type junitText struct {
	head, tail strings.Builder
	before     string // the half of the tail before the one that is being filled
	omitted    bool
}

// maxJUnitText bounds the beginning, and each half of the end.
const maxJUnitText = 256 << 10

func (t *junitText) add(s string) {
	if room := maxJUnitText - t.head.Len(); room > 0 && t.tail.Len() == 0 {
		n := min(room, len(s))
		t.head.WriteString(s[:n])
		s = s[n:]
	}
	for s != "" {
		n := min(len(s), maxJUnitText-t.tail.Len())
		t.tail.WriteString(s[:n])
		s = s[n:]
		if t.tail.Len() == maxJUnitText {
			t.omitted = t.omitted || t.before != ""
			t.before = t.tail.String()
			t.tail.Reset()
		}
	}
}

// lines is what was kept, escapes resolved, without blank lines at its ends.
func (t *junitText) lines() []string {
	text := t.head.String()
	if t.omitted {
		text += "\n…\n"
	}
	return textLines(text + t.before + t.tail.String())
}

// textLines splits a text of a document into lines as a terminal shows them.
func textLines(text string) []string {
	text = asWestern(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i, s := range all {
		all[i] = shownText(s)
	}
	for len(all) > 0 && strings.TrimSpace(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	for len(all) > 0 && strings.TrimSpace(all[0]) == "" {
		all = all[1:]
	}
	return all
}

// shownText is a line without escapes. What XML forbids, pytest spells "#x1B"
// and Java's runners "&#27;".
func shownText(s string) string {
	s = strings.ReplaceAll(s, "#x1B[", "\x1b[")
	return string(resolve([]byte(strings.TrimRight(s, " \r"))))
}
