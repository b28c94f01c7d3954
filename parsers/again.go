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

// Again gives the command that runs one test of a run, by its id, and no other; nil where the
// tool has no way to say it. argv or line is the command that ran all of them: what starts
// the runner there, as "npx" or "python -m", starts it here.
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

// plainWords are the words of a line in which nothing is quoted or expanded.
func plainWords(line string) []string {
	if strings.ContainsAny(line, "'\"`$\\(){}<>\n") {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(line, ";", " ; "))
}

// fromStart cuts off the commands before the last one, and what that sets for itself: "cd api && CI=1 npx mocha".
func fromStart(words []string) []string {
	for i := len(words) - 2; i >= 0; i-- {
		if strings.Trim(words[i], "&|;") == "" || !strings.HasPrefix(words[i], "-") && strings.Contains(words[i], "=") {
			return words[i+1:]
		}
	}
	return words
}

// filtered is the command that ran all tests, with the tool's filter behind it, or what the
// tool says in its place.
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
