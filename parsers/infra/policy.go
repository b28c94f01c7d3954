package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Checkers of what is to be deployed: policies, schemas, rules of alerts.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "conftest", Kind: result.Lint, Version: 1,
		About:   "conftest 0.2x to 0.6x: stdout, json, github",
		Matches: tool.Runs("conftest"), Programs: []string{"conftest"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(conftestFile)}}.Parse},
			{Name: "text", Parse: read.Text{Line: conftestLine}.Parse},
		},
	}
})

type conftestMessage struct{ Msg string }

// conftestFile is a file of the JSON format.
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

// conftestLine reads "FAIL - d1.yaml - main - text" and the closing count.
func conftestLine(s *read.Sink, l tool.Line) bool {
	if strings.Contains(l.Text, " passed, ") && strings.Contains(l.Text, " failure") && strings.Contains(l.Text, " exception") {
		counts := read.Counts(l.Text)
		s.Claim(counts["failure"] + counts["failures"])
		s.Count("passed", counts["passed"])
		s.Close(l)
		return true
	}
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		s.Misuse(l, message)
		return true
	}
	parts := strings.SplitN(l.Text, " - ", 4)
	severity := map[string]result.Severity{"FAIL": result.SevFailure, "WARN": result.SevWarning}[parts[0]]
	switch {
	case severity == "" || len(parts) < 3:
		return false
	case len(parts) == 3:
		s.Find(l, conftestFinding(severity, parts[1], "", parts[2]))
	default:
		s.Find(l, conftestFinding(severity, parts[1], parts[2], parts[3]))
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "opa", Kind: result.Test, Version: 1,
		Filter:  tool.Filter{Flag: "-r"},
		About:   "opa test, check, eval and fmt, 0.4x to 1.x: text",
		Matches: tool.Runs("opa"), Programs: []string{"opa"},
		Exits:   map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansFindings},
		Formats: []tool.Format{{Name: "text", Parse: func(in *tool.Input) *tool.Report { return read.Text{Line: (&opaRun{test: -1}).line}.Parse(in) }}},
	}
})

// opaRun reads a path and the tests below it, the traces of those that failed,
// and the closing counts. The summary, before the traces, tells each test with its
// place where -v is given.
type opaRun struct {
	at    *result.Location
	trace bool
	test  int // whose trace is read, of the findings; -1: none
}

func (r *opaRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	name, state, _ := strings.Cut(text, ": ")
	switch {
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

// failed is a test that failed: once in the list and once above its trace.
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
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
			return true
		}
		return strings.HasSuffix(text, " errors occurred:")
	}
	if rule, message, has := strings.Cut(rest, ": "); has && strings.HasPrefix(rule, "rego_") {
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		return true
	}
	if rest == "" {
		r.at = &at
	}
	return false
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "promtool", Kind: result.Lint, Version: 1,
		About:   "promtool 2 and 3: check config, check rules, test rules",
		Matches: tool.Runs("promtool"), Programs: []string{"promtool"},
		Formats: []tool.Format{{Name: "text", Parse: func(in *tool.Input) *tool.Report {
			var r promtoolRun
			return read.Text{Line: r.line, End: r.end}.Parse(in)
		}}},
	}
})

// promtoolRun keeps what was checked: that goes to another stream than what is
// wrong with it, so that only of one file it is known where that belongs.
type promtoolRun struct{ checked []string }

func (r *promtoolRun) end(s *read.Sink) {
	if len(r.checked) != 1 {
		return
	}
	for i := range s.Findings {
		f := &s.Findings[i]
		f.At = &result.Location{Path: r.checked[0]}
		_, line, ok := strings.Cut(f.Message+"\n"+f.Detail, "line ")
		if n, _, _ := strings.Cut(line, ":"); ok && lex.IsDigits(n) && len(n) < 9 {
			f.At.Line = lex.Atoi(n)
		}
	}
}

// line reads "Checking p.yml", and below it "  FAILED: text" with lines
// that explain it.
func (r *promtoolRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	checked, checking := strings.CutPrefix(text, "Checking ")
	message, failed := strings.CutPrefix(text, "FAILED:")
	switch {
	case checking, strings.HasPrefix(text, "Unit Testing: "):
		r.checked = append(r.checked, strings.TrimPrefix(checked, "Unit Testing: "))
		s.Sign(l)
		s.Break()
	case failed, strings.HasPrefix(text, "error: ") && l.Stream == tool.Stderr, strings.HasPrefix(text, "promtool: error: "):
		message = strings.TrimPrefix(strings.TrimPrefix(message, "promtool: "), "error: ")
		s.Find(l, result.Finding{Message: strings.TrimSpace(message)})
	case strings.HasPrefix(text, "SUCCESS"):
		s.Sign(l)
		s.Break()
	case s.Last() != nil && text != "":
		if f := s.Last(); f.Message == "" || strings.HasSuffix(f.Message, ":") {
			f.Message = strings.TrimSpace(f.Message + " " + text)
		}
		s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "kubeconform", Kind: result.Lint, Version: 1,
		About:   "kubeconform 0.4 to 0.7 and kubeval: text and json; -output junit is JUnit XML",
		Matches: tool.Runs("kubeconform", "kubeval"), Programs: []string{"kubeconform"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/resources/*": read.Item(kubeconformResource)}}.Parse},
			{Name: "text", Parse: read.Text{Line: kubeconformLine}.Parse},
		},
	}
})

// kubeconformResource is a resource of the JSON format; those that are valid are
// told with -verbose.
func kubeconformResource(s *read.Sink, v *struct{ Filename, Kind, Name, Version, Status, Msg string }) {
	if v.Status == "statusInvalid" || v.Status == "statusError" {
		s.FindHere(result.Finding{ID: strings.TrimSpace(v.Kind + " " + v.Name), Message: v.Msg, At: &result.Location{Path: v.Filename}})
	}
}

// kubeconformLine reads "deploy.yaml - Deployment teller is invalid: text" and
// "deploy.yaml - Service x failed validation: text".
func kubeconformLine(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Summary: ") {
		counts := read.CountsBehind(strings.ReplaceAll(strings.ReplaceAll(l.Text, " - ", ", "), " resources found", ""))
		s.Claim(counts["invalid"] + counts["errors"])
		s.Close(l)
		return true
	}
	path, rest, ok := strings.Cut(l.Text, " - ")
	for _, how := range [...]string{" is invalid: ", " failed validation: ", "failed validation: "} {
		if resource, message, has := strings.Cut(rest, how); ok && has {
			s.Find(l, result.Finding{ID: resource, Message: message, At: &result.Location{Path: path}})
			return true
		}
	}
	return false
}
