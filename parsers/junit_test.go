package parsers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// junitLines is a result, a finding a line.
func junitLines(r *result.ToolResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %v\n", r.Tool, r.Status, r.ParserConfidence, r.Counts)
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s|%s|%s|%s|%s", f.Source, f.Severity, f.Location, f.ID, f.Rule, f.Message)
		if f.Expected+f.Actual != "" {
			fmt.Fprintf(&b, "|%s|%s", f.Expected, f.Actual)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func junitInput(stdout string) tool.Input {
	return tool.Input{
		Shell: "fetch report.xml", Source: term.Separate([]byte(stdout), nil),
		Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop", Home: "/home/dev"},
	}
}

const smallJUnit = `<testsuite name="s" tests="2" failures="1" errors="0">
  <testcase classname="a.B" name="ok"/>
  <testcase classname="a.B" name="bad"><failure message="no" type="x.YError">x.YError: no
	at a.B.bad(B.java:7)</failure></testcase>
</testsuite>
`

const smallFinding = " failure|a/B.java:7|a.B.bad|YError|no\n"

func TestJUnitDocuments(t *testing.T) {
	head := "<?xml version='1.0'?>\n"
	cases := map[string]struct {
		doc  string
		exit int
		want string
	}{
		"alone":               {smallJUnit, 1, "junit failed parsed map[failed:1 passed:1]\n" + smallFinding},
		"behind log lines":    {"building\n  INFO <testsuite is coming\n" + head + smallJUnit + "done\n", 1, "junit failed parsed map[failed:1 passed:1]\n" + smallFinding},
		"an exit that hides":  {smallJUnit, 0, "junit failed parsed map[failed:1 passed:1]\n" + smallFinding},
		"on one line":         {head[:len(head)-1] + strings.ReplaceAll(smallJUnit, "\n", ""), 1, "junit failed parsed map[failed:1 passed:1]\n failure||a.B.bad|YError|no\n"},
		"several":             {head + smallJUnit + head + strings.ReplaceAll(smallJUnit, "bad", "worse"), 1, "junit failed parsed map[failed:2 passed:2]\n" + smallFinding + strings.ReplaceAll(smallFinding, "bad", "worse")},
		"glued":               {strings.TrimSpace(smallJUnit) + head + smallJUnit, 1, "junit failed parsed map[failed:2 passed:2]\n" + smallFinding},
		"cut in a case":       {smallJUnit[:strings.Index(smallJUnit, "</failure")], 1, "junit failed heuristic map[failed:1 passed:1]\n" + smallFinding},
		"cut, another begins": {smallJUnit[:strings.Index(smallJUnit, "</testsuite")] + head + smallJUnit, 1, "junit failed heuristic map[failed:2 passed:2]\n" + smallFinding},
		"cut, exit 0":         {`<testsuite name="s"><testcase name="a"/>`, 0, "junit ok heuristic map[passed:1]\n"},
		"passed":              {`<testsuite name="s" tests="1"><testcase name="a"/></testsuite>`, 0, "junit passed parsed map[passed:1]\n"},
		"passed, exit 1":      {`<testsuite name="s" tests="1"><testcase name="a"/></testsuite>`, 1, "junit failed heuristic map[passed:1]\n"},
		"fewer than counted":  {`<testsuite name="s" tests="3"><testcase name="a"/></testsuite>`, 0, "junit ok heuristic map[passed:1]\n"},
		"of suites in suites": {`<testsuites tests="2" failures="2"><testsuite name="s" tests="2" failures="2"><testcase name="a"/><testcase name="b"><failure>no</failure></testcase></testsuite></testsuites>`, 0, "junit failed heuristic map[failed:1 passed:1]\n failure||b||no\n failure||junit||junit: failed, but not shown in this output: 1\n"},
		"rspec, two lines":    {`<testsuite name="rspec, two lines"><testcase classname="spec.cart_spec" name="Cart totals" file="./spec/cart_spec.rb"><failure message="expected: 4&#10;     got: 3&#10;" type="RSpec::Expectations::ExpectationNotMetError">./spec/cart_spec.rb:5:in 'x'</failure></testcase></testsuite>`, 1, "junit failed parsed map[failed:1]\n failure|spec/cart_spec.rb:5|spec/cart_spec.rb › Cart totals|ExpectationNotMetError|expected: 4 got: 3|4|3\n"},
		"minitest":            {`<testsuite name="CartTest" filepath="test/cart_test.rb"><testcase name="test_total" lineno="5" classname="CartTest" file="test/cart_test.rb"><failure type="Minitest::Assertion" message="Expected: 4&#10;  Actual: 3">Failure:` + "\n" + `test_total(CartTest) [test/cart_test.rb:7]:` + "\n" + `Expected: 4</failure></testcase></testsuite>`, 1, "junit failed parsed map[failed:1]\n failure|test/cart_test.rb:7|test/cart_test.rb › CartTest › test_total|Assertion|Expected: 4 Actual: 3|4|3\n"},
		"failures not shown":  {`<testsuite name="s" tests="1" failures="1"><testcase name="a"/></testsuite>`, 0, "junit failed heuristic map[passed:1]\n failure||junit||junit: failed, but not shown in this output: 1\n"},
		"nothing ran":         {`<testsuites tests="0"/>`, 0, "junit ok parsed map[passed:0]\n"},
		"a suite that fails":  {`<testsuites><testsuite name="db"><error message="no connection" type="E"/></testsuite></testsuites>`, 1, "junit failed parsed map[error:1]\n error||db||no connection\n"},
		"flaky":               {`<testsuite name="s"><testcase classname="C" name="f"><flakyFailure message="once" type="a.E"/></testcase></testsuite>`, 0, "junit passed parsed map[flaky:1 passed:1]\n warning||C.f|E|once\n"},
		"a status alone":      {`<testsuite name="s"><testcase name="f" status="failed"/></testsuite>`, 1, "junit failed parsed map[failed:1]\n failure||f||failed; the report says no more\n"},
		"tags that do not fit": {
			`<testsuite name="s"><testcase name="a"><failure message="no <nil> here">x <b>y</failure></testcase><testcase name="c"/></testsuite>`, 1,
			"junit failed heuristic map[failed:1 passed:1]\n failure||a||no <nil> here\n",
		},
		"a place of the failure": {
			`<testsuite name="s"><testcase name="sums"><failure type="failure" message="Expected 2 Was 0" file="main.c" line="38"/></testcase></testsuite>`, 1,
			"junit failed parsed map[failed:1]\n failure|main.c:38|sums||Expected 2 Was 0\n",
		},
		"entities": {
			`<!DOCTYPE x [<!ENTITY a "boom">]>` + "\n" + `<testsuite name="s"><testcase name="a&amp;b"><failure message="&a; &#60;&#x3e;"/></testcase></testsuite>`, 1,
			"junit failed parsed map[failed:1]\n failure||a&b||&a; <>\n",
		},
		"colours in it": {
			"<testsuite name='s'><testcase name='a'><failure>\x1b[31mexpected: <1> but was: <2>\x1b[0m</failure></testcase></testsuite>", 1,
			"junit failed heuristic map[failed:1]\n failure||a||expected: <1> but was: <2>|1|2\n",
		},
		"what it printed is no reason": {
			`<testsuite name="s"><testcase name="a"><failure/><system-out>all is well</system-out></testcase></testsuite>`, 1,
			"junit failed parsed map[failed:1]\n failure||a||failed; the report says no more\n",
		},
		"rspec": {
			`<testsuite name="rspec" tests="1" failures="1"><testcase classname="spec.cart_spec" name="Cart adds" file="./spec/cart_spec.rb"><failure message="expected: 455" type="RSpec::Expectations::ExpectationNotMetError">Failure/Error: expect(450).to eq(455)

expected: 455
     got: 450
./spec/cart_spec.rb:6:in ` + "`block (2 levels) in &lt;top (required)&gt;'" + `</failure></testcase></testsuite>`, 1,
			"junit failed parsed map[failed:1]\n failure|spec/cart_spec.rb:6|spec/cart_spec.rb › Cart adds|ExpectationNotMetError|expected: 455|455|450\n",
		},
		"a suite of jest, told once": {
			`<testsuites name="jest tests"><testsuite name="a.js" errors="1"><testcase classname="Test suite failed to run" name="a.js"><failure>{"code":"E"}</failure></testcase></testsuite></testsuites>`, 1,
			"junit failed parsed map[failed:1]\njest failure||a.js › Test suite failed to run||{\"code\":\"E\"}\n",
		},
		"a configuration":                      {"<phpunit>\n  <testsuites>\n    <testsuite name='unit'>\n      <directory>tests</directory>\n    </testsuite>\n  </testsuites>\n</phpunit>\n", 0, "fetch ok generic map[]\n"},
		"a linter's, with a parser of its own": {`<testsuites><testsuite package="org.eslint" name="a.js"><testcase name="x"><failure message="m"/></testcase></testsuite></testsuites>`, 1, "fetch failed heuristic map[]\n failure|a.js|x|x|m\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := junitLines(casetest.ParseKnown(junitInput(c.doc), casetest.Exited(c.exit))); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestJUnitSpans: a finding points at its case in the output, whatever stands
// on the other stream meanwhile.
func TestJUnitSpans(t *testing.T) {
	lines := strings.SplitAfter(smallJUnit, "\n")
	var out term.Bytes
	at := int64(0)
	for i, s := range lines {
		for stream, text := range map[term.Stream]string{term.Stdout: s, term.Stderr: fmt.Sprintf("noise %d\n", i)} {
			out = append(out, term.Chunk{Stream: stream, Offset: at, Data: []byte(text)})
			at += int64(len(text))
		}
	}
	in := junitInput("")
	in.Source = out
	r := casetest.ParseKnown(in, casetest.Exited(1))
	if len(r.Findings) != 1 || r.Findings[0].RawSpan == nil {
		t.Fatalf("got %s", junitLines(r))
	}
	var raw []byte
	for _, c := range out {
		raw = append(raw, c.Data...)
	}
	span := r.Findings[0].RawSpan
	text := string(raw[span.Start:span.End])
	if !strings.HasPrefix(text, `<testcase classname="a.B" name="bad">`) || !strings.HasSuffix(text, "</testcase>") {
		t.Errorf("the span holds %q", text)
	}
	if r.Body == "" && r.ParserConfidence != result.Parsed {
		t.Errorf("got %s", junitLines(r))
	}
}

// TestJUnitFile: a file has no place in the output, and its path tells the
// module.
func TestJUnitFile(t *testing.T) {
	in := junitInput("")
	doc := `<testsuite name="a.BTest" noNamespaceSchemaLocation="surefire-test-report.xsd"><testcase classname="a.BTest" name="bad"><failure type="x.E" message="no">x.E: no
	at a.BTest.bad(BTest.java:7)</failure></testcase></testsuite>`
	in = in.Opened(table().Dialects, nil)
	rep := junit.Read(&in, strings.NewReader("\ufeff"+doc), "core/target/surefire-reports/TEST-a.BTest.xml")
	if rep == nil || len(rep.Findings) != 1 {
		t.Fatalf("got %+v", rep)
	}
	f := rep.Findings[0]
	if f.RawSpan != nil || f.At == nil || f.At.String() != "/home/dev/shop/core/src/test/java/a/BTest.java:7" || rep.Extra["dialect"] != "maven" {
		t.Errorf("got %+v at %v, extra %v", f, f.At, rep.Extra)
	}
	for _, other := range []string{"", "{}", "<html></html>", "<testsuiteish/>", "<coverage line-rate='1'/>"} {
		if rep := junit.Read(&in, strings.NewReader(other), "x.xml"); rep != nil {
			t.Errorf("%q is taken for a report: %+v", other, rep)
		}
	}
}

// TestJUnitUTF16: a report as PowerShell writes one.
func TestJUnitUTF16(t *testing.T) {
	doc := strings.Replace(smallJUnit, ">no<", ">größe 😀<", 1)
	doc = strings.Replace(doc, `message="no"`, `message="größe 😀"`, 1)
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + doc)) {
			b = order.AppendUint16(b, u)
		}
		in := junitInput("")
		rep := junit.Read(&in, bytes.NewReader(b), "x.xml")
		if rep == nil || len(rep.Findings) != 1 || rep.Findings[0].Message != "größe 😀" || !rep.Complete || rep.Doubt != "" {
			t.Errorf("%s: %+v", name, rep)
		}
	}
}

// junitMany is a document of n bytes or a little more: cases of all sorts.
func junitMany(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<testsuites>\n<testsuite name=\"s\">\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "  <testcase classname=\"com.acme.shop.CartTest\" name=\"case%d\" time=\"0.00%d\"", i, i%10)
		switch {
		case i%1000 == 7:
			fmt.Fprintf(&b, "><failure message=\"expected: &lt;%d&gt; but was: &lt;0&gt;\" type=\"org.opentest4j.AssertionFailedError\"><![CDATA[%s]]></failure></testcase>\n", i, strings.Repeat("\tat com.acme.shop.Cart.add(Cart.java:7)\n", 40))
		case i%10 == 3:
			fmt.Fprintf(&b, ">\n    <system-out>%s</system-out>\n  </testcase>\n", strings.Repeat("a line of the log &amp; more\n", 20))
		default:
			b.WriteString("/>\n")
		}
	}
	b.WriteString("</testsuite>\n</testsuites>\n")
	return b.Bytes()
}

