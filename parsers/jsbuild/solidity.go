package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// hardhat runs solc and prints its diagnostics unchanged, so one reader serves both.

var _ = Room.Add("solc solcjs", func(p *tool.Parser) { contracts(p, "solc", "solc and solcjs 0.6 to 0.8") })
var _ = Room.Add("hardhat", func(p *tool.Parser) {
	contracts(p, "hardhat", "hardhat 2: what it says itself, and of contracts that do not compile")
})

func contracts(p *tool.Parser, name, about string) {
	p.Is(name, result.Build, 1, about)
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*solidity).line)})
}

// solidity reads "ParserError: text" with an arrow to the place below it, and hardhat's "Error HH303: text", which a
// stack repeats.
type solidity struct{ read.Framed }

func (c *solidity) line(s *read.Sink, l tool.Line) bool {
	before := len(s.Findings)
	if c.Line(s, l) {
		if f := s.Last(); f != nil && len(s.Findings) > before {
			f.Kind = result.BuildError
		}
		return true
	}
	if code, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "Error "), ": "); ok && strings.HasPrefix(l.Text, "Error HH") && lex.IsDigits(code[len("HH"):]) {
		if code != "HH600" { // "compilation failed": the compiler's errors are above
			s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: code, Message: message})
			s.Meaning = result.MeansUsage
		}
		return s.Sign(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "Error reading "); ok && before == 0 {
		s.Misuse(l, "Error reading "+message)
	} else if message, ok := strings.CutPrefix(l.Text, "error: unknown option "); ok && before == 0 {
		s.Misuse(l, "unknown option "+message)
	} else if f := s.Last(); f != nil && strings.HasPrefix(l.Text, "  * ") && f.Rule != "" { // a mistake in the configuration
		if strings.HasSuffix(f.Message, ":") {
			f.Message += " " + strings.TrimSpace(l.Text[len("  * "):])
		}
		s.More(l)
	} else {
		return false
	}
	return true
}
