package infra

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
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
		if s.Count(word, n); word == "failed" || word == "error" {
			s.Claim(n)
		}
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
