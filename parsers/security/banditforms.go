package security

import (
	"encoding/csv"
	"html"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
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

// acceptBandit takes "B403[LOW]: text" and "B403[bandit]: LOW: text", as templates
// write it.
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

// banditHTML takes the test's name off a message, "blacklist: Consider …".
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

// banditTable is csv, by the names in its first line.
type banditTable struct{ columns map[string]int }

func (t *banditTable) line(s *read.Sink, l tool.Line) bool {
	row, err := csv.NewReader(strings.NewReader(l.Text)).Read()
	if err != nil || l.Stream != tool.Stdout {
		return false
	}
	if t.columns == nil {
		if row[0] != "filename" {
			return false
		}
		t.columns = map[string]int{}
		for i, name := range row {
			t.columns[name] = i
		}
		return s.Sign(l)
	}
	cell := func(name string) string {
		if i, ok := t.columns[name]; ok && i < len(row) {
			return row[i]
		}
		return ""
	}
	f := banditFinding(cell("test_id"), cell("test_name"), cell("issue_severity"), cell("issue_text"))
	if f.RuleURL = cell("more_info"); !isBanditTest(f.Rule) {
		return false
	}
	banditPlace(&f, cell("filename")+":"+cell("line_number")+":"+cell("col_offset"))
	return s.Find(l, f)
}

// banditXML reads an <error> element, and below it the line with its place:
//
//	<error more_info="…" type="LOW" message="text">Test ID: B403 Severity: LOW …
//	Location telemetry/store.py:4</error>
func banditXML(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if where, rest, ok := strings.Cut(text, "</error>"); ok && strings.HasPrefix(where, "Location ") && s.Last() != nil {
		banditPlace(s.Last(), html.UnescapeString(where[len("Location "):]))
		s.Last().RawSpan.End = l.End
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

// banditYAML reads the entries below "results:" and "errors:", a key a line. A long value
// goes on, indented, on the next one.
type banditYAML struct {
	key    string
	values map[string]string
	at     tool.Line
}

func (b *banditYAML) line(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case lex.IsOneOf(text, "results: errors:"):
		b.end(s)
		b.values = map[string]string{}
		s.Sign(l)
	case b.values == nil:
		return false
	case strings.HasPrefix(text, "    ") && b.key != "" && len(b.values[b.key]) < 1000:
		b.values[b.key] += " " + strings.TrimSpace(text)
	case lex.HasAnyPrefix(text, "- ", "  "):
		if text[0] == '-' {
			b.end(s)
			b.at = l
		}
		key, value, ok := strings.Cut(text[2:], ": ")
		if b.key = ""; ok {
			b.key = key
			b.values[key] = value
		}
	default:
		b.end(s)
		b.values = nil
		return false
	}
	b.at.End = max(b.at.End, l.End)
	s.Cover(l)
	return true
}

// unquoteYAML reads a scalar in single quotes, in which a quote is doubled.
func unquoteYAML(s string) string {
	if n := len(s); n > 1 && s[0] == '\'' && s[n-1] == '\'' {
		return strings.ReplaceAll(s[1:n-1], "''", "'")
	}
	return s
}

// end adds the entry that was read.
func (b *banditYAML) end(s *read.Sink) {
	v := b.values
	if test := v["test_id"]; isBanditTest(test) {
		f := banditFinding(test, v["test_name"], v["issue_severity"], unquoteYAML(v["issue_text"]))
		f.RuleURL = v["more_info"]
		banditPlace(&f, v["filename"]+":"+v["line_number"]+":"+v["col_offset"])
		covered := s.Covered
		s.Find(b.at, f)
		s.Covered = covered
		s.Break()
	} else if v["reason"] != "" {
		s.Find(b.at, banditSkipped(v["filename"], v["reason"]))
	}
	clear(v)
}
