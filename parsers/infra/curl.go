package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("curl", func(p *tool.Parser) {
	p.Is("curl", result.Generic, 1, "curl 7 and 8: what it says of a transfer that failed")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"curl: ("}, Parse: curlText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(curlText.Parse)})
})

var curlText = read.Said{
	Errors: []string{"curl: ("}, Warnings: []string{"Warning: "}, Usage: []string{"curl: option ", "curl: no URL specified"},
	Notes: []string{"curl: try "}, Fill: fillCurl, Other: curlMeter,
}

// fillCurl makes the number in "(6) Could not resolve host" the rule.
func fillCurl(f *result.Finding) {
	if code, rest, ok := strings.Cut(f.Message, ") "); ok && lex.IsDigits(code) {
		f.Rule, f.Message = code, rest
	}
	f.Message = strings.TrimPrefix(f.Message, "curl: ")
}

// curlMeter reads an error behind the progress meter, which curl does not end with a newline.
func curlMeter(s *read.Sink, l tool.Line) bool {
	_, why, ok := strings.Cut(l.Text, "--:--:--     0curl: (")
	if ok {
		f := result.Finding{Kind: result.GenericFinding, Message: why}
		fillCurl(&f)
		s.Find(l, f)
	}
	return ok || strings.HasPrefix(l.Text, "curl: try ")
}
