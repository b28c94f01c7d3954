package read

import (
	"fmt"
	"strings"
	"testing"

	"cairn/parsers/tool"
)

// TestUnknownDocuments: a document of any form whose members have the usual names is
// read, and one that reports nothing wrong is not.
func TestUnknownDocuments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a list of objects", `[{"file":"a.py","line":3,"column":7,"rule":"R1","message":"bad"}]`, "a.py:3:7 R1 bad"},
		{"an object a line", "{\"path\":\"a.py\",\"row\":3,\"code\":\"E1\",\"text\":\"bad\"}\n{\"path\":\"b.py\",\"row\":4,\"code\":\"E2\",\"text\":\"worse\"}", "a.py:3 E1 bad|b.py:4 E2 worse"},
		{"the path around the messages", `{"results":[{"messages":[{"lineNumber":3,"msg":"bad","check_id":"c"}],"filePath":"src/a.ts"}]}`, "src/a.ts:3 c bad"},
		{"the path as a name", `{"files":{"src/a.php":{"messages":[{"line":3,"message":"bad"}]}}}`, "src/a.php:3 bad"},
		{"a place inside", `[{"id":"X1","message":{"text":"bad"},"location":{"path":"a.go","range":{"start":{"line":3,"column":1},"end":{"line":4}}}}]`, "a.go:3:1 X1 bad"},
		{"lines from 0", `[{"source":"/p/a.yaml","range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}},"message":"bad","code":"c"}]`, "/p/a.yaml:1:5 c bad"},
		{"a place as text", `[{"location":"a.tf:3:4","message":"bad"}]`, "a.tf:3:4 bad"},
		{"a failed test", `{"tests":[{"fullName":"cart adds","status":"failed","failureMessages":["Error: nope\n    at f (/p/cart.test.js:5:3)"]},{"fullName":"cart lists","status":"passed"}]}`, "/p/cart.test.js:5:3 <cart adds> Error: nope"},
		{"a test that has a title", `{"tests":[{"title":"adds","fullTitle":"cart adds","file":"/p/cart.js","err":{}}],"failures":[{"title":"sums","fullTitle":"cart sums","err":{"message":"nope"}}]}`, "<cart sums> nope"},
		{"tests that begin", "{\"type\":\"group\",\"group\":{\"name\":\"cart\",\"line\":3,\"url\":\"file:///p/a.dart\"}}\n{\"type\":\"testStart\",\"test\":{\"name\":\"adds\",\"line\":4,\"url\":\"file:///p/a.dart\"}}", ""},
		{"texts", `{"valid":false,"errors":["name is missing"]}`, "name is missing"},
		{"a log", "{\"level\":\"info\",\"msg\":\"starting\",\"caller\":\"a.go:3\"}\n{\"level\":\"error\",\"msg\":\"cannot connect\"}", "cannot connect"},
		{"attributes", "<?xml version=\"1.0\"?>\n<report>\n <file path=\"a.kt\">\n  <issue line=\"3\" id=\"R\" message=\"bad\"/>\n </file>\n</report>", "a.kt:3 R bad"},
		{"a tag over lines", "<report>\n <issue file=\"a.kt\"\n   line=\"3\"\n   message=\"bad\"/>\n</report>", "a.kt:3 bad"},
		{"elements", "<list><error><file>a.c</file><line>3</line><rule>R</rule><description>bad &amp; ugly</description></error></list>", "a.c:3 R bad & ugly"},
		{"text in a tag", "<pmd><file name=\"a.java\"><violation beginline=\"3\" rule=\"R\">\nbad\n</violation></file></pmd>", "a.java:3 R bad"},
		{"a table", "File,Line,Rule,Message\na.py,3,R,\"bad, and\nugly\"\nb.py,4,S,worse", "a.py:3 R bad, and|b.py:4 S worse"},
		{"a table of tabs", "path\tline_number\tdescription\na.py\t3\tbad", "a.py:3 bad"},
		{"lines beside", "x.go:9: error: broken\n[{\"file\":\"a.py\",\"line\":3,\"message\":\"bad\"}]", "x.go:9 broken|a.py:3 bad"},
		{"places of a problem", `{"queries":[{"query_name":"Open port","severity":"HIGH","description":"bad","files":[{"file_name":"a.tf","line":3},{"file_name":"b.tf","line":4}]}]}`, "a.tf:3 Open port bad|b.tf:4 Open port bad"},
		{"a list of lines", `[{"filename":"t.yaml","violations":[{"id":"F27","type":"FAIL","message":"bad","line_numbers":[12]}]}]`, "t.yaml:12 F27 bad"},
		{"Maven's and Kotlin's lines", "[ERROR] /s/A.java:[3,7] bad\nw: file:///s/a.kt:4:1 odd\ne: /s/a.kt: (5, 2): worse", "/s/A.java:3:7 bad|/s/a.kt:4:1 odd|/s/a.kt:5:2 worse"},
		{"cut short", `[{"file":"a.py","line":3,"message":"bad"},{"file":"b.py","li`, "a.py:3 bad"},

		{"settings", `{"name":"pkg","version":"1.0.0","main":"a.js","scripts":{"test":"x"}}`, ""},
		{"a build", "<project>\n<name>x</name><source>1.8</source>\n<build file=\"a.xml\" line=\"3\"/>\n</project>", ""},
		{"what is well", `{"results":[{"file":"a.py","ok":true,"message":"fine","line":1}]}`, ""},
		{"coverage", `{"files":{"a.py":{"executed_lines":[1,2,3],"summary":{"covered_lines":3}}}}`, ""},
		{"data", "name,age,town\nann,3,ulm", ""},
		{"columns of data", "id,line,amount\n1,2,3", ""},
		{"columns with a place", "id,severity,location,title\nV1,high,src/a.c:1:4,bad", "src/a.c:1:4 V1 bad"},
		{"columns with places of another kind", "id,severity,location,title\n1,high,Paris,bad", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			in := tool.Input{Argv: []string{"frobnicate"}, Source: tool.Separate([]byte(c.text+"\n"), nil)}
			if rep := Unknown(&in); rep != nil {
				for _, f := range rep.Findings {
					words := []string{f.Rule, f.Message}
					if f.ID != "" {
						words[0] = "<" + f.ID + ">"
					}
					if f.At != nil {
						at := fmt.Sprintf("%s:%d", f.At.Path, f.At.Line)
						if f.At.Column > 0 {
							at += fmt.Sprintf(":%d", f.At.Column)
						}
						words = append([]string{at}, words...)
					}
					got = append(got, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
				}
			}
			if all := strings.Join(got, "|"); all != c.want {
				t.Errorf("got  %s\nwant %s", all, c.want)
			}
		})
	}
}

