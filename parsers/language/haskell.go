package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
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

var _ = Room.Add("hlint", func(p *tool.Parser) {
	p.Is("hlint", result.Lint, 1, "HLint 3: default, colours, --json, --cc")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file", Line: "startLine", Column: "startColumn", Severity: "severity", Message: "hint", Help: "to"}.Parse})
	p.Reads(tool.Format{Name: "codeclimate", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule, f.Detail = "", "" })})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: hlintLine}.Parse})
})

// hlintFinding returns the finding of a hint. Its name is the message, and it has no rule.
func hlintFinding(word, hint string, at *result.Location) result.Finding {
	return result.Finding{RawSeverity: word, Severity: read.SeverityOf(word), Message: hint, At: at}
}

// hlintLine reads "h.hs:1:13-56: Warning: Redundant if", and below it the code that was found and the code that
// could replace it.
func hlintLine(s *read.Sink, l tool.Line) bool {
	d, ok := read.CutDiagnostic(l.Text)
	f := s.Last()
	switch {
	case ok && d.Word != "" && d.Message != "" && d.Message[0] != '[': // else GHC's, whose text is in the next line
		d.At.EndColumn = 0
		return s.Find(l, hlintFinding(d.Word, d.Message, &d.At))
	case strings.HasSuffix(l.Text, " hints") || strings.HasSuffix(l.Text, " hint") || l.Text == "No hints":
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Couldn't find file: "), strings.HasPrefix(l.Text, "Unknown flag: "):
		return s.Misuse(l, l.Text)
	case f != nil && strings.HasPrefix(l.Text, "  ") && strings.HasSuffix(f.Detail, "Perhaps:"):
		f.Suggestions = append(f.Suggestions, strings.TrimSpace(l.Text))
		return s.More(l)
	case f != nil && l.Text != "":
		return s.More(l)
	}
	return false
}

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

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("hspec", result.Test, 1, "hspec 2, Haskell: the failures below its rows")
	p.Reads(tool.Format{Name: "text", Starts: []string{`To rerun use: --match "`}, Parse: read.Fresh(func(h *hspec) read.Text { return read.Text{Line: h.line, Closes: true} })})
})

// hspec reads the list of failures, in which the place is above the number:
//
//	  test/Spec.hs:16:46:
//	  1) Lens.look says what is unbound
//	       expected: Left "unbound: z"
//	        but got: Left "unbound z"
//
//	  To rerun use: --match "/Lens.look/says what is unbound/"
//	8 examples, 6 failures, 1 pending
type hspec struct{ at *result.Location }

func (h *hspec) line(s *read.Sink, l tool.Line) bool {
	text, blanks := strings.TrimSpace(l.Text), lex.LeadingBlanks(l.Text)
	number, title, numbered := strings.Cut(text, ") ")
	at, rest, placed := place.Cut(text + " ")
	all, bad, closes := strings.Cut(text, " example")
	switch {
	case placed && rest == "" && blanks == 2:
		h.at = &at
		return s.Break()
	case numbered && blanks == 2 && lex.IsDigits(number):
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: title, At: h.at}
		h.at = nil
		return s.Find(l, f)
	case lex.HasAnyPrefix(text, "To rerun use: --match ", "# PENDING: ", "Randomized with seed ", "Finished in "), text == "Failures:", strings.Contains(text, " FAILED ["):
		return s.Break()
	case closes && blanks == 0 && lex.IsDigits(all) && strings.Contains(bad, " failure"):
		_, bad, _ = strings.Cut(bad, ", ")
		_, pending, _ := strings.Cut(bad, ", ")
		return s.Sum(l, lex.Atoi(all), lex.LeadingNumber(bad), 0, lex.LeadingNumber(pending))
	case s.Last() == nil || text == "":
		return false
	case s.Last().Message == "":
		s.Last().Message = text
	case len(s.Last().Message) < 200:
		s.Last().Message += "; " + text
	}
	return s.More(l)
}
