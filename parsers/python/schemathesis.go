package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// schemathesis sends requests that the schema of a service allows, and prints a block for each operation
// with a failed check, in pytest's style:
//
//	_________________________ GET /orders/{id} _________________________
//	1. Test Case ID: 65Jaxe
//
//	- ST103 Undocumented status code
//
//	    Received: 404
//	    Documented: 200
//
//	[404] Not Found:
//
// A block below the heading ERRORS says why its operation could not be tested.
var _ = Room.Add("schemathesis | st", func(p *tool.Parser) {
	p.Is("schemathesis", result.Test, 1, "schemathesis 4: run")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Schemathesis v"}, Named: true, Parse: read.Lines((*schemathesis).line)})
	p.Reads(read.PythonTrouble("schemathesis", "st"))
})

type schemathesis struct {
	began, errors bool
	operation     string
	more          int // how many of the next lines may extend the message
}

func (p *schemathesis) line(s *read.Sink, l tool.Line) bool {
	if version, ok := strings.CutPrefix(l.Text, "Schemathesis v"); ok {
		*p = schemathesis{began: true}
		s.Version = version
		return s.Sign(l)
	}
	if !p.began {
		return false
	}
	title := strings.Trim(l.Text, "_= ")
	check, isCheck := strings.CutPrefix(l.Text, "- ")
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "==") && strings.Contains(title, " in ") && strings.HasSuffix(title, "s"):
		s.Scores(read.Counts(title), "failed: failures, failure; error: errors, error")
		s.Tested, p.began = true, false
		return s.Close(l)
	case strings.HasPrefix(l.Text, "=="):
		p.errors, p.operation, p.more = title == "ERRORS", "", 0
	case strings.HasPrefix(l.Text, "__"):
		if p.operation, p.more = title, 0; p.errors {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: title})
			p.more = 4
		}
	case isCheck && p.operation != "" && !p.errors:
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: p.operation, Message: check}
		if code, rest, ok := strings.Cut(check, " "); ok && strings.HasPrefix(code, "ST") && lex.IsDigits(code[2:]) {
			f.Rule, f.Message = code, rest
		}
		s.Find(l, f)
		p.more = 2
	case strings.HasPrefix(l.Text, "[") || strings.HasPrefix(l.Text, "Reproduce with:") || strings.HasPrefix(l.Text, "Need more help"):
		p.more = 0
	case p.more > 0 && text != "" && s.Last() != nil:
		f := s.Last()
		f.Message = strings.TrimPrefix(strings.TrimSuffix(lex.Headline(f.Message+": "+text), ":"), ": ")
		p.more--
		return s.More(l)
	}
	return s.Cover(l)
}