// junitRepeated is a document whose inside comes over and over.
type junitRepeated struct {
	head, inside, tail []byte
	times              int
}

func (r junitRepeated) reader() io.Reader {
	all := []io.Reader{bytes.NewReader(r.head)}
	for range r.times {
		all = append(all, bytes.NewReader(r.inside))
	}
	return io.MultiReader(append(all, bytes.NewReader(r.tail))...)
}

// TestJUnitMemory: what is held does not grow with the document.
func TestJUnitMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 200 MB")
	}
	size := 200 << 20
	if racing.Enabled {
		size = 32 << 20
	}
	inside := []byte(strings.Repeat(`<testcase classname="a.B" name="c"><failure message="m">`+strings.Repeat("at x.Y.z(Y.java:3)\n", 100)+"</failure></testcase>\n", 512))
	r := junitRepeated{[]byte("<testsuite>"), inside, []byte("</testsuite>"), size / len(inside)}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	in := junitInput("")
	rep := junit.Read(&in, r.reader(), "x.xml")
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 64<<20 {
		t.Errorf("%d MB are held", got>>20)
	}
	if rep == nil || len(rep.Findings) != tool.MaxFindings || rep.Counts["failed"] != 512*r.times || !rep.Complete {
		t.Errorf("got %d findings, counts %v", len(rep.Findings), rep.Counts)
	}
}

