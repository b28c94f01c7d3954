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
			s.Refuse(l, result.Finding{Kind: result.GenericFinding, Rule: code, Message: message})
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

var _ = Room.Add("rescript bsc", func(p *tool.Parser) {
	p.Is("rescript", result.Build, 1, "rescript (bsc) 9 to 12: build")
	p.Reads(tool.Format{Name: "text", Starts: []string{"We've found a bug for you!"}, Named: true, Parse: read.Text{Line: rescriptLine}.Parse})
})

// rescriptLine reads a head, the place, the source in a frame, and the message in a paragraph:
//
//	We've found a bug for you!
//	/home/dev/src/A.res:1:14-16
//
//	1 │ let a: int = "x"
//
//	This has type: string
//	But it's expected to have type: int
func rescriptLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	severity := result.SevError
	if strings.HasPrefix(text, "Warning number ") {
		severity = result.SevWarning
	}
	f := s.Last()
	switch {
	case text == "We've found a bug for you!", text == "Syntax error!", severity == result.SevWarning:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Message: text})
	case strings.HasPrefix(text, "Could not initialize build: "):
		s.Misuse(l, text)
		return s.Break()
	case f == nil:
		return false
	case text != "" && l.Text[0] != ' ':
		s.Break()
		return false
	case f.At == nil && text != "":
		if f.At = read.PlaceOf(text); f.At == nil || !strings.Contains(f.At.Path, ".res") {
			s.Break()
			return false
		}
		s.Path = "source"
	case text == "" && s.Path == "message":
		s.Path = ""
	case text == "" || strings.Contains(text, "│"):
	case s.Path == "source":
		s.Path, f.Message = "message", strings.Clone(text)
	case s.Path == "message":
		f.Message += " " + text
	}
	return s.More(l)
}
