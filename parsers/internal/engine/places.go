package engine

import (
	"slices"

	"cairn/parsers/internal/reports"
	"cairn/parsers/tool"
)

// PlacesSeen returns where reports may be, judged by the output, if the command line does not say. Call it after
// Scan.
func (s *Session) PlacesSeen() []reports.Place {
	var lines []string
	for _, l := range s.reducer.all() {
		lines = append(lines, l.text)
	}
	all := s.table.Files().PlacesSeen(s.recognised, lines)
	for _, dir := range s.dirs.All() {
		for _, p := range reports.Shared() {
			p.Dir = dir
			all = append(all, p)
		}
	}
	return all
}

// recognised reports whether the output has lines of the parser's tool, or of another tool of its family.
func (s *Session) recognised(p *tool.Parser) bool {
	return slices.ContainsFunc(s.claims, func(m *claim) bool {
		return m.report != nil && (m.parser.Tool == p.Tool || p.Family != "" && m.parser.Family == p.Family)
	})
}
