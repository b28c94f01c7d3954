package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Tools that hold which module may import which.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "import-linter", Kind: result.Lint, Version: 1,
		About:   "import-linter 1.x and 2.x: contracts that are broken",
		Matches: tool.Runs("lint-imports", "import-linter"), Programs: []string{"lint-imports"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Contracts: … kept, … broken."}, Parse: parseContracts},
			{Name: "text", Parse: parseContracts},
			read.PythonTrouble("lint-imports"),
		},
	}
})

func parseContracts(in *tool.Input) *tool.Report {
	return read.Text{Line: new(contracts).line}.Parse(in)
}

// contracts are read from the list of all, and from what stands below the heading
// "Broken contracts" for each:
//
//	Crane knows no tide
//	-------------------
//
//	harbor.crane is not allowed to import harbor.tide:
//
//	-   harbor.crane -> harbor.tide (l.1)
type contracts struct {
	last   string // the line before
	broken string // the contract that is told of
	below  bool   // the heading
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
	switch {
	case isChain && p.broken != "" && strings.Contains(chain, " -> "):
		from, _, _ := strings.Cut(strings.TrimSpace(chain), " -> ") // a module, whose file nobody names
		s.Find(l, result.Finding{Rule: p.broken, ID: from, Message: strings.TrimSpace(chain)})
	case strings.HasPrefix(text, "Contracts: ") && strings.HasSuffix(text, " broken."):
		s.Close(l)
	case strings.HasPrefix(text, "Could not find package '"), strings.HasPrefix(text, "Could not read any configuration"), strings.HasPrefix(text, "Invalid "), strings.HasPrefix(text, "Syntax error in "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text, At: place.InSentence(text)})
		s.Meaning = result.MeansUsage
	case p.below, isRule, text == "Contracts", strings.HasSuffix(text, " BROKEN"), strings.HasSuffix(text, " KEPT"), strings.HasPrefix(text, "Analyzed "), strings.ContainsAny(text, "╔╗╚╝║"):
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "tach", Kind: result.Lint, Version: 1,
		About:   "tach 0.1x to 0.3x: check, check-external, --output json",
		Matches: tool.Runs("tach"), Programs: []string{"tach"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(tachItem)}}.Parse},
			{Name: "text", Parse: read.Text{Line: tachLine}.Parse},
			read.PythonTrouble("tach"),
		},
	}
})

func tachItem(s *read.Sink, v *struct {
	Located struct {
		Path     string `json:"file_path"`
		Line     int    `json:"line_number"`
		Severity string
		Details  struct {
			Code map[string]struct {
				Dependency string
				Usage      string `json:"usage_module"`
				Definition string `json:"definition_module"`
			}
		}
	}
}) {
	at := result.Location{Path: v.Located.Path, Line: v.Located.Line}
	for name, code := range v.Located.Details.Code {
		s.FindHere(result.Finding{
			Severity: read.SeverityOf(v.Located.Severity), At: &at, Extra: map[string]any{"code": name},
			Message: "Cannot use '" + code.Dependency + "'. Module '" + code.Usage + "' cannot depend on '" + code.Definition + "'.",
		})
	}
}

// tachLine reads "[FAIL] pier/core.py:1: Cannot use 'pier.web.x'. …", on a terminal
// with a mark in place of the word, and what keeps tach from its work.
func tachLine(s *read.Sink, l tool.Line) bool {
	mark, rest, _ := strings.Cut(l.Text, " ")
	at, message, ok := place.Cut(rest)
	switch {
	case ok && (mark == "[FAIL]" || mark == "❌"):
		s.Find(l, result.Finding{Message: message, At: &at})
	case ok && (mark == "[WARN]" || mark == "⚠️"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: message, At: &at})
	case strings.HasPrefix(l.Text, "Configuration file not found."):
		s.Misuse(l, l.Text)
	case strings.HasPrefix(l.Text, "✅ "), strings.HasPrefix(l.Text, "[OK] "), strings.HasPrefix(l.Text, "If you intended to add a new dependency"), strings.HasPrefix(l.Text, "Otherwise, remove any disallowed imports"),
		strings.HasSuffix(l.Text, " Dependencies") && len(l.Text) < 32:
		s.Sign(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "xenon", Kind: result.Lint, Version: 1,
		About:   "xenon 0.9: ranks of complexity",
		Matches: tool.Runs("xenon"), Programs: []string{"xenon"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"ERROR:xenon:"}, Parse: read.Text{Line: xenonLine}.Parse}, read.PythonTrouble("xenon"),
		},
	}
})

// xenonLine reads `ERROR:xenon:block "harbor/tide.py:5 high" has a rank of C`.
func xenonLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, ":")
	message, ok := strings.CutPrefix(rest, "xenon:")
	if !ok || read.SeverityOf(word) == "" {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	before, quoted, _ := strings.Cut(message, `"`)
	quoted, says, isBlock := strings.Cut(quoted, `"`)
	where, name, _ := strings.Cut(quoted, " ")
	path, line, placed := place.CutLineNumber(where)
	cannot, isFile := strings.CutPrefix(message, "cannot parse ")
	switch parts := strings.Split(message, "'"); {
	case isBlock && placed && before == "block ":
		f.At, f.ID, f.Message = &result.Location{Path: path, Line: line}, name, "block"+says
	case isFile:
		file, why, _ := strings.Cut(cannot, ": ")
		reason, at, _ := strings.Cut(strings.TrimSuffix(why, ")"), " (<unknown>, line ")
		f.At, f.Message = &result.Location{Path: file, Line: lex.LeadingNumber(at)}, "cannot parse: "+reason
	case len(parts) == 3:
		f.At, f.Message = &result.Location{Path: parts[1]}, strings.TrimSpace(parts[0])+parts[2]
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "slotscheck", Kind: result.Lint, Version: 1,
		About:   "slotscheck 0.1x: default and verbose",
		Matches: tool.Runs("slotscheck"), Programs: []string{"slotscheck"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: slotsLine}.Parse}, read.PythonTrouble("slotscheck")},
	}
})

// slotsLine reads "ERROR: 'slots:B' defines slots but superclass does not.", where
// the name is a module and a class in it.
func slotsLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR: ")
	parts := strings.Split(message, "'")
	switch {
	case ok && len(parts) >= 3 && parts[0] == "" && strings.Contains(parts[1], ":"):
		s.Find(l, result.Finding{ID: parts[1], Message: strings.TrimSpace(strings.Join(parts[2:], "'"))})
	case ok:
		s.Misuse(l, message)
	case s.Last() != nil && lex.LeadingBlanks(l.Text) > 0:
		s.More(l)
	case l.Text == "Oh no, found some problems!", strings.HasPrefix(l.Text, "All OK!"), strings.HasPrefix(l.Text, "Scanned "):
		s.Sign(l)
		s.Break()
	default:
		return false
	}
	return true
}
