package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
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
		s.Claim(read.Counts(said)["problems"])
		return s.Close(l)
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
