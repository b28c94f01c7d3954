package parsers

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/result"
)

// TestCountsBeyondTheBound: how many findings are kept is not how many there are.
func TestCountsBeyondTheBound(t *testing.T) {
	const n = MaxFindings + 400
	many := func(head, item, sep, tail string) string {
		return head + strings.Repeat(item+sep, n-1) + item + tail
	}
	ruff := `{"code":"F401","filename":"/src/a.py","location":{"row":1,"column":8},"end_location":{"row":1,"column":10},"fix":null,"message":"unused","noqa_row":1,"url":null,"cell":null}`
	for _, c := range []struct{ line, out string }{
		{"ruff check --output-format json .", many("[\n", ruff, ",\n", "\n]\n")},
		{"ruff check --output-format json-lines .", many("", ruff, "\n", "\n")},
		{"ruff check --output-format github .", many("", "::error title=Ruff (F401),file=/src/a.py,line=1,col=8,endLine=1,endColumn=10::a.py:1:8: F401 unused", "\n", "\n")},
		{"yamllint -f parsable .", many("", "a.yaml:1:1: [error] too many spaces (colons)", "\n", "\n")},
		{"unknown-linter", many("", "a.x:1:1: error: something is wrong", "\n", "\n")},
	} {
		r := Parse(Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}, result.Exit{Observed: true, Code: 1})
		sum := 0
		for _, k := range r.Counts {
			sum += k
		}
		if len(r.Findings) == 0 || sum != n {
			t.Errorf("%s: counts %v of %d findings, told as %q", c.line, r.Counts, n, fmt.Sprint(r.Tool, " ", r.Status, ": ", r.Summary))
		}
	}
}

