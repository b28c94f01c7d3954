package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// mdbook builds a book and exits 0 even if a file that a page includes is missing. Its tests are run by rustdoc, whose
// output another parser reads.
var _ = Room.Add("mdbook", func(p *tool.Parser) {
	p.Is("mdbook", result.Build, 1, "mdBook 0.5: build, test, and what is wrong with its configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO Book building has started", "INFO Testing chapter '"}, Named: true, Parse: read.IfFound(read.Said{
		Kind: result.Diagnostic, Errors: []string{"ERROR "}, Other: mdbookLine, Fill: fillMdbook,
	}.Parse)})
})

// fillMdbook makes the errors that say only that tests failed build errors: rustdoc names the tests.
func fillMdbook(f *result.Finding) {
	if f.Message == "rustdoc returned an error:" || f.Message == "One or more tests failed" {
		f.Kind = result.BuildError
	}
}

// mdbookLine adds the cause to an error, and reads the progress:
//
//	ERROR Invalid configuration file
//		Caused by: TOML parse error at line 2, column 9
func mdbookLine(s *read.Sink, l tool.Line) bool {
	head, cause, caused := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l.Text), "WARN "), ": ")
	caused = caused && strings.EqualFold(head, "caused by")
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, " INFO "):
		s.Sign(l)
		return s.Break()
	case caused && f == nil:
		return false
	case !caused:
		message, warns := strings.CutPrefix(l.Text, " WARN ")
		return warns && s.Find(l, result.Finding{Severity: result.SevWarning, Message: message})
	}
	if f.Message == "Invalid configuration file" {
		s.Meaning = result.MeansUsage
	}
	f.Message += ": " + cause
	return s.Reach(l)
}
