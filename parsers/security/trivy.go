package security

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("trivy", func(p *tool.Parser) {
	p.Is("trivy", result.Security, 1, "Trivy 0.4x to 0.7x: table, json and sarif")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(trivyResult, "/Results/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "table", Starts: []string{"Tests: … (SUCCESSES: ", "See https://avd.aquasec.com/", "Total: … (UNKNOWN: ", "Total: … (HIGH: "}, Named: true, Parse: read.Lines((*trivyTable).line)})
	p.Reads(tool.Format{Name: "log", Parse: read.Text{Line: scannerLog, End: read.Unseen}.Parse})
})

// trivyTable reads the targets, each with a rule of "=" below it, and their boxes of misconfigurations and secrets, and
// the tables of vulnerabilities, in which an empty cell is as the one above:
//
//	DS-0001 (MEDIUM): Specify a tag in the 'FROM' statement for image 'debian'
//	 Dockerfile:1
//	CRITICAL: AWS (aws-access-key-id)
//	 app.env:1 (offset: 18 bytes)
//	│ lodash │ CVE-2019-10744 │ CRITICAL │ fixed │ 4.17.4 │ 4.17.12 │ prototype pollution │
type trivyTable struct {
	above string
	cells []string
}

func (t *trivyTable) line(s *read.Sink, l tool.Line) bool {
	text, above := l.Text, t.above
	t.above = strings.Clone(text)
	rule, rest, _ := strings.Cut(text, " (")
	severity, title, boxed := strings.Cut(rest, "): ")
	word, secret, _ := strings.Cut(text, ": ")
	name, id, isSecret := lex.CutLast(strings.TrimSuffix(secret, ")"), " (")
	at, _, placed := place.CutPlace(strings.TrimSpace(rule))
	if from, _, ranged := lex.CutLast(rule, "-"); ranged && !placed { // "web.yaml:15-18"
		at, _, placed = place.CutPlace(strings.TrimSpace(from))
	}
	const words = "UNKNOWN LOW MEDIUM HIGH CRITICAL"
	switch {
	case strings.HasPrefix(text, "===") && strings.Trim(text, "=") == "" && strings.HasSuffix(above, ")"):
		s.Path, _, _ = lex.CutLast(above, " (")
		return s.Break()
	case boxed && lex.IsOneOf(severity, words) && !strings.Contains(rule, " "):
		return s.Find(l, result.Finding{Rule: rule, RawSeverity: severity, Severity: scannerSeverity(severity), Message: title, At: &result.Location{Path: s.Path}})
	case isSecret && lex.IsOneOf(word, words):
		return s.Find(l, result.Finding{Kind: result.Vulnerability, Rule: id, RawSeverity: word, Severity: scannerSeverity(word), Message: name, At: &result.Location{Path: s.Path}})
	case strings.HasPrefix(text, "Failures: "), strings.HasPrefix(text, "Total: "):
		s.Problems(lex.LeadingNumber(text[strings.IndexByte(text, ' ')+1:]))
		return s.Break() && s.Sign(l)
	case strings.HasPrefix(text, "│"):
		return strings.Contains(text, "├") || t.row(s, l)
	case s.Last() == nil:
		return strings.HasPrefix(text, "Tests: ")
	case strings.HasPrefix(above, "══") && s.Last().Kind == result.Vulnerability && text != "":
		s.Last().Message = t.above
	case placed && text[0] == ' ' && s.Last().At.Line == 0:
		s.Last().At = &at
	case text == "" && strings.HasPrefix(above, "──"):
		return s.Break()
	}
	return s.More(l)
}

func (t *trivyTable) row(s *read.Sink, l tool.Line) bool {
	cells := strings.Split(strings.Trim(l.Text, "│"), "│")
	for i := range cells {
		if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" && len(t.cells) == len(cells) && i != 1 && i < len(cells)-2 {
			cells[i] = t.cells[i]
		}
	}
	if t.cells = cells; len(cells) < 6 || !strings.Contains(cells[1], "-") {
		return true
	}
	n := len(cells)
	return s.Find(l, advisory(cells[1], cells[2], cells[n-1], cells[0], cells[n-3], cells[n-2], s.Path))
}

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
