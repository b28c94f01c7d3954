package junit

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/text/xmltext"
)

// form describes another kind of XML report with the same facts as JUnit XML under other names. Such a report is
// translated into JUnit XML, so that there is one reader of reports.
type form struct {
	root   string
	test   string            // element of a test
	name   string            // attribute with the test's full name
	class  string            // element around the test, whose name precedes the test's; "" if name is complete
	result string            // attribute with the outcome
	came   map[string]string // other values of that attribute than passed and failed, with JUnit's element for each
	passed string
	took   string // attribute with the duration
	unit   float64
	// elements inside the test: their text is the message and the trace
	message, trace string
	raised         string // attribute with the type, of the element around message
	param          string // element with one parameter, as text; the types are in the signature
	stray          stray
}

// stray is an element outside of every test in which something else failed: set-up or clean-up for several tests.
type stray struct {
	name string
	text string // the element inside with the message
	// is reports whether the element is a failure, given its attributes and those of the last suite opened.
	is func(has, suite map[string]string) bool
}

var forms = [...]form{
	{ // https://learn.microsoft.com/visualstudio/test, the schema vstst.xsd
		root: "TestRun", test: "UnitTestResult", name: "testName", result: "outcome", passed: "Passed", took: "duration",
		came:    map[string]string{"NotExecuted": "skipped", "Pending": "skipped", "Inconclusive": "skipped", "NotRunnable": "skipped"},
		message: "Message", trace: "StackTrace",
		stray: stray{"RunInfo", "Text", func(has, _ map[string]string) bool { return has["outcome"] == "Error" }},
	},
	{ // https://xunit.net/docs/format-xml-v2
		root: "assemblies", test: "test", name: "name", result: "result", passed: "Pass", took: "time", unit: 1,
		came: map[string]string{"Skip": "skipped", "NotRun": "skipped"}, message: "message", trace: "stack-trace", raised: "exception-type",
		stray: stray{"error", "message", func(map[string]string, map[string]string) bool { return true }},
	},
	{ // https://docs.nunit.org/articles/nunit/technical-notes/usage/Test-Result-XML-Format.html
		root: "test-run", test: "test-case", name: "fullname", result: "result", passed: "Passed", took: "duration", unit: 1,
		came: map[string]string{"Skipped": "skipped", "Inconclusive": "skipped", "Warning": ""}, message: "message", trace: "stack-trace",
		stray: stray{"failure", "message", func(_, suite map[string]string) bool { return suite["site"] == "SetUp" || suite["site"] == "TearDown" }},
	},
	{ // https://testng.org/#_testng_results, testng-results.xml
		root: "testng-results", test: "test-method", name: "name", class: "class", result: "status", passed: "PASS", took: "duration-ms", unit: 0.001,
		came: map[string]string{"SKIP": "skipped"}, message: "message", trace: "full-stacktrace", raised: "class", param: "value",
	},
}

// formOf is the form of a document with that root, nil for other roots.
func formOf(root string) *form {
	if i := slices.IndexFunc(forms[:], func(f form) bool { return f.root == root }); i >= 0 {
		return &forms[i]
	}
	return nil
}

// mostTranslated bounds how many bytes of such a report are read; a longer one counts as cut.
const mostTranslated = 64 << 20

// asJUnit returns a document as JUnit XML, translated if it is in another form.
func asJUnit(r io.Reader) io.Reader {
	head := bufio.NewReaderSize(xmltext.UTF8(r), 4<<10)
	begin, _ := head.Peek(4 << 10)
	f := formOf(rootOf(begin))
	if f == nil {
		return head
	}
	return f.translate(io.LimitReader(head, mostTranslated))
}

// rootOf is the name of the first element.
func rootOf(head []byte) string {
	d := decoder(bytes.NewReader(head))
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if e, ok := token.(xml.StartElement); ok {
			return e.Name.Local
		}
	}
}

func decoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // asJUnit has converted it to UTF-8
	return d
}

// translation is the state of translating a document.
type translation struct {
	*form
	out     bytes.Buffer
	open    string            // the open element of a test, or stray element
	test    map[string]string // its attributes
	suite   map[string]string // attributes of the last suite opened, in NUnit's form
	message string
	trace   string
	raised  string
	class   string
	params  []string
	text    strings.Builder
}