func BenchmarkJUnit(b *testing.B) {
	doc := junitMany(16 << 20)
	in := junitInput("")
	b.Run("file", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if junit.Read(&in, bytes.NewReader(doc), "x.xml") == nil {
				b.Fatal("declined")
			}
		}
	})
	b.Run("failures", func(b *testing.B) {
		doc := []byte("<testsuite>" + strings.Repeat(`<testcase classname="a.B" name="c"><failure message="m">`+strings.Repeat("at x.Y.z(Y.java:3)\n", 100)+"</failure></testcase>\n", 8192) + "</testsuite>")
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if junit.Read(&in, bytes.NewReader(doc), "x.xml") == nil {
				b.Fatal("declined")
			}
		}
	})
	b.Run("stdout", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		in.Source = term.Separate(doc, nil)
		for b.Loop() {
			if junit.Parse(&in) == nil {
				b.Fatal("declined")
			}
		}
	})
}

// TestJUnitEncodings: a report in any encoding that runners wrote one in.
func TestJUnitEncodings(t *testing.T) {
	const doc = `<?xml version="1.0" encoding="X"?><testsuite name="s" tests="1" failures="1"><testcase classname="a.B" name="größe"><failure message="ä – ö">x</failure></testcase></testsuite>`
	utf16 := func(mark string, high int) []byte {
		b := []byte(mark)
		for _, c := range utf16.Encode([]rune(doc)) {
			pair := [2]byte{}
			pair[high], pair[1-high] = byte(c>>8), byte(c)
			b = append(b, pair[:]...)
		}
		return b
	}
	western := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "ä", "\xe4", "–", "\x96").Replace(doc)
	for name, b := range map[string][]byte{
		"UTF-8": []byte(doc), "with a mark": []byte("\ufeff" + doc), "code page 1252": []byte(western),
		"UTF-16LE": utf16("\xff\xfe", 1), "UTF-16BE": utf16("\xfe\xff", 0), "UTF-16LE without mark": utf16("", 1), "UTF-16BE without mark": utf16("", 0),
	} {
		t.Run(name, func(t *testing.T) {
			in := tool.Input{Argv: []string{"x"}, Source: term.Separate(nil, nil), Artifacts: []tool.Artifact{{Path: "r.xml", Data: bytes.NewReader(b), Size: int64(len(b))}}}
			r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1})
			if !tool.IsReport(b) || len(r.Findings) != 1 || r.Findings[0].ID != "a.B.größe" || r.Findings[0].Message != "ä – ö" {
				t.Errorf("%+v", r.Findings)
			}
		})
	}
}
