package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// madge numbers the circles of files that import each other, "1) a.ts > b.ts"; with --json
// each is a list. In any other JSON and list of its files nothing is wrong.
var _ = Room.Add("madge", func(p *tool.Parser) {
	p.Is("madge", result.Lint, 1, "madge 5 to 8: --circular, text and --json")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: madgeLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: read.Items(func(s *read.Sink, files *[]string) {
		if len(*files) > 0 {
			s.FindHere(madgeCircle(*files))
		}
	}, "/*")}.Parse)})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("✖ Error: ", "error: ")})
})

func madgeLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, circle, row := strings.Cut(text, ") ")
	count, ok := strings.CutPrefix(text, "✖ Found ")
	switch {
	case ok && strings.Contains(count, " circular dependenc"):
		s.Claim(lex.LeadingNumber(count))
		return s.Close(l)
	case row && lex.IsDigits(number):
		s.Find(l, madgeCircle(strings.Split(circle, " > ")))
		return s.Break()
	case strings.HasPrefix(text, "✔ No circular dependency found"):
		return s.Close(l)
	}
	return false
}

func madgeCircle(files []string) result.Finding {
	return result.Finding{Rule: "circular", Message: strings.Join(files, " > "), At: &result.Location{Path: files[0]}}
}
