package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("php-cs-fixer | php-cs-fixer.phar", func(p *tool.Parser) {
	p.Is("php-cs-fixer", result.Format, 1, "PHP CS Fixer 3: the list of files; from its documentation")
	p.Exits = map[int]result.Meaning{8: result.MeansFindings, 16: result.MeansUsage, 32: result.MeansUsage, 64: result.MeansInternal}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: fixerLine, End: read.Unseen}.Parse})
})

// fixerLine reads "   1) src/Parcel.php (braces, indentation_type)".
func fixerLine(s *read.Sink, l tool.Line) bool {
	number, rest, ok := strings.Cut(strings.TrimSpace(l.Text), ") ")
	if !ok || !lex.IsDigits(number) {
		return false
	}
	path, fixers, _ := strings.Cut(rest, " (")
	return s.Find(l, result.Finding{Message: strings.TrimSuffix(fixers, ")"), At: &result.Location{Path: path}, Fixable: true})
}
