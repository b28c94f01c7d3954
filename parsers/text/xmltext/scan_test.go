package xmltext

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// scanned is a document as a list of tokens, neighbouring texts joined.
func scanned(r io.Reader) string {
	x := NewScanner(r)
	var b strings.Builder
	text := ""
	flush := func() {
		if text != "" {
			fmt.Fprintf(&b, "text %q\n", text)
		}
		text = ""
	}
	for {
		switch kind := x.Next(); kind {
		case End:
			flush()
			if x.Broken {
				b.WriteString("broken\n")
			}
			return b.String()
		case Text:
			text += x.Content()
			continue
		case Open:
			flush()
			fmt.Fprintf(&b, "open %s", x.Name)
			for _, a := range x.Attrs {
				fmt.Fprintf(&b, " %s=%q", a.Name, Unescape(string(x.Values[a.Begin:a.End])))
			}
			b.WriteString("\n")
			if x.Alone {
				fmt.Fprintf(&b, "close %s\n", x.Name)
			}
		case Close:
			flush()
			fmt.Fprintf(&b, "close %s\n", x.Name)
		}
	}
}

// decoded is the same by encoding/xml.
func decoded(t interface{ Fatalf(string, ...any) }, doc string) string {
	d := xml.NewDecoder(strings.NewReader(doc))
	var b strings.Builder
	text := ""
	flush := func() {
		if text != "" {
			fmt.Fprintf(&b, "text %q\n", text)
		}
		text = ""
	}
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			flush()
			return b.String()
		}
		if err != nil {
			t.Fatalf("encoding/xml does not read %q: %v", doc, err)
		}
		switch k := token.(type) {
		case xml.CharData:
			text += string(k)
		case xml.StartElement:
			flush()
			fmt.Fprintf(&b, "open %s", k.Name.Local)
			for _, a := range k.Attr {
				fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
			}
			b.WriteString("\n")
		case xml.EndElement:
			flush()
			fmt.Fprintf(&b, "close %s\n", k.Name.Local)
		}
	}
}

// drawXML makes a document of everything that XML has.
func drawXML(t *rapid.T) string {
	text := rapid.SampledFrom([]string{"", "a", "größe ", "\n", "&amp;", "&lt;x&gt;", "&#65;", "&#x1F600;", "&#010;", "]]", "x > y", "\t ", "'", `"`, "&quot;&apos;", "日本", "--"})
	attr := rapid.SampledFrom([]string{"", "v", "a &amp; b", "&#10;", "größe", "x>y", "&#x9;", "line\nbreak"})
	name := rapid.SampledFrom([]string{"testsuite", "testcase", "a", "b-c", "x:d", "ß"})
	var element func(depth int) string
	element = func(depth int) string {
		n := name.Draw(t, "name")
		var b strings.Builder
		b.WriteString("<" + n)
		for i := range rapid.IntRange(0, 3).Draw(t, "attributes") {
			quote := rapid.SampledFrom([]string{`"`, "'"}).Draw(t, "quote")
			fmt.Fprintf(&b, "%sk%d%s=%s%s%s%s", rapid.SampledFrom([]string{" ", "\n\t"}).Draw(t, "gap"), i, rapid.SampledFrom([]string{"", " "}).Draw(t, "blank"), rapid.SampledFrom([]string{"", " "}).Draw(t, "blank"), quote, attr.Draw(t, "value"), quote)
		}
		if rapid.IntRange(0, 4).Draw(t, "alone") == 0 {
			return b.String() + rapid.SampledFrom([]string{"/>", " />"}).Draw(t, "end")
		}
		b.WriteString(">")
		for range rapid.IntRange(0, 4).Draw(t, "inside") {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind == 0 && depth < 4:
				b.WriteString(element(depth + 1))
			case kind == 1:
				b.WriteString("<!-- <a> & " + rapid.SampledFrom([]string{"", "b-", "->x "}).Draw(t, "comment") + " -->")
			case kind == 2:
				b.WriteString("<![CDATA[" + rapid.SampledFrom([]string{"", "<a>&amp;", "]", "]]", "x ]] >", "größe\n"}).Draw(t, "cdata") + "]]>")
			case kind == 3:
				b.WriteString(`<?pi a="b"?>`)
			default:
				b.WriteString(text.Draw(t, "text"))
			}
		}
		return b.String() + "</" + n + rapid.SampledFrom([]string{">", " >"}).Draw(t, "end")
	}
	head := rapid.SampledFrom([]string{"", `<?xml version="1.0" encoding="UTF-8"?>`, "<!DOCTYPE a [<!ENTITY b 'c>'><!ELEMENT a (b)>]>"}).Draw(t, "head")
	return head + element(0)
}

