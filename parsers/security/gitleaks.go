package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// gitleaks prints the secrets that it finds. They are never part of a finding: the
// rule and the place say it all.
var _ = Room.Add(&tool.Parser{
	Tool: "gitleaks", Kind: result.Security, Version: 1, ColumnUnit: "byte",
	About:   "gitleaks 8: git, dir, detect, protect; -v, csv, json, sarif",
	Matches: tool.Runs("gitleaks"), Programs: []string{"gitleaks"},
	Exits: map[int]result.Meaning{126: result.MeansUsage},
	Formats: []tool.Format{
		{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(func(s *read.Sink, v *struct {
			RuleID, File, Commit   string
			StartLine, StartColumn int
		}) {
			s.FindHere(leak(v.RuleID, v.Commit, result.Location{Path: v.File, Line: v.StartLine, Column: v.StartColumn}))
		})}}.Parse},
		{Name: "sarif", Parse: read.SARIF(func(f *result.Finding) { f.Message, f.Severity = f.Rule, result.SevError })},
		{Name: "text", Parse: func(in *tool.Input) *tool.Report { return read.Text{Line: new(leaks).line}.Parse(in) }},
	},
})

func leak(rule, commit string, at result.Location) result.Finding {
	f := result.Finding{Rule: rule, Message: rule, At: &at}
	if commit != "" {
		f.Extra = map[string]any{"commit": commit}
	}
	return f
}

// leaks reads a block a finding, a line of its log, or a row of CSV, of which the
// end is enough:
//
//	Finding:     token = "…"
//	RuleID:      github-pat
//	File:        src/conf.py
//	Line:        2
//	Fingerprint: 086c6f0…:src/conf.py:github-pat:2
//
//	1:35PM FTL stat nothere: no such file or directory
//	github-pat,…,src/conf.py:github-pat:2,
type leaks struct {
	first tool.Line
	open  bool
	csv   bool
	other bool // a document in another format stands there
}

func (p *leaks) line(s *read.Sink, l tool.Line) bool {
	label, value, _ := strings.Cut(l.Text, ":")
	p.other = p.other || strings.HasPrefix(l.Text, "[") || strings.HasPrefix(l.Text, "{") || strings.HasPrefix(l.Text, "<?xml")
	value = strings.TrimSpace(value)
	switch {
	case strings.HasPrefix(l.Text, "RuleID,Commit,File,"):
		p.csv = true
		s.Sign(l)
	case p.csv && p.row(s, l):
	case label == "Finding" && strings.HasPrefix(l.Text, "Finding:     "):
		p.first, p.open = l, true
		s.Cover(l)
	case p.open && label == "Fingerprint":
		p.open = false
		if f, ok := cutLeak(value); ok {
			s.Find(l, f)
			s.Last().RawSpan.Start = p.first.Start
			s.Break()
		}
	case p.open:
		s.Cover(l)
	default:
		return p.log(s, l)
	}
	return true
}

// row takes the end of a row: Fingerprint, Tags.
func (p *leaks) row(s *read.Sink, l tool.Line) bool {
	fields := strings.Split(l.Text, ",")
	if len(fields) < 3 {
		return p.log(s, l)
	}
	f, ok := cutLeak(fields[len(fields)-2])
	if ok {
		s.Find(l, f)
		s.Break()
	}
	return ok || p.log(s, l)
}

// cutLeak reads "file:rule:line", with a commit before it where history was read.
func cutLeak(print string) (f result.Finding, ok bool) {
	parts := strings.Split(print, ":")
	n := len(parts)
	if n < 3 || !lex.IsDigits(parts[n-1]) || len(parts[n-1]) > 8 {
		return f, false
	}
	commit := ""
	if n > 3 && len(parts[0]) == 40 {
		commit, parts = parts[0], parts[1:]
		n--
	}
	return leak(parts[n-2], commit, result.Location{Path: strings.Join(parts[:n-2], ":"), Line: lex.Atoi(parts[n-1])}), true
}

// log reads "1:35PM WRN leaks found: 3", and what it could not do.
func (p *leaks) log(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Meaning = result.MeansUsage
		return true
	}
	clock, rest, _ := strings.Cut(l.Text, " ")
	level, message, ok := strings.Cut(rest, " ")
	if !ok || len(level) != 3 || !strings.HasSuffix(clock, "AM") && !strings.HasSuffix(clock, "PM") {
		return false
	}
	number, found := strings.CutPrefix(message, "leaks found: ")
	switch {
	case found && !p.other && len(s.Findings) == 0: // without -v that is all it says
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Break()
	case found && lex.IsDigits(number) && len(number) < 8:
		s.Claim(lex.Atoi(number))
		s.Sign(l)
	case level == "FTL", level == "ERR" && !strings.HasPrefix(message, "error="):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		if level == "FTL" {
			s.Meaning = result.MeansUsage
		}
		s.Break()
	default:
		s.Sign(l)
	}
	return true
}
