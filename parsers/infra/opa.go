package infra

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("opa", func(p *tool.Parser) {
	p.Is("opa", result.Test, 1, "opa test, check, eval and fmt, 0.4x to 1.x: text and JSON")
	p.Filter = tool.Filter{Flag: "-r"}
	p.Exits = map[int]result.Meaning{2: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(opaTested), "/errors/*": opaError.Item}}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		return read.Text{Line: (&opaRun{test: -1}).line, Usage: []string{"Error: unknown "}}.Parse(in)
	}})
})

type opaPlace struct {
	File     string
	Row, Col int
}

func (p opaPlace) at() *result.Location {
	return &result.Location{Path: p.File, Line: p.Row, Column: p.Col}
}

// opaTested reads a test in the output of opa test --format json.
func opaTested(s *read.Sink, v *struct {
	Location      opaPlace
	Package, Name string
	Fail, Skip    bool
	Error         json.RawMessage
	Output        []byte // what the test printed
}) {
	if v.Package == "" || v.Name == "" {
		s.Decline()
		return
	}
	came := tool.Passed
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.Package + "." + v.Name, At: v.Location.at(), Message: "failed", Detail: string(v.Output)}
	f.At.Column = 0 // the text format prints no column
	switch {
	case len(v.Error) > 0:
		came, f.Severity, f.Message = tool.Errored, result.SevError, "error: "+string(v.Error)
	case v.Fail:
		came = tool.Failed
	case v.Skip:
		came = tool.Skipped
	}
	if s.Counted(tool.Test{ID: f.ID, Outcome: came}); came == tool.Failed || came == tool.Errored {
		s.FindHere(f)
	}
}

// opaError describes the JSON of an error of parsing or compiling.
var opaError = read.Objects{Path: "location.file", Line: "location.row", Column: "location.col", Rule: "code", Message: "message"}

// opaRun reads a path and the tests below it, the traces of failed tests, and the closing counts. With -v, a list
// of all tests with their places comes before the traces.
type opaRun struct {
	at    *result.Location
	trace bool
	test  int // the index of the finding whose trace is being read, or -1
}

func (r *opaRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	name, state, _ := strings.Cut(text, ": ")
	switch {
	case strings.HasPrefix(text, "{"): // opa's log
		return false
	case text == "FAILURES":
		r.trace = true
		s.Sign(l)
	case text == "SUMMARY", len(text) > 40 && strings.Trim(text, "-") == "":
		r.trace, r.test = r.trace && text != "SUMMARY", -1
		s.Break()
	case name == "PASS" || name == "FAIL" || name == "SKIPPED" || name == "ERROR":
		word := map[string]string{"PASS": "passed", "FAIL": "failed", "SKIPPED": "skipped", "ERROR": "error"}[name]
		n := read.CountsBehind(name + ": " + strings.Split(state, "/")[0])[strings.ToLower(name)]
		s.Score(word, n)
		s.Tested, r.trace = true, false
		s.Close(l)
	case strings.HasPrefix(name, "data.") && (strings.HasPrefix(state, "FAIL") || strings.HasPrefix(state, "ERROR")):
		r.failed(s, l, name, state)
	case strings.HasPrefix(name, "data.") && (strings.HasPrefix(state, "PASS") || strings.HasPrefix(state, "SKIPPED")):
		s.Sign(l)
	case r.trace && r.test >= 0 && strings.HasPrefix(text, "  "):
		f := &s.Findings[r.test]
		if at, what, ok := place.Cut(strings.TrimSpace(text)); ok && strings.Contains(what, "| Fail ") && f.Message == "failed" {
			f.Message = strings.TrimLeft(what, "| ")
			f.Related = append(f.Related, result.Related{At: &at, Message: f.Message})
		}
	default:
		return r.place(s, l, text)
	}
	return true
}

// failed adds a failed test once. OPA prints a failed test twice, in the list and above its trace.
func (r *opaRun) failed(s *read.Sink, l tool.Line, name, state string) {
	for i := range s.Findings {
		if s.Findings[i].ID == name {
			s.Cover(l)
			r.test = i
			return
		}
	}
	word, _, _ := strings.Cut(state, " ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, At: r.at, Message: "failed"}
	if word == "ERROR" {
		f.Severity, f.Message = result.SevError, "error"
	}
	r.test = len(s.Findings)
	if s.Find(l, f); s.Last() == nil {
		r.test = -1
	}
}

// place reads "policy/deny_test.rego:12:" above a test, and errors of compiling:
// "1 error occurred: policy/a.rego:3: rego_parse_error: text".
func (r *opaRun) place(s *read.Sink, l tool.Line, text string) bool {
	at, rest, ok := place.Cut(text)
	if _, one, has := strings.Cut(text, " error occurred: "); has {
		at, rest, ok = place.Cut(one)
	}
	if !ok {
		if message, said := strings.CutPrefix(text, "error: "); said {
			return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		}
		return strings.HasSuffix(text, " errors occurred:")
	}
	if rule, message, has := strings.Cut(rest, ": "); has && strings.HasPrefix(rule, "rego_") {
		return s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
	}
	if rest == "" {
		r.at = &at
	}
	return false
}

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
		s.Scores(read.Counts(text), "passed: passed; failed: failure, failures; warning: warning, warnings")
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
