package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cabal", func(p *tool.Parser) {
	p.Is("cabal", result.Build, 1, "cabal-install 3.x: what it says itself; what it builds is GHC's")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.Said{Errors: []string{"cabal: ", "dieVerbatim: user error (cabal: ", "Error: ", "Error:", "rejecting: "}, Warnings: []string{"Warning: "}, Kind: result.BuildError, Fill: cabalFill, Other: cabalOther, Below: true}.Parse})
})

func cabalFill(f *result.Finding) {
	f.Message = strings.TrimPrefix(f.Message, "[Cabal-") // "[Cabal-7125]"
	if rule, rest, ok := strings.Cut(f.Message, "]"); ok && lex.IsDigits(rule) {
		f.Rule, f.Message = "Cabal-"+rule, strings.TrimSpace(rest)
	}
}

// cabalOther reads "No cabal.project file …", and "Error: [Cabal-7125]", a code on a line of its own: the next line
// is the error's message.
func cabalOther(s *read.Sink, l tool.Line) bool {
	if rule, ok := strings.CutPrefix(l.Text, "Error: [Cabal-"); ok && strings.HasSuffix(rule, "]") {
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: "Cabal-" + strings.TrimSuffix(rule, "]")})
	}
	if f := s.Last(); f != nil && f.Message == "" {
		f.Message = strings.TrimSpace(l.Text)
		return true
	}
	if strings.HasPrefix(l.Text, "No cabal.project file or cabal file") || strings.HasPrefix(l.Text, "cabal: unrecognised command") {
		return s.Misuse(l, strings.TrimPrefix(l.Text, "cabal: "))
	}
	return false
}
