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
