package javascript

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("commitlint", func(p *tool.Parser) {
	p.Is("commitlint", result.Lint, 1, "commitlint 8 to 20: rules that a commit message breaks")
	p.Exits = map[int]result.Meaning{9: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"⧗   input: ", "⧗ --- input: "}, Parse: read.Text{Line: commitlintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ", "No config")})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Yargs})
})

// commitlintLine reads "⧗   input: Added stuff." and below it a line for each rule:
// "✖   type may not be empty [type-empty]".
func commitlintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	mark, said, _ := strings.Cut(text, " ")
	said = strings.TrimSpace(said)
	message, rule := read.Brackets.Cut(said)
	switch {
	case mark == "⧗":
		_, s.Path, _ = strings.Cut(said, "input: ")
		s.Path = strings.Clone(s.Path)
		return s.Sign(l)
	case (mark == "✖" || mark == "⚠" || mark == "✔") && strings.HasPrefix(said, "found "):
		return s.Found(l, read.Counts(said)["problems"])
	case mark == "✖" || mark == "⚠":
		f := result.Finding{Rule: rule, Message: message, ID: s.Path}
		if mark == "⚠" {
			f.Severity = result.SevWarning
		}
		return s.Find(l, f)
	case s.Last() != nil && s.Last().Rule == "" && rule != "": // the last line of a longer message has the rule
		s.Last().Rule = rule
		return s.More(l)
	case mark == "ⓘ":
		return true
	}
	return false
}

var _ = Room.Add("write-good writegood", func(p *tool.Parser) {
	p.Is("write-good", result.Lint, 1, "write-good 1.0: default and --parse; its exit code is the number of suggestions")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "In {path}", As: read.InPath},
		{Form: `"{message} on line {line} at column {column}`, As: read.Warning, Fit: func(f *result.Finding) {
			if f.Message = `"` + f.Message; f.At != nil {
				f.At.Column++ // columns are 0-based
			}
		}},
	}}.Parse})
	p.Reads(tool.Format{Name: "parse", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: writeGoodColumn}.Parse})
})

// writeGoodColumn makes the column 1-based.
func writeGoodColumn(d *read.Diagnostic) bool {
	d.At.Column++
	return true
}

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

var _ = Room.Add("linkinator", func(p *tool.Parser) {
	p.Is("linkinator", result.Lint, 1, "linkinator 4 to 7: text, json, csv")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: linkinatorLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(linkinatorLink, "/links/*")}.Parse})
})

// linkinatorLink reads a link of the json format.
func linkinatorLink(s *read.Sink, v *struct {
	URL, State, Parent string
	Status             int
}) {
	if v.State == "BROKEN" {
		s.FindHere(result.Finding{Message: brokenLink(v.URL, strconv.Itoa(v.Status), v.Parent)})
	}
}

// brokenLink returns the message for a broken link of a page.
func brokenLink(link, status, page string) string {
	message := "broken link " + link + ", status " + status
	if page != "" {
		message += ", in " + page
	}
	return message
}

// linkinatorRow reads a row of the csv format, "url,status,state,parent,failureDetails".
func linkinatorRow(s *read.Sink, l tool.Line) bool {
	link, rest, ok := lex.CutLast(l.Text, ",BROKEN,")
	link, status, both := lex.CutLast(link, ",")
	if !ok || !both || !lex.IsDigits(status) {
		return false
	}
	page, _, _ := strings.Cut(rest, ",")
	return s.Find(l, result.Finding{Message: brokenLink(strings.Trim(link, `"`), status, page)})
}

// linkinatorLine reads the summary: a page, and indented below it the page's links, "  [404] site/gone.html". The
// rows above the summary, which are not indented, are the same links.
func linkinatorLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	status, link, row := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	row = row && text[0] == '[' && lex.IsDigits(status)
	switch {
	case strings.HasPrefix(text, "ERROR: Detected "):
		return s.Found(l, lex.LeadingNumber(text[len("ERROR: Detected "):]))
	case strings.HasPrefix(text, "The provided glob "):
		return s.Misuse(l, text)
	case row && l.Text[0] == ' ' && (status == "0" || status[0] >= '4'):
		s.Find(l, result.Finding{Message: brokenLink(link, status, s.Path)})
		return s.Break()
	case linkinatorRow(s, l):
		return s.Break()
	case !row && text != "" && l.Text[0] != ' ':
		s.Path = strings.Clone(text)
		return false
	}
	return row
}

var _ = Room.Add("markdown-link-check", func(p *tool.Parser) {
	p.Is("markdown-link-check", result.Lint, 1, "markdown-link-check 3: default, --quiet")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: linkCheckLine}.Parse})
})

// linkCheckLine reads "FILE: notes.md", a row for each link, and each dead link again with its status:
// "[✖] url → Status: 404". With --quiet the file is named last, in "ERROR: 2 dead links found in notes.md !".
func linkCheckLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	link, dead := strings.CutPrefix(text, "[✖] ")
	url, status, told := strings.Cut(link, " → Status: ")
	path, file := strings.CutPrefix(text, "FILE: ")
	said, failed := strings.CutPrefix(text, "ERROR: ")
	switch {
	case file:
		s.Path = strings.Clone(path)
	case failed && strings.Contains(said, " dead link"):
		s.Claim(lex.LeadingNumber(said))
		s.Sign(l)
		_, path, quiet := strings.Cut(strings.TrimSuffix(said, " !"), " found in ")
		for i := range s.Findings {
			if f := &s.Findings[i]; quiet && f.At == nil {
				f.At = &result.Location{Path: strings.Clone(path)}
			}
		}
	case dead && told:
		f := result.Finding{Message: "dead link " + url + ", status " + status}
		if s.Path != "" {
			f.At = &result.Location{Path: s.Path}
		}
		s.Find(l, f)
		s.Break()
	case failed:
		s.Misuse(l, said)
	default:
		return dead
	}
	return true
}
