package rust

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cargo-machete | cargo", func(p *tool.Parser) {
	p.Is("cargo-machete", result.Lint, 1, "cargo-machete 0.7 to 0.9")
	p.Family = "cargo"
	p.Matches = runs("cargo-machete", "machete")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		return read.Text{Line: new(machete).line}.Parse(in)
	}})
})

// machete has the manifest of the rows being read: "name -- ./Cargo.toml:" precedes the names of the dependencies that
// the crate does not use.
type machete struct{ manifest string }

func (m *machete) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if _, manifest, ok := strings.Cut(strings.TrimSuffix(t, ":"), " -- "); ok && strings.HasSuffix(t, "Cargo.toml:") {
		m.manifest = strings.Clone(manifest)
		return true
	}
	if name, ok := strings.CutPrefix(t, "\t"); ok && m.manifest != "" {
		f := result.Finding{Severity: result.SevError, Rule: "unused-dependency", Message: name + " is not used", At: &result.Location{Path: m.manifest}}
		result.SetExtra(&f.Extra, "package", name)
		return s.Find(l, f)
	}
	if strings.HasPrefix(t, "Unrecognized argument: ") {
		return s.Misuse(l, t)
	}
	if said, ok := strings.CutPrefix(t, "Error: "); ok { // the reason is on the next line
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
	}
	if last := s.Last(); last != nil && strings.HasSuffix(last.Message, ":") {
		last.Message += " " + t
		return true
	}
	return strings.HasPrefix(t, "cargo-machete ") || strings.HasPrefix(t, "Analyzing dependencies of crates ") || t == "Done!" || len(s.Findings) > 0 // further lines explain how to ignore a dependency
}
