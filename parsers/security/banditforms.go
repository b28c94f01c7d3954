package security

import (
	"html"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// banditTemplate reads --msg-template.
var banditTemplate = read.Template{
	From0: true,
	Names: map[string]string{"test_id": "{rule}", "relpath": "{path}", "abspath": "{path}", "confidence": "{}", "range": "{}"},
	Fit: func(f *result.Finding) bool {
		at := f.At
		*f = banditFinding(f.Rule, "", f.RawSeverity, f.Message)
		f.At = at
		return isBanditTest(f.Rule)
	},
}

// acceptBandit accepts the lines of common templates, "B403[LOW]: text" and "B403[bandit]: LOW: text".
func acceptBandit(d *read.Diagnostic) bool {
	test, word, _ := strings.Cut(strings.TrimSuffix(d.Rule, "]"), "[")
	if severity, rest, ok := strings.Cut(d.Message, ": "); ok && (severity == "LOW" || severity == "MEDIUM" || severity == "HIGH") {
		word, d.Message = severity, rest
	}
	d.Rule, d.Word = test, "warning"
	if word == "HIGH" {
		d.Word = "error"
	}
	return isBanditTest(test)
}

// banditHTML splits the test's name from a message, "blacklist: Consider …".
func banditHTML(f *result.Finding) {
	url, at := f.RuleURL, f.At
	name, text, ok := strings.Cut(f.Message, ": ")
	if !ok {
		name, text = "", f.Message
	}
	span, kind := f.RawSpan, f.Kind
	*f = banditFinding(f.Rule, name, f.RawSeverity, text)
	f.RuleURL, f.At, f.RawSpan, f.Kind = url, at, span, kind
}

// banditXML reads an <error> element, and the line below with the place:
//
//	<error more_info="…" type="LOW" message="text">Test ID: B403 Severity: LOW …
//	Location telemetry/store.py:4</error>
func banditXML(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if where, rest, ok := strings.Cut(text, "</error>"); ok && strings.HasPrefix(where, "Location ") && s.Last() != nil {
		banditPlace(s.Last(), html.UnescapeString(where[len("Location "):]))
		s.Last().RawSpan.End = max(s.Last().RawSpan.End, l.End)
		text = rest
		s.Break()
	}
	attribute := func(name string) string {
		_, value, _ := strings.Cut(text, " "+name+"=\"")
		value, _, _ = strings.Cut(value, "\"")
		return html.UnescapeString(value)
	}
	_, body, ok := strings.Cut(text, ">Test ID: ")
	if !ok || !strings.Contains(text, "<error ") {
		return strings.HasPrefix(text, "</test")
	}
	test, _, _ := strings.Cut(body, " ")
	f := banditFinding(test, attribute("name"), attribute("type"), attribute("message"))
	f.RuleURL = attribute("more_info")
	if i := strings.Index(text, "<testcase "); i >= 0 {
		text = text[i:]
		f.RuleName = attribute("name")
	}
	return s.Find(l, f)
}
