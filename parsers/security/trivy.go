package security

import (
	"cmp"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The formats of trivy and grype are taken from their documentation, and were not tested with recorded runs. So
// their reports with findings are marked as doubtful: see read.Unseen.

var _ = Room.Add("trivy", func(p *tool.Parser) {
	p.Is("trivy", result.Security, 1, "Trivy 0.4x to 0.7x: --format json and sarif; from its documentation")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(trivyResult, "/Results/*"), End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "log", Parse: read.Text{Line: scannerLog, End: read.Unseen}.Parse})
})

func advisory(id, severity, title, name, version, fixed, path string) result.Finding {
	f := result.Finding{Kind: result.Vulnerability, Rule: id, RawSeverity: severity, Severity: scannerSeverity(severity), Message: title,
		Package: &result.PackageRef{Name: name, Version: version, FixedVersion: fixed}}
	f.Message = cmp.Or(f.Message, id)
	f.Message = name + " " + version + ": " + f.Message
	if path != "" {
		f.At = &result.Location{Path: path}
	}
	return f
}

func scannerSeverity(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "error: CRITICAL, HIGH, Critical, High; warning: MEDIUM, Medium, UNKNOWN, Unknown")), result.SevInfo)
}

func trivyResult(s *read.Sink, v *struct {
	Target          string
	Vulnerabilities []struct {
		VulnerabilityID, PkgName, InstalledVersion, FixedVersion, Severity, Title string
	}
	Misconfigurations []struct {
		ID, Title, Message, Severity string
		CauseMetadata                struct{ StartLine int }
	}
	Secrets []struct {
		RuleID, Severity, Title string
		StartLine               int
	}
}) {
	for _, w := range v.Vulnerabilities {
		s.FindHere(advisory(w.VulnerabilityID, w.Severity, w.Title, w.PkgName, w.InstalledVersion, w.FixedVersion, v.Target))
	}
	for _, m := range v.Misconfigurations {
		s.FindHere(result.Finding{Severity: scannerSeverity(m.Severity), RawSeverity: m.Severity, Rule: m.ID, Message: m.Message,
			At: &result.Location{Path: v.Target, Line: m.CauseMetadata.StartLine}})
	}
	for _, c := range v.Secrets {
		s.FindHere(result.Finding{Kind: result.Vulnerability, Severity: scannerSeverity(c.Severity), RawSeverity: c.Severity, Rule: c.RuleID, Message: c.Title,
			At: &result.Location{Path: v.Target, Line: c.StartLine}})
	}
}
