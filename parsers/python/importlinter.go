package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lint-imports | import-linter", func(p *tool.Parser) {
	p.Is("import-linter", result.Lint, 1, "import-linter 1.x and 2.x: contracts that are broken")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Contracts: … broken."}, Named: true, Parse: read.Lines((*contracts).line)})
	p.Reads(read.PythonTrouble("lint-imports"))
})

// contracts reads the list of all contracts, and the details of each below the heading "Broken contracts":
//
//	Crane knows no tide
//	-------------------
//
//	harbor.crane is not allowed to import harbor.tide:
//
//	-   harbor.crane -> harbor (l.1)
//	    harbor -> harbor.tide (l.3)
type contracts struct {
	last   string // the previous line
	broken string // the contract whose details are read
	below  bool   // the heading was read
}

func (p *contracts) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	defer func() { p.last = text }()
	isRule := len(text) > 1 && strings.Trim(text, "-") == ""
	if isRule && p.last == "Broken contracts" {
		p.below = true
	} else if isRule && p.below && p.last != "" {
		p.broken = p.last
	}
	chain, isChain := strings.CutPrefix(text, "- ")
	f := s.Last()
	switch {
	case isChain && p.broken != "" && strings.Contains(chain, " -> "):
		from, _, _ := strings.Cut(strings.TrimSpace(chain), " -> ") // a module; the output does not name its file
		s.Find(l, result.Finding{Rule: p.broken, ID: from, Message: strings.TrimSpace(chain)})
	case p.broken != "" && f != nil && f.Rule == p.broken && strings.Contains(text, " -> "): // the next import of the chain to the forbidden module
		f.Message += "; " + text
		s.More(l)
	case strings.HasPrefix(text, "Contracts: ") && strings.HasSuffix(text, " broken."):
		s.Close(l)
	case lex.HasAnyPrefix(text, "Could not find ", "Could not read any configuration", "Invalid ", "Syntax error in "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text, At: place.InSentence(text)})
		s.Meaning = result.MeansUsage
	case p.below, isRule, text == "Contracts", strings.HasSuffix(text, " BROKEN"), strings.HasSuffix(text, " KEPT"), strings.HasPrefix(text, "Analyzed "), strings.ContainsAny(text, "╔╗╚╝║"):
	default:
		return false
	}
	return true
}
