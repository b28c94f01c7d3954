package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ghc runghc | runhaskell ghci stack", func(p *tool.Parser) {
	p.Is("ghc", result.Build, 1, "GHC 8 to 9.12: its diagnostics, also below cabal and stack, and exceptions of runghc")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"[1 of … Compiling ", "• In the expression: ", "• In an equation for ", "• Variable not in scope: ", "• Couldn't match "}, Named: true, Parse: parseGHC})
})

// haskell reads GHC's diagnostics, whose text stands below the place, and the exception that ended a program:
//
//	b.hs:9:4: error: [GHC-83865]
//	    • Couldn't match expected type ‘Int’
//	                  with actual type ‘Maybe String’
//	  |
//	9 | f (Just n) = n
//
//	run.hs: Map.!: given key is not an element in the map
type haskell struct {
	ranSource bool // runghc: "FILE.hs: message" is an exception
	asks      bool // ghci: a line of output may begin with a prompt
	bare      bool // the diagnostic has no text yet
	joins     bool // lines that are indented by more than indent continue the text
	indent    int
}

func parseGHC(in *tool.Input) *tool.Report {
	h := &haskell{}
	if argv := in.Command().Argv; len(argv) > 0 {
		h.asks = argv[0] == "ghci"
		h.ranSource = argv[0] == "runghc" || argv[0] == "runhaskell"
	}
	return read.Text{Line: h.line}.Parse(in)
}

func (h *haskell) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	for h.asks {
		prompt, rest, ok := strings.Cut(t+" ", "> ")
		if !ok || strings.ContainsAny(prompt, " <") {
			break
		}
		t = strings.TrimSpace(rest)
	}
	if h.head(s, l, t) {
		return true
	}
	switch {
	case h.asks && strings.HasPrefix(t, "*** Exception: "):
		s.Find(l, result.Finding{Kind: result.Panic, Message: t[len("*** Exception: "):]})
	case strings.HasPrefix(t, "[") && strings.Contains(t, "] Compiling "):
		s.Sign(l)
		s.Break()
	case strings.HasPrefix(t, "ghc: ") || strings.HasPrefix(t, "runghc: "):
		_, message, _ := strings.Cut(t, ": ")
		s.Misuse(l, message)
	case strings.HasPrefix(t, "<no location info>: error:"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(t[len("<no location info>: error:"):])})
		h.bare, h.joins = s.Last() != nil && s.Last().Message == "", false
	case h.thrown(s, l, t):
	case t == "" || s.Last() == nil:
		h.joins = false
		s.Break()
		return false
	default:
		h.below(s, l, t)
	}
	return true
}

// head reads a place, a severity, and the code and flags in brackets.
func (h *haskell) head(s *read.Sink, l tool.Line, t string) bool {
	asked, typed := strings.CutPrefix(t, "<interactive>:")
	at, rest, ok := place.Cut(t)
	if typed {
		at, rest, ok = place.Cut("-:" + asked)
	}
	if !ok {
		at, rest, ok = haskellSpan(t)
	}
	word, message := read.CutSeverity(rest)
	if !ok || word == "" || s.Last() != nil && t[0] == ' ' {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Kind: result.Diagnostic}
	if !typed {
		f.At = &at
	}
	if f.Severity == result.SevError {
		f.Kind = result.BuildError
	}
	for strings.HasPrefix(message, "[") {
		inside, after, _ := strings.Cut(message[1:], "]")
		if flag, _, _ := strings.Cut(inside, ","); strings.HasPrefix(flag, "-W") || f.Rule == "" {
			f.Rule = flag
		}
		message = strings.TrimLeft(after, " ")
	}
	f.Message = message
	s.Find(l, f)
	h.bare, h.joins = message == "", false
	return true
}

// haskellSpan reads "b.hs:(9,4)-(10,7): rest".
func haskellSpan(t string) (at result.Location, rest string, ok bool) {
	path, span, found := strings.Cut(t, ":(")
	from, rest, closed := strings.Cut(span, "): ")
	line, after, comma := strings.Cut(from, ",")
	column, _, _ := strings.Cut(after, ")")
	if !found || !closed || !comma || !lex.IsDigits(line) || !lex.IsDigits(column) || strings.Contains(path, " ") {
		return at, "", false
	}
	return result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, rest, true
}

// below reads the text of a diagnostic. Its first point ("• …"), with the lines that continue it, is the message.
func (h *haskell) below(s *read.Sink, l tool.Line, t string) {
	text := strings.TrimLeft(t, " ")
	indent := len(t) - len(text)
	switch {
	case h.bare:
		point, isPoint := strings.CutPrefix(text, "• ")
		s.Last().Message = point
		h.bare, h.joins, h.indent = false, true, indent
		if isPoint {
			h.indent++
		}
		return
	case h.joins && indent > h.indent && !strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "• "):
		s.Last().Message += " " + text
		return
	}
	h.joins = false
	s.More(l)
}

// thrown reads "run.hs: message" of runghc and "prog: message" above a call stack. The finding's place is the
// innermost one in the stack that belongs to the program.
func (h *haskell) thrown(s *read.Sink, l tool.Line, t string) bool {
	if f := s.Last(); f != nil && f.Kind == result.Panic {
		_, spot, ok := strings.Cut(t, ", called at ")
		if at, _, placed := place.Cut(spot); ok && placed && f.At == nil && !strings.HasPrefix(spot, "libraries/") {
			f.At = &at
		}
		s.More(l)
		return t != ""
	}
	path, message, ok := strings.Cut(t, ": ")
	if !h.ranSource || !ok || !strings.HasSuffix(path, "hs") || strings.Contains(path, " ") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.Panic, Message: message})
}
