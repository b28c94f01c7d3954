package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("promtool", func() *tool.Parser {
	return &tool.Parser{
		Tool: "promtool", Kind: result.Lint, Version: 1,
		About: "promtool 2 and 3: check config, check rules, test rules",
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
		return s.Break()
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
