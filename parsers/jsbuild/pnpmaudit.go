package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pnpmAudit reads a table for each advisory, and the counts below them:
//
//	┌─────────────────────┬───────────────────────────────────────────────────┐
//	│ high                │ Command Injection in lodash                       │
//	├─────────────────────┼───────────────────────────────────────────────────┤
//	│ Package             │ lodash                                            │
//	│ Patched versions    │ >=4.17.21                                         │
//	│ More info           │ https://github.com/advisories/GHSA-35jh-r3h4-6jhm │
//	└─────────────────────┴───────────────────────────────────────────────────┘
//	1 vulnerabilities found
//
// A cell that is too narrow goes on in the next line, beside an empty one.
type pnpmAudit struct {
	level, key string
	cells      map[string]string
	top        tool.Line
}

func parsePnpmAudit(in *tool.Input) *tool.Report {
	return read.Text{Line: new(pnpmAudit).line}.Parse(in)
}

func (p *pnpmAudit) line(s *read.Sink, l tool.Line) bool {
	n, rest, _ := strings.Cut(l.Text, " ")
	row := strings.Split(l.Text, "│")
	switch {
	case strings.HasPrefix(l.Text, "┌─"):
		p.level, p.key, p.cells, p.top = "", "", map[string]string{}, l
		return false // it is of an advisory if the row below it is
	case strings.HasPrefix(l.Text, "└─"):
		if p.level != "" && s.Open() {
			s.More(l)
		}
		s.Break()
		p.cells = nil
	case p.cells != nil && len(row) == 4:
		return p.row(s, l, strings.TrimSpace(row[1]), strings.TrimSpace(row[2]))
	case strings.HasPrefix(l.Text, "├─") && s.Open():
		s.More(l)
	case lex.IsDigits(n) && len(n) < 8 && rest == "vulnerabilities found":
		if !slices.ContainsFunc(s.In.Argv, func(a string) bool { return strings.HasPrefix(a, "--audit-level") }) { // the lower ones are counted, and not shown
			s.Claim(lex.Atoi(n))
			s.Count("vulnerabilities", lex.Atoi(n))
		}
		s.Close(l)
	case strings.HasPrefix(l.Text, "Severity: ") && s.Closed():
		s.Cover(l)
	case l.Text == "No known vulnerabilities found":
		s.Close(l)
	default:
		return false
	}
	return true
}

func (p *pnpmAudit) row(s *read.Sink, l tool.Line, key, value string) bool {
	switch {
	case p.level == "" && lex.IsOneOf(key, "critical high moderate low info"):
		p.level = key
		s.Cover(p.top)
		s.Find(l, result.Finding{Kind: result.Vulnerability, Message: value})
	case p.level == "":
		return false
	default:
		s.More(l)
	}
	if key != "" {
		p.key = key
		p.cells[key] = value
	} else if p.cells[p.key] += value; p.key != "More info" && value != "" {
		p.cells[p.key] = strings.TrimSpace(strings.TrimSuffix(p.cells[p.key], value) + " " + value)
	}
	if f := s.Last(); f != nil {
		span, detail := f.RawSpan, f.Detail
		*f = advisory(p.cells["Package"], p.cells["Vulnerable versions"], p.level, p.cells[p.level], p.cells["More info"])
		f.Package.FixedVersion = p.cells["Patched versions"]
		f.RawSpan, f.Detail = span, detail
	}
	return true
}

// pnpmAdvisories are those of pnpm audit --json, by number.
func pnpmAdvisories(s *read.Sink, all *map[string]struct {
	Title, Severity, URL string
	Module               string `json:"module_name"`
	Vulnerable           string `json:"vulnerable_versions"`
	Patched              string `json:"patched_versions"`
}) {
	var found []result.Finding
	for _, v := range *all {
		f := advisory(v.Module, v.Vulnerable, v.Severity, v.Title, v.URL)
		f.Package.FixedVersion = v.Patched
		found = append(found, f)
	}
	findSorted(s, found)
	s.Counts["vulnerabilities"] = len(*all)
}
