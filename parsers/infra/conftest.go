package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("conftest", func(p *tool.Parser) {
	p.Is("conftest", result.Lint, 1, "conftest 0.2x to 0.6x: stdout, json, tap, table, junit, azuredevops; github and sarif are anyone's")
	p.JUnit = &tool.Dialect{Own: true, Suite: func(tag *tool.SuiteTag) bool { return strings.HasPrefix(tag.Name, "conftest.") }}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(conftestFile, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(c *conftest) read.Text { return read.Text{Line: c.line} })})
})

type conftestMessage struct{ Msg string }

// conftestFile adds the messages of one file in the JSON format.
func conftestFile(s *read.Sink, v *struct {
	Filename, Namespace            string
	Warnings, Failures, Exceptions []conftestMessage
}) {
	for _, m := range v.Failures {
		s.FindHere(conftestFinding(result.SevFailure, v.Filename, v.Namespace, m.Msg))
	}
	for _, m := range v.Warnings {
		s.FindHere(conftestFinding(result.SevWarning, v.Filename, v.Namespace, m.Msg))
	}
}

func conftestFinding(severity result.Severity, path, namespace, message string) result.Finding {
	return result.Finding{Severity: severity, Rule: namespace, Message: message, At: &result.Location{Path: path}}
}

// conftest reads a message a line, in each of the forms, and the closing count:
//
//	FAIL - d1.yaml - main - text
//	not ok 1 - d1.yaml - main - text
//	│ failure │ d1.yaml │ main │ text │
//	##vso[task.logissue type=error] file=d1.yaml --> text
//	<testcase classname="conftest.main" name="d1.yaml - text" time="0.000">
//		<failure message="Failed" type="">text</failure>
type conftest struct {
	warns bool   // the next messages in TAP are warnings
	named string // the name of the XML's test case
	space string // the namespace of that case
	from  tool.Line
}

func (c *conftest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if strings.Contains(text, " passed, ") && strings.Contains(text, " failure") && strings.Contains(text, " exception") {
		counts := read.Counts(text)
		s.Claim(counts["failure"] + counts["failures"])
		s.Count("passed", counts["passed"])
		s.Count("failed", counts["failure"]+counts["failures"])
		s.Count("warning", counts["warning"]+counts["warnings"])
		return s.Close(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		return s.Misuse(l, message)
	}
	word, path, space, message := c.row(text)
	severity := map[string]result.Severity{"FAIL": result.SevFailure, "failure": result.SevFailure, "error": result.SevFailure, "WARN": result.SevWarning, "warning": result.SevWarning}[word]
	if strings.HasPrefix(text, "<testcase ") {
		c.from = l
	}
	if word == "failure" && strings.HasPrefix(text, "<") {
		return s.Find(c.from, conftestFinding(severity, path, space, message)) && s.More(l)
	}
	return severity != "" && s.Find(l, conftestFinding(severity, path, space, message))
}

// row reads a message in one of the formats of one line, or TAP's heading "# warnings".
func (c *conftest) row(text string) (word, path, space, message string) {
	if section, ok := strings.CutPrefix(text, "# "); ok {
		c.warns = section == "warnings"
	}
	if row, ok := strings.CutPrefix(text, "##vso[task.logissue type="); ok {
		word, row, _ = strings.Cut(row, "] file=")
		path, message, _ = strings.Cut(row, " --> ")
		return word, path, "", message
	}
	if cells := strings.Split(text, "│"); len(cells) > 5 {
		return strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3]), strings.TrimSpace(strings.Join(cells[4:len(cells)-1], "│"))
	}
	if strings.HasPrefix(text, "<testcase ") {
		c.named = xmltext.Attribute(text, "name")
		c.space = strings.TrimPrefix(xmltext.Attribute(text, "classname"), "conftest.")
	}
	if row, ok := strings.CutPrefix(text, `<failure message="Failed" type="">`); ok {
		message = xmltext.Unescape(strings.TrimSuffix(row, "</failure>"))
		return "failure", strings.TrimSuffix(c.named, " - "+message), c.space, message
	}
	parts := strings.SplitN(text, " - ", 4)
	if strings.HasPrefix(parts[0], "not ok ") {
		if parts[0] = "FAIL"; c.warns {
			parts[0] = "WARN"
		}
	}
	switch len(parts) {
	case 3:
		return parts[0], parts[1], "", parts[2]
	case 4:
		return parts[0], parts[1], parts[2], parts[3]
	}
	return "", "", "", ""
}
