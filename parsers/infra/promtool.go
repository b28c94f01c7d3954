package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("promtool", func(p *tool.Parser) {
	p.Is("promtool", result.Lint, 1, "promtool 2 and 3: check config, check rules, test rules")
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		var r promtoolRun
		return read.Text{Line: r.line, End: r.end}.Parse(in)
	}})
})

// promtoolRun keeps the checked files. promtool names them on another stream than their errors, so an error can be
// given a file only if one file was checked.
type promtoolRun struct {
	checked []string
	rows    bool // the rows below "FAILED:" follow
}

func (r *promtoolRun) end(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		named, yaml := strings.CutPrefix(f.Message, "parsing YAML file ")
		path, _, _ := strings.Cut(named, ": ")
		if len(r.checked) == 1 {
			path = r.checked[0]
		}
		if f.At != nil || !yaml && len(r.checked) != 1 {
			continue
		}
		f.At = &result.Location{Path: path}
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
	if tested, ok := strings.CutPrefix(text, "Processing test file: "); ok {
		checked, checking = tested, true
	}
	switch {
	case checking, strings.HasPrefix(text, "Unit Testing: "):
		r.checked = append(r.checked, strings.TrimPrefix(checked, "Unit Testing: "))
		s.Sign(l)
		return s.Break()
	case failed && strings.TrimSpace(message) == "": // the reasons are in the rows below
		r.rows = true
		return s.Break() || s.Sign(l)
	case r.rows && text != "" && r.row(s, l, text):
		return true
	case strings.HasPrefix(text, "promtool: error: unknown "):
		return s.Misuse(l, strings.TrimPrefix(text, "promtool: error: "))
	case failed, strings.HasPrefix(text, "error: ") && l.Stream == tool.Stderr, strings.HasPrefix(text, "promtool: error: "):
		message = strings.TrimPrefix(strings.TrimPrefix(message, "promtool: "), "error: ")
		return s.Find(l, result.Finding{Message: strings.TrimSpace(message)})
	case strings.HasPrefix(text, "SUCCESS"):
		s.Sign(l)
		return s.Break()
	case s.Last() != nil && text != "":
		if f := s.Last(); f.Message == "" || strings.HasSuffix(f.Message, ":") {
			f.Message = strings.TrimSpace(f.Message + " " + text)
		}
		return s.More(l)
	}
	return false
}

// row reads a row below "FAILED:": an error in a rule, or a failed expectation of a test with the expected and the
// actual values below:
//
//	rules.yml: 5:11: group "a", rule 1, "X": could not parse expression: 1:6: parse error: unexpected end of input
//	    alertname: Down, time: 6m,
//	        exp:[],
//	        got:[
func (r *promtoolRun) row(s *read.Sink, l tool.Line, text string) bool {
	path, message, ok := strings.Cut(text, ": ")
	if ok && place.IsFile(path) && !strings.Contains(path, " ") {
		at := result.Location{Path: path}
		if spot, rest, placed := strings.Cut(message, ": "); placed {
			line, column, two := strings.Cut(spot, ":")
			if two && lex.IsDigits(line) && lex.IsDigits(column) {
				at.Line, at.Column, message = lex.Atoi(line), lex.Atoi(column), rest
			}
		}
		return s.Find(l, result.Finding{Message: message, At: &at})
	}
	if strings.HasPrefix(l.Text, "    alertname: ") || strings.HasPrefix(l.Text, "    expr: ") {
		return s.Find(l, result.Finding{Message: strings.TrimSuffix(text, ",")})
	}
	f := s.Last()
	if f == nil {
		return s.Find(l, result.Finding{Message: text})
	}
	if expected, is := strings.CutPrefix(text, "exp:"); is {
		f.Expected = strings.TrimSpace(strings.TrimSuffix(expected, ","))
	}
	if got, is := strings.CutPrefix(text, "got:"); is && got != "[" {
		f.Actual = strings.TrimSpace(got)
	}
	return s.More(l)
}
