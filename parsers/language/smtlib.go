package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("z3 cvc5 yices-smt2 | cvc4", func(p *tool.Parser) {
	p.Is("smtlib", result.Build, 1, "solvers that read SMT-LIB: Z3 4.8 and later; cvc5 answers in the same form")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: smtLine}.Parse)})
})

// smtLine reads `(error "line 2 column 13: unknown constant y")`. Solvers do not print the file, so it is taken from
// the command line.
func smtLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, `(error "`)
	text, ends := strings.CutSuffix(text, `")`)
	if !ok || !ends {
		return false
	}
	f := result.Finding{Message: text}
	where, message, placed := strings.Cut(text, ": ")
	if words := strings.Fields(where); placed && len(words) == 4 && words[0] == "line" && words[2] == "column" {
		f.Message = message
		f.At = &result.Location{Path: read.OnlyFile(s.In, ".smt2", ".smt"), Line: lex.LeadingNumber(words[1]), Column: lex.LeadingNumber(words[3])}
	}
	return s.Find(l, f)
}
