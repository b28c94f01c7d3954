package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bmake pmake", func(p *tool.Parser) {
	p.Is("bmake", result.Build, 1, "make of the BSDs: recipes that failed, targets without a rule, mistakes in a makefile")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: bmakeLine}.Parse)})
})

// bmakeLine reads failed recipes, and mistakes in a makefile:
//
//	*** [b] Error code 1
//	bmake: "/src/b.mk" line 3: Malformed conditional (foo()
//	bmake: don't know how to make nodep. Stop
func bmakeLine(s *read.Sink, l tool.Line) bool {
	if text, ok := strings.CutPrefix(l.Text, "*** "); ok {
		target, why, named := strings.Cut(strings.TrimPrefix(text, "["), "] ")
		if !named {
			target, why = "", text
		}
		if why = strings.TrimSuffix(why, " (continuing)"); !lex.HasAnyPrefix(why, "Error code ", "Signal ") {
			return false
		}
		return s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: why})
	}
	_, text, ok := strings.Cut(l.Text, "make: ")
	if !ok || strings.HasPrefix(text, "stopped in ") {
		return ok
	}
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(text, ". Stop")}
	if quoted, at := strings.CutPrefix(text, `"`); at {
		path, rest, _ := strings.Cut(quoted, `" line `)
		number, message, _ := strings.Cut(rest, ": ")
		f.At, f.Message = &result.Location{Path: path, Line: lex.LeadingNumber(number)}, message
	}
	if strings.HasPrefix(text, "Fatal errors encountered") && s.Last() != nil {
		return s.More(l)
	}
	s.Find(l, f)
	s.Meaning = result.MeansUsage
	return true
}
