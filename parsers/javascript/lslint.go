package javascript

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ls-lint | ls_lint", func(p *tool.Parser) {
	p.Is("ls-lint", result.Lint, 1, "ls-lint 1.10 to 2: text, json")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: lsLintLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: map[string]func(*read.Sink, []byte) error{"": read.Item(lsLintPaths)}}.Parse)})
})

// lsLintLine reads "src/BadName.js failed for `.js` rules: kebabcase", before which older versions print the date and
// time.
func lsLintLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if len(text) > 20 && text[4] == '/' && text[19] == ' ' {
		text = text[20:]
	}
	path, rest, ok := strings.Cut(text, " failed for ")
	_, rules, told := strings.Cut(rest, "rules: ")
	switch {
	case ok && told:
		return s.Find(l, result.Finding{Rule: rules, Message: "failed for " + rest, At: &result.Location{Path: path}})
	case strings.HasPrefix(text, "open ") && strings.HasSuffix(text, ": no such file or directory"):
		return s.Misuse(l, text)
	}
	return false
}

// lsLintPaths reads the rules that each path breaks, by file ending: {"src/BadName.js": {".js": ["kebabcase"]}}.
func lsLintPaths(s *read.Sink, paths *map[string]map[string][]string) {
	for _, path := range slices.Sorted(maps.Keys(*paths)) {
		for _, ending := range slices.Sorted(maps.Keys((*paths)[path])) {
			rules := strings.Join((*paths)[path][ending], " | ")
			s.FindHere(result.Finding{Rule: rules, Message: "failed for `" + ending + "` rules: " + rules, At: &result.Location{Path: path}})
		}
	}
}
