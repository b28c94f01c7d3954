package junit

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"cairn/parsers/text/xmltext"
)

// form is a report of tests in XML of another kind, which has the same facts under other names. It is written as JUnit XML and
// read as that, so that there is one reader of reports.
type form struct {
	root   string
	test   string            // the element of a test
	name   string            // its attribute with the whole name
	class  string            // an element around it, whose name begins the test's; "" where name is whole
	result string            // its attribute with the outcome
	came   map[string]string // what is neither passed nor failed: the outcome there, and the element here
	passed string
	took   string // its attribute with the duration
	unit   float64
	// elements inside it: their text is the message and the trace
	message, trace string
	raised         string // the attribute with the type, of the element around message
	param          string // the element with one parameter, as text; their types are in the signature
	stray          stray
}

// stray is an element outside of every test, in which something else failed: what is set up or cleaned up for many.
type stray struct {
	name string
	text string // the element inside it with the message
	// is says whether it is a failure, by its attributes and those of the suite that was opened last.
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

// formOf is the form of a document by its root, nil where that is another one.
func formOf(root string) *form {
	for i := range forms {
		if forms[i].root == root {
			return &forms[i]
		}
	}
	return nil
}

// mostTranslated bounds how many bytes of a report of another form are read; one that is longer is taken for cut.
const mostTranslated = 64 << 20

// asJUnit is a document as JUnit XML: as it is, where it is that already.
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
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	return d
}

// translation is a document that is being translated.
type translation struct {
	*form
	out     bytes.Buffer
	open    string            // the element of a test, or a stray one, that is open
	test    map[string]string // its attributes
	suite   map[string]string // those of NUnit's suite that was opened last
	message string
	trace   string
	raised  string
	class   string
	params  []string
	text    strings.Builder
}

// translate writes a document as JUnit XML. One that is cut has no end there either; without a test nothing is written.
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

// maxFormText bounds what is kept of one text.
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
	case name == t.form.test && (has["is-config"] != "true" || has[t.result] == "FAIL"): // TestNG's set-up is no test, unless it fails
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

// shown is the parameter that was read, as TestNG prints it in the name of a test: a string has quotes.
func (t *translation) shown(text string) string {
	_, types, _ := strings.Cut(t.test["signature"], "(")
	types, _, _ = strings.Cut(types, ")")
	of := strings.Split(types, ",")
	if n := len(t.params); n < len(of) && of[n] == "java.lang.String" && text != "null" {
		return `"` + text + `"`
	}
	return text
}

// write writes what was closed.
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
	default: // failed, or a word that is not known
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

// seconds is how long the test took: a number of units, or hours, minutes and seconds where there is no unit.
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
