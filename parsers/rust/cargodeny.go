package rust

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cargo-deny cargo", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cargo-deny", Family: "cargo", Kind: result.Security, Version: 1,
		About: "cargo-deny 0.14 to 0.18 with --format json",
		Matches: func(argv []string) bool {
			return argv[0] == "cargo-deny" || tool.RunsSub("cargo", "deny")(argv)
		},
		Programs: []string{"cargo-deny"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: read.Items(denyItem, "")}.Parse},
		},
	}
})

// denyItem is a line of the log: a diagnostic on crates, of which the first is
// the one that is meant; the others are further versions of it.
func denyItem(s *read.Sink, v *struct {
	Type   string
	Fields struct {
		Code, Message, Severity string
		Graphs                  []struct {
			Krate struct{ Name, Version string }
		}
		Advisory struct{ ID, Package, URL string }
	}
}) {
	d := v.Fields
	if v.Type != "diagnostic" || d.Message == "" {
		return
	}
	f := result.Finding{Severity: read.SeverityOf(d.Severity), RawSeverity: d.Severity, Rule: d.Code, Message: d.Message}
	if len(d.Graphs) > 0 && d.Graphs[0].Krate.Name != "" {
		f.Package = &result.PackageRef{Ecosystem: "crates.io", Name: d.Graphs[0].Krate.Name, Version: d.Graphs[0].Krate.Version}
		if !strings.Contains(f.Message, f.Package.Name) {
			f.Message += ": " + f.Package.Name + " " + f.Package.Version
		}
	}
	if id := d.Advisory.ID; strings.HasPrefix(id, "RUSTSEC-") {
		f.Kind, f.ID, f.RuleURL = result.Vulnerability, id, "https://rustsec.org/advisories/"+id
	}
	s.FindHere(f)
}
