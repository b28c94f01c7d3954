package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cspell | cspell-cli", func(p *tool.Parser) {
	p.Is("cspell", result.Lint, 1, "cspell 5 to 9: words that no dictionary has; text, --legacy, the JSON reporter")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"CSpell: Files checked: "}, Named: true, Parse: read.Linter{Accept: cspellWord, Other: cspellOther, Plain: true}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/issues/*": read.Item(cspellIssue), "/result": read.Item(cspellResult)}}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Configuration Error: ", "error: ", "Error: ")})
})

// cspellWord reads "src/a.md:3:4 - Unknown word (shuld) fix: (should)". The finding leaves out the fix and the text
// around the word, which only some options print.
func cspellWord(d *read.Diagnostic) bool {
	message := strings.TrimPrefix(d.Message, "- ") // printed before columns that show the text around the word
	for _, kind := range [...]string{"Unknown word", "Forbidden word", "Misspelled word"} {
		if rest, ok := strings.CutPrefix(message, kind+" ("); ok {
			word, _, closed := strings.Cut(rest, ")")
			d.Rule, d.Message = strings.ReplaceAll(strings.ToLower(kind), " ", "-"), kind+" ("+word+")"
			return closed
		}
	}
	return false
}

// cspellOther reads the counts, "CSpell: Files checked: 1, Issues found: 3 in 1 file.", and issues as --legacy prints
// them. A run that checked no file is a usage error.
func cspellOther(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "Configuration Error: "); ok {
		return s.Misuse(l, message)
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.HasPrefix(d.Message, "Unknown word: ") { // --legacy: "a.md[3, 36]: Unknown word: shuld"
		return s.Find(l, result.Finding{Rule: "unknown-word", Message: "Unknown word (" + d.Message[len("Unknown word: "):] + ")", At: &d.At})
	}
	rest, ok := strings.CutPrefix(l.Text, "CSpell: Files checked: ")
	if !ok {
		return false
	}
	checked, rest, _ := strings.Cut(rest, ", ")
	s.Claim(lex.LeadingNumber(strings.TrimPrefix(rest, "Issues found: ")))
	if s.Close(l); checked == "0" && len(s.Findings) == 0 {
		s.Misuse(l, l.Text)
	}
	return true
}

// cspellIssue is a word in the report of cspell-json-reporter.
func cspellIssue(s *read.Sink, v *struct {
	Text, URI string
	Row, Col  int
	IsFlagged bool
}) {
	f := result.Finding{Rule: "unknown-word", Message: "Unknown word (" + v.Text + ")", At: &result.Location{Path: strings.TrimPrefix(v.URI, "file://"), Line: v.Row, Column: v.Col}}
	if v.IsFlagged {
		f.Rule, f.Message = "forbidden-word", "Forbidden word ("+v.Text+")"
	}
	s.FindHere(f)
}

func cspellResult(s *read.Sink, v *struct{ Issues int }) { s.Claim(v.Issues) }
