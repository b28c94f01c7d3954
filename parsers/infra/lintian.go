package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lintian", func(p *tool.Parser) {
	p.Is("lintian", result.Lint, 1, "lintian 2.x: tags by package, with --info folded")
	p.RuleURL = tool.RulesAt("https://lintian.debian.org/tags/")
	p.Exits = map[int]result.Meaning{25: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Usage: []string{"Unknown option: "}, Notes: []string{"error parsing options"}, Other: lintianLine,
	}.Parse)})
})

// lintianLine reads "E: hello source: tag more [debian/control:3]". A path inside a built package is no file in the
// repository, and stays in the message.
func lintianLine(s *read.Sink, l tool.Line) bool {
	letter, rest, ok := strings.Cut(l.Text, ": ")
	name, text, told := strings.Cut(rest, ": ")
	if !ok || !told || letterSeverity(letter) == "" || strings.Count(name, " ") > 1 {
		if strings.HasSuffix(l.Text, " is not a readable file") {
			return s.Misuse(l, l.Text)
		}
		return strings.HasPrefix(l.Text, "N:")
	}
	rule, _, _ := strings.Cut(text, " ")
	f := result.Finding{Severity: letterSeverity(letter), RawSeverity: letter, Rule: rule, ID: name, Message: text}
	if i := strings.LastIndex(text, " [debian/"); i > 0 && strings.HasSuffix(text, "]") {
		where := text[i+2 : len(text)-1]
		f.At, f.Message = &result.Location{Path: where}, text[:i]
		if path, line, placed := place.CutLineNumber(where); placed {
			f.At = &result.Location{Path: path, Line: line}
		}
	}
	return s.Find(l, f)
}

// letterSeverity returns the severity of a letter that linters of packages print, E, W, I, P or X; "" for another.
func letterSeverity(letter string) result.Severity {
	return result.Severity(lex.Means(letter, "error: E; warning: W; info: I, P, X"))
}
