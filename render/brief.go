package render

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/result"
)

// maxBrief bounds the text about findings beyond the lines in full, in bytes.
const maxBrief = 2 << 10

// briefly names findings without their messages, the gravest first, so that no file with findings looks clean: a test
// by its name, others by place and rule. n is how many fit in maxBrief bytes.
func (g *grouping) briefly(left []result.Finding) (text string, n int) {
	left = slices.Clone(left)
	slices.SortStableFunc(left, func(a, b result.Finding) int { return cmp.Compare(rank(a), rank(b)) })
	var named []result.Finding
	size, known := 0, map[string]bool{}
	for _, full := range left {
		f, added := inBrief(full), 0
		rest := g.rest(f)
		if f.At == nil && rest == "" {
			continue
		}
		file, text := pathOf(f), pathOf(f)+"\x00"+rest
		at := text + "\x00" + g.place(f, "")
		if !known[file] {
			added += len(file)
		}
		if !known[text] {
			added += len(rest) + len("  : ")
		}
		if !known[at] {
			added += len(g.place(f, "")) + len(", ")
			named = append(named, f)
		}
		if size += added; size > maxBrief {
			return g.blocks(named[:len(named)-1]), n
		}
		known[file], known[text], known[at] = true, true, true
		n++
	}
	return g.blocks(named), n
}

// inBrief is a finding with nothing but its name and its line.
func inBrief(f result.Finding) result.Finding {
	brief := result.Finding{ID: f.ID, Name: f.Name, Select: f.Select, Rule: f.Rule, Severity: result.SevFailure}
	if f.ID != "" {
		brief.Rule = ""
	}
	if f.At != nil {
		brief.At = &result.Location{Path: f.At.Path, Line: f.At.Line}
	}
	return brief
}

// ofThese says how many of all findings follow.
func ofThese(n, all int) string {
	switch n {
	case 0:
		return ""
	case all:
		return ", without messages below"
	}
	return fmt.Sprintf(", %d without messages below", n)
}
