package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pip-audit", func(p *tool.Parser) {
	p.Is("pip-audit", result.Security, 1, "pip-audit 2: columns, markdown and json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(auditedPackage, "/dependencies/*")}.Parse})
	p.Reads(tool.Format{Name: "columns", Parse: read.Text{Line: pipAuditLine}.Parse})
	p.Reads(read.PythonTrouble("pip-audit"))
})

// auditedPackage reads a package of the JSON: its vulnerabilities, or why it was skipped.
func auditedPackage(s *read.Sink, v *struct {
	Name, Version string
	Skipped       string `json:"skip_reason"`
	Vulns         []struct {
		ID    string
		Fixed []string `json:"fix_versions"`
	}
}) {
	if s.Signed = true; v.Skipped != "" {
		s.FindHere(result.Finding{Severity: result.SevWarning, Message: v.Skipped, Package: &result.PackageRef{Ecosystem: "pypi", Name: v.Name}})
	}
	for _, vuln := range v.Vulns {
		s.FindHere(vulnerable(v.Name, v.Version, vuln.ID, strings.Join(vuln.Fixed, ",")))
	}
}

func vulnerable(name, version, id, fixed string) result.Finding {
	message := name + " " + version + " is vulnerable"
	if fixed != "" {
		message += "; fixed in " + fixed
	}
	return result.Finding{Severity: result.SevError, Rule: id, Message: message, Package: &result.PackageRef{Ecosystem: "pypi", Name: name, Version: version, FixedVersion: fixed}}
}

// pipAuditLine reads a row of "Name Version ID Fix Versions", and errors.
func pipAuditLine(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "ERROR:pip_audit"); ok {
		_, why, _ = strings.Cut(why, ":")
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
	}
	l.Text = strings.ReplaceAll(l.Text, " | ", "  ") // the table of -f markdown
	words := strings.Fields(l.Text)
	if strings.HasPrefix(l.Text, "No known vulnerabilities found") || strings.HasPrefix(l.Text, "Found ") && strings.Contains(l.Text, " known vulnerabilit") || strings.HasPrefix(l.Text, "Name ") {
		return s.Sign(l)
	}
	if len(words) > 2 && strings.Contains(l.Text, " could not be audited: ") {
		why := strings.TrimSpace(strings.TrimPrefix(l.Text, words[0]))
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: why, Package: &result.PackageRef{Ecosystem: "pypi", Name: words[0]}})
	}
	if len(words) < 3 || !isAdvisory(words[2]) {
		return false
	}
	fixed := ""
	if len(words) > 3 {
		fixed = words[3]
	}
	return s.Find(l, vulnerable(words[0], words[1], words[2], fixed))
}

// isAdvisory reports whether id is of an advisory: "PYSEC-2021-98", "GHSA-xxxx-…", "CVE-2020-1".
func isAdvisory(id string) bool { return lex.HasAnyPrefix(id, "PYSEC-", "GHSA-", "CVE-", "OSV-") }
