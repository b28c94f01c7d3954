package security

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("grype", func(p *tool.Parser) {
	p.Is("grype", result.Security, 1, "Grype 0.6x to 0.10x: -o json and sarif; from its documentation")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(grypeMatch, "/matches/*"), End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "log", Parse: read.Text{Line: scannerLog, End: read.Unseen}.Parse})
})

func grypeMatch(s *read.Sink, v *struct {
	Vulnerability struct {
		ID, Severity, Description string
		Fix                       struct{ Versions []string }
	}
	Artifact struct {
		Name, Version string
		Locations     []struct{ Path string }
	}
}) {
	fixed, path := "", ""
	if len(v.Vulnerability.Fix.Versions) > 0 {
		fixed = v.Vulnerability.Fix.Versions[0]
	}
	if len(v.Artifact.Locations) > 0 {
		path = v.Artifact.Locations[0].Path
	}
	s.FindHere(advisory(v.Vulnerability.ID, v.Vulnerability.Severity, v.Vulnerability.Description, v.Artifact.Name, v.Artifact.Version, fixed, path))
}
