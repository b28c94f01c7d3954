package security

import (
	"html"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// bandit counts columns from 0.
var _ = Room.Add("bandit", func(p *tool.Parser) {
	p.Is("bandit", result.Security, 1, "bandit 1.6 to 1.9: txt, screen, json, csv, xml, yaml, html, custom")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/generated_at": read.Item(func(*read.Sink, *string) {}),
		"/results/*":    banditResult.Item, "/errors/*": read.Item(func(s *read.Sink, v *struct{ Filename, Reason string }) {
			s.FindHere(banditSkipped(v.Filename, v.Reason))
		}),
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{">> Issue: [B", "Total issues (by severity):"}, Parse: read.Text{Line: banditLine}.Parse})
	p.Reads(tool.Format{Name: "csv", Starts: []string{"filename,test_name,test_id,issue_severity,"}, Parse: read.TableByShape("filename,test_name,", banditShape)})
	p.Reads(tool.Format{Name: "xml", Parse: read.Text{Line: banditXML}.Parse})
	p.Reads(tool.Format{Name: "yaml", Parse: read.YAMLByShape(banditShape)})
	p.Reads(tool.Format{Name: "html", Parse: read.Sheet{Names: map[string]string{"testid": "rule", "confidence": "", "cwe": ""}, Fit: banditHTML}.Parse})
	p.Reads(banditTemplate.Format("bandit"))
	p.Reads(tool.Format{Name: "custom", Parse: read.Linter{Rule: read.First, Accept: acceptBandit}.Parse})
	read.InPython(p)
})

func isBanditTest(s string) bool { return len(s) == 4 && s[0] == 'B' && lex.IsDigits(s[1:]) }

func banditFinding(test, name, severity, text string) result.Finding {
	f := result.Finding{Rule: test, RuleName: name, RawSeverity: strings.ToLower(severity), Message: text, Severity: result.SevWarning}
	if f.RawSeverity == "high" {
		f.Severity = result.SevError
	}
	return f
}

var banditResult = read.Objects{Path: "filename", Line: "line_number", Column: "col_offset", Column0: true,
	Rule: "test_id", RuleName: "test_name", Severity: "issue_severity", URL: "more_info", Message: "issue_text", Fit: func(f *result.Finding) {
		url, at := f.RuleURL, f.At
		*f = banditFinding(f.Rule, f.RuleName, f.RawSeverity, f.Message)
		f.RuleURL, f.At = url, at
	}}

// banditShape makes a finding of CSV or YAML equal to one of JSON. The generic readers take test_name for a test's
// id, but it is the rule's name.
func banditShape(f *result.Finding) {
	at, span, url := f.At, f.RawSpan, f.RuleURL
	if *f = banditFinding(f.Rule, f.ID, f.RawSeverity, f.Message); f.Rule == "" && at != nil {
		*f = banditSkipped(at.Path, f.Message)
	} else if at != nil {
		at.Column++
	}
	f.RuleURL, f.At, f.RawSpan = url, at, span
}

// banditSkipped returns the finding of a file that was not scanned. A missing file is an error, although bandit exits
// with 0.
func banditSkipped(path, why string) result.Finding {
	f := result.Finding{Message: why, At: &result.Location{Path: path}}
	if strings.HasPrefix(why, "No such file ") {
		f.Kind = result.BuildError
	}
	return f
}

// banditLine reads an issue and the lines below it:
//
//	>> Issue: [B403:blacklist] Consider possible security implications …
//	   Severity: Low   Confidence: High
//	   CWE: CWE-502 (https://cwe.mitre.org/…)
//	   More Info: https://bandit.readthedocs.io/…
//	   Location: telemetry/store.py:4:0
func banditLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(text, ">> Issue: ["); ok {
		head, message, _ := strings.Cut(rest, "] ")
		test, name, _ := strings.Cut(head, ":")
		return s.Find(l, banditFinding(test, name, "", message))
	}
	if path, why, ok := cutSkipped(l.Text); ok && s.Path == "skipped" {
		s.Find(l, banditSkipped(path, why))
		return s.Break()
	}
	s.Path = ""
	if strings.HasPrefix(text, "Files skipped (") {
		s.Path = "skipped"
		return s.Close(l)
	}
	f := s.Last()
	if f == nil || strings.HasPrefix(text, "--------") || strings.HasPrefix(text, "Code scanned:") {
		s.Break()
		return f != nil || isBanditChatter(text)
	}
	switch {
	case strings.HasPrefix(text, "Severity: "):
		word, _, _ := strings.Cut(text[len("Severity: "):], " ")
		again := banditFinding(f.Rule, f.RuleName, word, f.Message)
		f.Severity, f.RawSeverity = again.Severity, again.RawSeverity
	case strings.HasPrefix(text, "More Info: "):
		f.RuleURL = text[len("More Info: "):]
	case strings.HasPrefix(text, "Location: "):
		banditPlace(f, text[len("Location: "):])
	case strings.HasPrefix(text, "CWE: "):
		number, _, _ := strings.Cut(text[len("CWE: "):], " ")
		f.Tags = append(f.Tags, strings.ToLower(number))
	}
	return s.More(l)
}

func banditPlace(f *result.Finding, where string) {
	if at, _, ok := place.Cut(where + ": "); ok {
		if at.Column > 0 || strings.HasSuffix(where, ":0") {
			at.Column++
		}
		f.At = &at
	}
}

// cutSkipped reads "\t./a.py (syntax error while parsing AST from file)".
func cutSkipped(text string) (path, why string, ok bool) {
	path, why, ok = strings.Cut(strings.TrimSuffix(text, ")"), " (")
	return strings.TrimLeft(path, "\t "), why, ok && strings.HasSuffix(text, ")") && strings.HasPrefix(text, "\t")
}

// isBanditChatter reports whether a line is of bandit's log, or of the tables at the end.
func isBanditChatter(text string) bool {
	return lex.HasAnyPrefix(text, "[main]\tINFO", "Run started:", "Total ") || text == "Run metrics:" || text == "Test results:"
}

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