// TestDroppedBySeverity: in every machine format, what is beyond the bound is counted
// as what it is. Every third finding is of the second severity that the format has.
func TestDroppedBySeverity(t *testing.T) {
	const n = MaxFindings + 5000
	flood := func(head, sep, tail string, item func(i int, second bool) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			if i > 0 {
				b.WriteString(sep)
			}
			b.WriteString(item(i, i%3 == 2))
		}
		return b.String() + tail
	}
	pick := func(second bool, a, b string) string {
		if second {
			return b
		}
		return a
	}
	errors := map[string]int{"error": n}
	mixed := map[string]int{"error": n - n/3, "warning": n / 3}
	sarif := func(name string) string {
		return flood(`{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"tool":{"driver":{"name":"`+name+`","rules":[]}},"results":[`+"\n", ",\n", "\n]}]}\n",
			func(i int, second bool) string {
				return fmt.Sprintf(`{"ruleId":"no-x","level":"%s","message":{"text":"bad %d"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///src/a.js"},"region":{"startLine":%d,"startColumn":1}}}]}`, pick(second, "error", "warning"), i, i+1)
			})
	}
	junit := flood(`<?xml version="1.0"?><testsuites><testsuite name="s" tests="15000">`+"\n", "\n", "\n</testsuite></testsuites>\n", func(i int, second bool) string {
		return fmt.Sprintf(`<testcase classname="a.B" name="t%d"><%s message="bad %d">bad</%[2]s></testcase>`, i, pick(second, "failure", "error"), i)
	})
	for i, c := range []struct {
		line, out string
		want      map[string]int
	}{
		{"ruff check --output-format json .", flood("[\n", ",\n", "\n]\n", func(i int, _ bool) string {
			return fmt.Sprintf(`{"code":"F401","filename":"/src/a.py","location":{"row":%d,"column":8},"end_location":{"row":1,"column":10},"fix":null,"message":"unused %[1]d","noqa_row":1,"url":null,"cell":null}`, i+1)
		}), errors},
		{"ruff check --output-format json .", strings.ReplaceAll(flood("[", ",", "]", func(i int, _ bool) string {
			return fmt.Sprintf(`{"code":"F401","filename":"/src/a.py","location":{"row":%d,"column":8},"end_location":{"row":1,"column":10},"fix":null,"message":"unused %[1]d","noqa_row":1,"url":null,"cell":null}`, i+1)
		}), "\n", "") + "\n", errors},
		{"ruff check --output-format gitlab .", flood("[\n", ",\n", "\n]\n", func(i int, _ bool) string {
			return fmt.Sprintf("{\n"+`"check_name": "F401","description":"F401: unused %d","fingerprint":"%d","location":{"path":"a.py","positions":{"begin":{"line":%[1]d,"column":8},"end":{"line":1,"column":10}}},"severity":"major"}`, i+1, i)
		}), errors},
		{"ruff check --output-format rdjson .", flood(`{"diagnostics":[`+"\n", ",\n", "\n],\n\"severity\": \"WARNING\",\n\"source\": {\n\"name\": \"ruff\",\n\"url\": \"https://docs.astral.sh/ruff\"\n}\n}\n", func(i int, _ bool) string {
			return fmt.Sprintf(`{"code":{"url":"https://docs.astral.sh/ruff/rules/unused-import","value":"F401"},"location":{"path":"/src/a.py","range":{"end":{"column":10,"line":1},"start":{"column":8,"line":%d}}},"message":"unused %[1]d"}`, i+1)
		}), errors},
		{"ruff check --output-format sarif .", sarif("ruff"), mixed},
		{"ruff check --output-format pylint .", flood("", "\n", "\n", func(i int, _ bool) string { return fmt.Sprintf("a.py:%d: [F401] unused %[1]d", i+1) }), errors},
		{"ruff check --output-format azure .", flood("", "\n", "\n", func(i int, _ bool) string {
			return fmt.Sprintf("##vso[task.logissue type=error;sourcepath=/src/a.py;linenumber=%d;columnnumber=8;code=F401;]unused %[1]d", i+1)
		}), errors},
		{"pylint src", flood("", "\n", "\n", func(i int, second bool) string {
			return fmt.Sprintf("a.py:%d:0: %s: bad %[1]d (no-x)", i+1, pick(second, "E0001", "W0001"))
		}), mixed},
		{"pylint --output-format=json src", flood("[\n", ",\n", "\n]\n", func(i int, second bool) string {
			return fmt.Sprintf(`{"type":"%s","module":"a","obj":"","line":%d,"column":0,"endLine":null,"endColumn":null,"path":"a.py","symbol":"no-x","message":"bad %[2]d","message-id":"%s"}`, pick(second, "error", "warning"), i+1, pick(second, "E0001", "W0001"))
		}), mixed},
		{"eslint -f json .", flood(`[{"filePath":"/src/a.js","messages":[`, ",", fmt.Sprintf(`],"suppressedMessages":[],"errorCount":%d,"fatalErrorCount":0,"warningCount":%d,"fixableErrorCount":0,"fixableWarningCount":0}]`+"\n", n-n/3, n/3), func(i int, second bool) string {
			return fmt.Sprintf(`{"ruleId":"no-x","severity":%s,"message":"bad %d","line":%d,"column":1}`, pick(second, "2", "1"), i, i+1)
		}), mixed},
		{"eslint -f json .", flood("[", ",", "]\n", func(i int, second bool) string {
			return fmt.Sprintf(`{"filePath":"/src/a%d.js","messages":[{"ruleId":"no-x","severity":%s,"message":"bad","line":1,"column":1}],"suppressedMessages":[],"errorCount":%s,"fatalErrorCount":0,"warningCount":%s,"fixableErrorCount":0,"fixableWarningCount":0}`, i, pick(second, "2", "1"), pick(second, "1", "0"), pick(second, "0", "1"))
		}), mixed},
		{"eslint -f @microsoft/eslint-formatter-sarif .", sarif("ESLint"), mixed},
		{"unknown-linter --sarif", sarif("unknown-linter"), mixed},
		{"unknown-linter --sarif", strings.ReplaceAll(sarif("unknown-linter"), "\n", "") + "\n", mixed},
		{"unknown-runner", junit, map[string]int{"failed": n - n/3, "error": n / 3}},
		{"golangci-lint run --out-format json", flood(`{"Issues":[`, ",", `],"Report":{}}`+"\n", func(i int, second bool) string {
			return fmt.Sprintf(`{"FromLinter":"errcheck","Text":"bad %d","Severity":"%s","SourceLines":["x"],"Pos":{"Filename":"a.go","Offset":1,"Line":%[1]d,"Column":2}}`, i+1, pick(second, "error", "warning"))
		}), errors},
		{"go test ./...", flood("", "\n", "\nFAIL\nFAIL\texample.com/a\t0.1s\nFAIL\n", func(i int, _ bool) string {
			return fmt.Sprintf("--- FAIL: TestA%d (0.00s)\n    a_test.go:%d: bad", i, i+1)
		}), map[string]int{"failed": n}},
		{"go test -json ./...", flood("", "\n", "\n"+`{"Time":"2026-11-20T12:00:00Z","Action":"output","Package":"example.com/a","Output":"FAIL\n"}`+"\n"+`{"Time":"2026-11-20T12:00:00Z","Action":"fail","Package":"example.com/a","Elapsed":1}`+"\n", func(i int, _ bool) string {
			return fmt.Sprintf(`{"Time":"2026-11-20T12:00:00Z","Action":"output","Package":"example.com/a","Test":"TestA%d","Output":"--- FAIL: TestA%[1]d (0.00s)\n"}`+"\n"+`{"Time":"2026-11-20T12:00:00Z","Action":"output","Package":"example.com/a","Test":"TestA%[1]d","Output":"    a_test.go:%[2]d: bad\n"}`+"\n"+`{"Time":"2026-11-20T12:00:00Z","Action":"fail","Package":"example.com/a","Test":"TestA%[1]d","Elapsed":0}`, i, i+1)
		}), map[string]int{"failed": n}},
	} {
		if racing.Enabled && i%5 != 0 {
			continue
		}
		r := Parse(Input{Shell: c.line, Source: Separate([]byte(c.out), nil)}, result.Exit{Observed: true, Code: 1})
		for key, want := range c.want {
			if r.Counts[key] != want {
				t.Errorf("%s: %v, want %v; told as %s %s: %s, %d findings, %d in all", c.line, r.Counts, c.want, r.Tool, r.Status, r.Summary, len(r.Findings), r.Truncated.FindingsTotal)
				break
			}
		}
		if r.Counts["not_kept"] != 0 {
			t.Errorf("%s: %v", c.line, r.Counts)
		}
	}
}
