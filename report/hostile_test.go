package report

import (
	stdcsv "encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/result"
)

// payloads are texts that mean something to a format, a host, a terminal or a spreadsheet.
var payloads = []string{
	"<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- --><b>x</b>", "</pre></details><h1>ok</h1>", "&lt;b&gt;", "&#x3c;b&#x3e;",
	"<svg/onload=alert(1)>", "javascript:alert(1)", "' onmouseover='alert(1)", `" onmouseover="alert(1)`, "]]><x/>", "<![CDATA[x]]>", `<?xml version="1.0"?>`, `<!DOCTYPE a [<!ENTITY b "c">]>&b;`, "</failure><skipped/>",
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07x", "\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\", "\u009b31mred", "\rpassed", "a\bb", "\x00null", "bell\a", "\x1b[2J\x1b[H", "\x1bc",
	"\u202egnp.exe", "\u2066x\u2069", "\u200fright", "a\U000e0041b", "\u061cx",
	"::error::x", "::error file=a,line=1::x", "\n::set-env name=A::b", "::stop-commands::x", "::add-mask::a", "%0A::error::x", "x\r\n::warning::y", "##[error]x", "##vso[task.complete result=Succeeded;]", "section_start:0:x\r\x1b[0K",
	"**bold**", "[link](https://x.example)", "![image](https://x.example/a.png)", "@everyone", "#1 fixes #2", "# heading", "| a | b |", "`code`", "``` fence", "`` ` ``", "\n- item", "> quote", "https://x.example/", "<details open>", "$x^2$", "\\`x\\`", "~~~", "a  \nb",
	"=1+1", "+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", "\t=1+1", "a,b\n=1", "\"=1\"",
	"|'] ##teamcity[buildStatus status='SUCCESS']", "'|n]", "|0x0041", "]\n##teamcity[x]",
	"\xff\xfe", "\ufffe\uffff", "a:1:2: b", "%f:%l:%m", "", " ", "\u2028x\u2029y", strings.Repeat("a", 5000), "\u200bhidden", "💥 emoji",
}

// hostile is a run whose every text is s.
func hostile(t testing.TB, s string) *Report {
	place := result.Location{Path: s, Line: 1, Column: 2, Function: s}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: s, Name: s, Suite: []string{s}, Rule: s, RuleURL: s, Message: s, Expected: s, Actual: s, Detail: s, Diff: s,
		At: &place, Frames: []result.Location{place}, Related: []result.Related{{Message: s, At: &place}}}
	lint := f
	lint.Kind, lint.Severity, lint.ID = result.Diagnostic, result.SevWarning, ""
	run := runOf(t, nil, func(rec *manifest.Record) {
		rec.Argv, rec.Dir, rec.Git.Branch, rec.By, rec.Raw = []string{s}, s, s, &manifest.By{Agent: s}, &manifest.Raw{OID: s}
	})
	for _, f := range []result.Finding{f, lint} {
		f.Fingerprint = "0123456789ab"
		run.Findings = append(run.Findings, Finding{clean(f), New, run})
	}
	run.Where = result.CleanLine(s)
	line := result.CleanLine(s)
	return &Report{Runs: []*Run{run}, Proof: &Proof{Tree: "0123456789abcdef", Checks: []CheckProof{{Name: line, Command: line, State: "failed", Run: run.ID, Why: []string{line, line}}}}}
}

// TestHostileText: whatever a tool printed, every format has the structure that it has for plain words, and no character
// that steers a terminal or turns text around.
func TestHostileText(t *testing.T) {
	names, _ := Formats()
	for _, name := range names {
		if name == "html" {
			continue // the page has a test of its own
		}
		skeleton := skeletons[name]
		if skeleton == nil {
			t.Fatalf("%s has no skeleton: say here how to find its structure", name)
		}
		want := skeleton(t, written(t, name, hostile(t, "plain")))
		for _, p := range payloads {
			text := written(t, name, hostile(t, p))
			if bad := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]").FindString(text); bad != "" {
				t.Errorf("%s has %q of %.40q", name, bad, p)
			}
			if blank := strings.TrimSpace(result.CleanLine(p)) == ""; blank {
				continue // what is empty is left out
			}
			if got := skeleton(t, text); got != want {
				t.Errorf("%s with %.60q has another structure:\n%.600s\nnot\n%.600s", name, p, got, want)
			}
		}
	}
}