// TestOfTheFile: what a document finds in lines of no file is in the one that the command names.
func TestOfTheFile(t *testing.T) {
	const text = `{"error":{"results":[{"message":"bad","rule":"r-1","line":2}]},"warning":{"results":[{"message":"odd","rule":"r-2","line":3}]}}`
	for _, c := range []struct{ argv, want string }{
		{"lint -j api.yaml", "api.yaml:2 error r-1 bad|api.yaml:3 warning r-2 odd"},
		{"lint -j api.yaml more.yaml", ": error r-1 bad"},
		{"lint", ": error r-1 bad"},
	} {
		in := &tool.Input{Argv: strings.Fields(c.argv), Source: tool.Separate([]byte(text), nil)}
		var got []string
		if rep := Unknown(in); rep != nil {
			for _, f := range rep.Findings {
				where := ":"
				if f.At != nil {
					where = fmt.Sprintf("%s:%d", f.At.Path, f.At.Line)
				}
				got = append(got, fmt.Sprint(where, " ", f.Severity, " ", f.Rule, " ", f.Message))
			}
		}
		if s := strings.Join(got, "|"); !strings.HasPrefix(s, c.want) {
			t.Errorf("%s: %q, not %q", c.argv, s, c.want)
		}
	}
}

// TestPlaceByShape: an object of a known tool that calls its place by another name than the reader knows keeps it.
func TestPlaceByShape(t *testing.T) {
	reader := Objects{At: []string{"/*"}, Path: "filename", Line: "linenumber", Rule: "id", Message: "message"}
	in := &tool.Input{Argv: []string{"lint"}, Source: tool.Separate([]byte(`[{"id":"201","file":"a.sls","line":4,"message":"bad"},{"id":"202","message":"no place"}]`), nil)}
	rep := reader.Parse(in)
	if rep == nil || len(rep.Findings) != 2 || rep.Findings[0].At == nil || rep.Findings[0].At.String() != "a.sls:4" || rep.Findings[1].At != nil {
		t.Errorf("%+v", rep)
	}
}