// translate returns a document as JUnit XML. If the document is cut, so is the result; without a test the result is
// empty.
func (f *form) translate(r io.Reader) io.Reader {
	t := &translation{form: f}
	for d := decoder(r); ; {
		token, err := d.Token()
		if err != nil {
			if errors.Is(err, io.EOF) && t.out.Len() > 0 {
				t.out.WriteString("</testsuite></testsuites>\n")
			}
			return &t.out
		}
		switch e := token.(type) {
		case xml.StartElement:
			t.begin(e)
		case xml.CharData:
			t.text.Write(e[:min(len(e), max(0, maxFormText-t.text.Len()))])
		case xml.EndElement:
			t.end(e.Name.Local)
		}
	}
}

// maxFormText bounds one text, in bytes.
const maxFormText = 256 << 10

func (t *translation) begin(e xml.StartElement) {
	t.text.Reset()
	has := map[string]string{}
	for _, a := range e.Attr {
		has[a.Name.Local] = a.Value
	}
	name := e.Name.Local
	if name == "test-suite" {
		t.suite = has
	}
	switch {
	case name == t.form.test && (has["is-config"] != "true" || has[t.result] == "FAIL"): // TestNG's set-up is only a test if it fails
		t.open, t.test, t.message, t.trace, t.raised, t.params = name, has, "", "", "", nil
	case t.open == "" && name == t.stray.name && t.stray.is(has, t.suite):
		t.open, t.message, t.trace, t.raised = name, "", "", ""
	case name == t.form.class && t.open == "":
		t.class = has["name"]
	case t.open != "" && t.form.raised != "" && has[t.form.raised] != "":
		t.raised = has[t.form.raised]
	}
}

func (t *translation) end(name string) {
	text := strings.TrimSpace(t.text.String())
	t.text.Reset()
	switch {
	case t.open == "":
	case name == t.open:
		t.write()
		t.open = ""
	case name == t.form.message, t.open == t.stray.name && name == t.stray.text:
		t.message = cmp.Or(t.message, text)
	case name == t.form.trace:
		t.trace = text
	case name == t.form.param && name != "":
		t.params = append(t.params, t.shown(text))
	}
}

// shown is a parameter in the form in which TestNG prints it in the name of a test: strings are quoted.
func (t *translation) shown(text string) string {
	_, types, _ := strings.Cut(t.test["signature"], "(")
	types, _, _ = strings.Cut(types, ")")
	of := strings.Split(types, ",")
	if n := len(t.params); n < len(of) && of[n] == "java.lang.String" && text != "null" {
		return `"` + text + `"`
	}
	return text
}

// write writes the element that was closed.
func (t *translation) write() {
	if t.out.Len() == 0 {
		t.out.WriteString("<testsuites><testsuite>\n")
	}
	if t.open == t.stray.name {
		t.outcome("failure", t.trace)
		return
	}
	name := t.test[t.name]
	if t.class != "" {
		name = t.class + "." + name
	}
	if len(t.params) > 0 {
		name += "(" + strings.Join(t.params, ", ") + ")"
	}
	t.out.WriteString(`<testcase name="`)
	xml.EscapeText(&t.out, []byte(name))
	t.out.WriteString(`" time="` + strconv.FormatFloat(t.seconds(), 'f', -1, 64) + `">`)
	came := t.test[t.result]
	kind, other := t.came[came]
	switch {
	case came == t.passed || other && kind == "":
	case other:
		t.outcome(kind, "")
	default: // failed, or an unknown word
		t.outcome("failure", t.trace)
	}
	t.out.WriteString("</testcase>\n")
}

func (t *translation) outcome(kind, trace string) {
	t.out.WriteString("<" + kind + ` message="`)
	xml.EscapeText(&t.out, []byte(t.message))
	t.out.WriteString(`" type="`)
	xml.EscapeText(&t.out, []byte(t.raised))
	t.out.WriteString(`">`)
	if first, _, _ := strings.Cut(t.message, "\n"); trace != "" && !strings.Contains(trace, first) {
		trace = t.message + "\n" + trace
	}
	xml.EscapeText(&t.out, []byte(trace))
	t.out.WriteString("</" + kind + ">")
}

// seconds is the test's duration, given as a number of units, or as hours, minutes and seconds.
func (t *translation) seconds() float64 {
	took := t.test[t.took]
	if t.unit > 0 {
		n, _ := strconv.ParseFloat(took, 64)
		return n * t.unit
	}
	sum := 0.0
	for part := range strings.SplitSeq(took, ":") {
		n, _ := strconv.ParseFloat(part, 64)
		sum = sum*60 + n
	}
	return sum
}