// skeletons tell the structure of each format: what is left without texts.
var skeletons = map[string]func(testing.TB, string) string{
	"markdown": markdownSkeleton, "junit": xmlSkeleton, "csv": csvSkeleton,
	"sarif": jsonSkeleton, "ctrf": jsonSkeleton, "gitlab": jsonSkeleton, "rdjson": jsonSkeleton,
	"github": func(t testing.TB, text string) string {
		return lineSkeleton(t, text, `::(error|warning|notice) (file=[^,:\r\n]*,line=\d+(,(endLine|col)=\d+)*,)?title=[^,:\r\n]*::.*`)
	},
	"teamcity": func(t testing.TB, text string) string {
		return lineSkeleton(t, text, `##teamcity\[\w+( \w+='([^|'\[\]\r\n]|\|[|'\[\]nr]|\|0x[0-9a-f]{4})*')*\]`)
	},
	"vim": func(t testing.TB, text string) string { return lineSkeleton(t, text, `.+`) },
}

// lineSkeleton is the number of lines, all of which must be of the form.
func lineSkeleton(t testing.TB, text, form string) string {
	t.Helper()
	whole, n := regexp.MustCompile("^"+form+"$"), 0
	for line := range strings.Lines(text) {
		if n++; !whole.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("a line of another form: %.300q", line)
		}
	}
	return fmt.Sprint(n)
}

func jsonSkeleton(t testing.TB, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	var bones func(v any) any
	bones = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				v[key] = bones(value)
			}
			delete(v, "helpUri") // only where it is a URL
		case []any:
			for i := range v {
				v[i] = bones(v[i])
			}
		case string:
			return ""
		}
		return v
	}
	out, _ := json.Marshal(bones(v))
	return string(out)
}

func xmlSkeleton(t testing.TB, text string) string {
	t.Helper()
	var bones strings.Builder
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		switch token := token.(type) {
		case nil:
			if dec.InputOffset() != int64(len(text)) {
				t.Errorf("%v in %.200s", err, text)
			}
			return bones.String()
		case xml.StartElement:
			fmt.Fprintf(&bones, "<%s", token.Name.Local)
			for _, a := range token.Attr {
				bones.WriteString(" " + a.Name.Local)
			}
		case xml.EndElement:
			bones.WriteString(">")
		case xml.CharData:
		default:
			fmt.Fprintf(&bones, "%T", token)
		}
	}
}

func csvSkeleton(t testing.TB, text string) string {
	t.Helper()
	rows, err := stdcsv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Error(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.IndexAny(strings.TrimLeft(cell, " \"\u00a0\u3000"), "=+-@|%") == 0 {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
	return fmt.Sprint(len(rows))
}

// markdownSkeleton is the text outside of code spans, which end at as many backticks as they begin with
// (https://spec.commonmark.org/0.31.2/#code-spans).
func markdownSkeleton(t testing.TB, text string) string {
	t.Helper()
	var bones strings.Builder
	for line := range strings.Lines(text) {
		for line != "" {
			i := strings.IndexByte(line, '`')
			if i < 0 {
				break
			}
			bones.WriteString(line[:i])
			fence := line[i : i+len(line[i:])-len(strings.TrimLeft(line[i:], "`"))]
			end := regexp.MustCompile("(^|[^`])" + fence + "($|[^`])").FindStringIndex(line[i+len(fence):])
			if end == nil {
				t.Errorf("a code span without an end: %.200q", line)
				break
			}
			line = strings.TrimPrefix(line[i+len(fence)+end[0]:], "x")
			line = line[strings.Index(line, fence)+len(fence):]
			bones.WriteString("CODE")
		}
		bones.WriteString(line)
	}
	return html.UnescapeString(bones.String())
}