// TestXMLAgainstLibrary: what is well-formed comes out as the standard library
// reads it, whatever the size of the reads.
func TestXMLAgainstLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawXML(t)
		want := decoded(t, doc)
		if got := scanned(strings.NewReader(doc)); got != want {
			t.Fatalf("%q\n got %s\nwant %s", doc, got, want)
		}
		if got := scanned(iotest.OneByteReader(strings.NewReader(doc))); got != want {
			t.Fatalf("byte by byte: %q\n got %s\nwant %s", doc, got, want)
		}
	})
}

// TestXMLWindows: tokens that lie across the edge of the window.
func TestXMLWindows(t *testing.T) {
	for _, piece := range []string{"&amp;", "<a k='v'>", "</a>", "<!-- c -->", "<![CDATA[x]]>", "\r\n", "größe", "]]&gt;"} {
		for shift := range len(piece) + 3 {
			doc := "<r>" + strings.Repeat("x", Window-4-shift) + piece + "y</r>"
			want, got := decoded(t, doc), scanned(strings.NewReader(doc))
			if got != want {
				t.Errorf("%q at -%d: got …%s, want …%s", piece, shift, got[max(0, len(got)-60):], want[max(0, len(want)-60):])
			}
		}
	}
}

// TestXMLHostile: nothing is expanded, nothing fails, nothing grows.
func TestXMLHostile(t *testing.T) {
	cases := map[string]string{
		"an entity of its own": `<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;">]><a>&c;</a>`,
		"an external entity":   `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
		"control characters":   "<a>\x00\x1b[31mred\x07</a>",
		"not UTF-8":            "<a b='\xff\xfe'>\xc3</a>",
		"a lone ampersand":     "<a>this & that &; &nosuch; &#xD800; &#0;</a>",
		"a loose angle":        "<a>1 < 2, <5</a>",
		"no closing quote":     "<a b='c>",
		"half a tag":           "<a><b",
		"half a section":       "<a><![CDATA[x",
		"a tag in a tag":       "<a <b>",
	}
	want := map[string]string{
		"an entity of its own": "open a\ntext \"&c;\"\nclose a\n",
		"an external entity":   "open a\ntext \"&b;\"\nclose a\n",
		"control characters":   "open a\ntext \"\\x00\\x1b[31mred\\a\"\nclose a\n",
		"not UTF-8":            "open a b=\"\\xff\\xfe\"\ntext \"\\xc3\"\nclose a\n",
		"a lone ampersand":     "open a\ntext \"this & that &; &nosuch; &#xD800; &#0;\"\nclose a\n",
		"a loose angle":        "open a\ntext \"1 < 2, <5\"\nclose a\nbroken\n",
		"no closing quote":     "broken\n",
		"half a tag":           "open a\nbroken\n",
		"half a section":       "open a\ntext \"x\"\nbroken\n",
		"a tag in a tag":       "open a\nopen b\nbroken\n",
	}
	for name, doc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := scanned(strings.NewReader(doc)); got != want[name] {
				t.Errorf("got\n%swant\n%s", got, want[name])
			}
		})
	}
}

func TestXMLValueIsBounded(t *testing.T) {
	x := NewScanner(io.MultiReader(strings.NewReader("<a b='"), io.LimitReader(manyBytes{}, 8<<20), strings.NewReader("' c='d'/>")))
	if x.Next() != Open || len(x.RawAttr("b")) != maxXMLValue || x.Attr("c") != "d" || x.Broken {
		t.Errorf("read %d bytes of b, c=%q, broken=%v", len(x.RawAttr("b")), x.Attr("c"), x.Broken)
	}
}

type manyBytes struct{}

func (manyBytes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
