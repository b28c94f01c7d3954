package parsers

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Again returns a function that gives the command that runs only the test of an id; nil if the tool has no way to
// say so. argv or line is the command that ran all tests; its words that start the runner, such as "npx" or "python
// -m", are kept.
func Again(toolName string, argv []string, line string) func(id string) []string {
	none := func(string) []string { return nil }
	return ask(none, func() func(string) []string {
		p := table().Tool(toolName)
		if p == nil {
			return none
		}
		c := table().Command(argv, line)
		own := c.Argv
		if i := slices.IndexFunc(c.Listed, func(l shell.Command) bool { return p.Matches != nil && p.Matches(l.Argv) }); i >= 0 {
			own = c.Listed[i].Argv
		}
		if len(own) == 0 || p.Matches == nil || !p.Matches(own) {
			return none
		}
		begin := own[:1]
		if words := append(slices.Clone(argv), plainWords(line)...); len(words) > 0 {
			if i := slices.IndexFunc(words, func(a string) bool { return path.Base(a) == own[0] }); i >= 0 {
				begin = fromStart(words[:i+1])
			}
		}
		return func(id string) []string {
			words := ask(nil, func() []string { return filtered(p, own, id) })
			if words == nil {
				return nil
			}
			return slices.Concat(begin, words[1:])
		}
	})
}

// plainWords splits a line in which nothing is quoted or expanded; nil for other lines.
func plainWords(line string) []string {
	if strings.ContainsAny(line, "'\"`$\\(){}<>\n") {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(line, ";", " ; "))
}

// fromStart removes the commands before the last one, and its assignments: "cd api && CI=1 npx mocha" gives "npx
// mocha".
func fromStart(words []string) []string {
	for i := len(words) - 2; i >= 0; i-- {
		if strings.Trim(words[i], "&|;") == "" || !strings.HasPrefix(words[i], "-") && strings.Contains(words[i], "=") {
			return words[i+1:]
		}
	}
	return words
}

// filtered is the command that ran all tests with the tool's filter appended, or the command that Filter.Again
// returns.
func filtered(p *tool.Parser, own []string, id string) []string {
	if p.Filter.Again != nil {
		return p.Filter.Again(id, own)
	}
	if p.Filter.Flag == "" {
		return nil
	}
	spelled := id
	if p.Filter.Spell != nil {
		_, name, _ := strings.Cut(id, "::")
		spelled = cmp.Or(p.Filter.Spell(&result.Finding{ID: id, Name: cmp.Or(name, id)}), id)
	}
	if strings.HasSuffix(p.Filter.Flag, "=") {
		return append(slices.Clone(own), p.Filter.Flag+spelled)
	}
	return append(slices.Clone(own), p.Filter.Flag, spelled)
}
