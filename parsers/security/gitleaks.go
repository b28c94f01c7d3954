package security

import (
	"encoding/csv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gitleaks", func(p *tool.Parser) {
	p.Is("gitleaks", result.Security, 1, "gitleaks 8: its log and -v, json, csv, sarif; the secrets themselves are never repeated")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{126: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(gitleaksItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(func(f *result.Finding) { *f = gitleak(f.Rule, f.At) })})
	p.Reads(tool.Format{Name: "csv", Starts: []string{"RuleID,Commit,File,SymlinkFile,Secret,Match,"}, Parse: parseGitleaksCSV})
	p.Reads(tool.Format{Name: "text", Starts: []string{"RuleID:      "}, Named: true, Parse: read.Fresh(func(g *gitleaks) read.Text { return read.Text{Line: g.line, End: g.end} })})
})

// gitleak returns a finding, which never contains the secret itself.
func gitleak(rule string, at *result.Location) result.Finding {
	return result.Finding{Kind: result.Vulnerability, Rule: rule, Message: "Secret", At: at}
}

func gitleaksItem(s *read.Sink, v *struct {
	RuleID, File, Commit string
	StartLine            int
}) {
	f := gitleak(v.RuleID, &result.Location{Path: v.File, Line: v.StartLine})
	if v.Commit != "" {
		result.SetExtra(&f.Extra, "commit", v.Commit)
	}
	s.FindHere(f)
}

// parseGitleaksCSV reads the CSV as a whole, since secrets may contain line breaks.
func parseGitleaksCSV(in *tool.Input) *tool.Report {
	var text strings.Builder
	first := tool.Line{}
	rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if strings.HasPrefix(l.Text, "RuleID,Commit,") {
			first = l
		}
		if first.End == 0 || l.Stream != first.Stream {
			return false
		}
		if text.Len() < 1<<20 {
			text.WriteString(l.Text + "\n")
		}
		return true
	}, End: func(s *read.Sink) {
		rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		if err != nil {
			s.Doubt = "the table is not whole"
		}
		for i, row := range rows {
			if i > 0 && len(row) > 6 {
				s.Find(first, gitleak(row[0], &result.Location{Path: row[2], Line: lex.LeadingNumber(row[6])}))
			}
		}
	}}.Parse(in)
	return rep
}

// gitleaks reads the blocks of -v and the log on the error stream:
//
//	Finding:     token = "…"
//	RuleID:      github-pat
//	File:        src/conf.py
//	Line:        2
//
//	1:35PM WRN leaks found: 3
type gitleaks struct {
	claimed tool.Line
	n       int
}

func (g *gitleaks) line(s *read.Sink, l tool.Line) bool {
	name, value, _ := strings.Cut(l.Text, ":")
	value = strings.TrimSpace(value)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "Finding:  "):
		s.Find(l, gitleak("", nil))
	case f != nil && f.At != nil && f.At.Line > 0 && name == "Commit":
		result.SetExtra(&f.Extra, "commit", value)
	case f != nil && f.At == nil && name == "RuleID":
		f.Rule = value
	case f != nil && f.Rule != "" && name == "File":
		f.At = &result.Location{Path: value}
	case f != nil && f.At != nil && name == "Line":
		f.At.Line = lex.LeadingNumber(value)
		f.RawSpan.End = max(f.RawSpan.End, l.End)
	case name == "Error" && strings.HasPrefix(value, "unknown "):
		s.Misuse(l, value)
	case name == "Secret", name == "Entropy", name == "Author", name == "Email", name == "Date", name == "Fingerprint", name == "Link", name == "Tags":
	default:
		return g.log(s, l)
	}
	return true
}

// log reads "1:35PM WRN leaks found: 3" and "1:35PM FTL stat nothere: no such file".
func (g *gitleaks) log(s *read.Sink, l tool.Line) bool {
	at, rest, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
	level, message, ok := strings.Cut(rest, " ")
	switch {
	case !ok || at == "" || !lex.IsDigits(at[:1]):
		return strings.Trim(l.Text, " ○│╲░") == "gitleaks" || l.Text != "" && strings.Trim(l.Text, " ○│╲░") == ""
	case strings.HasPrefix(message, `error="`): // the cause of the previous line
	case level == "FTL" || level == "ERR":
		s.Misuse(l, message)
	case strings.HasPrefix(message, "leaks found: "):
		g.claimed, g.n = l, lex.LeadingNumber(message[len("leaks found: "):])
		s.Found(l, g.n)
	case message == "no leaks found":
		s.Found(l, 0)
	}
	return true
}

// end adds a finding with the number of leaks if, without -v, the output does not list them.
func (g *gitleaks) end(s *read.Sink) {
	if g.n > 0 && s.Failures() == 0 {
		s.Find(g.claimed, result.Finding{Kind: result.Vulnerability, Message: strings.TrimSpace(g.claimed.Text[strings.Index(g.claimed.Text, "leaks found"):])})
		s.Claimed = -1
	}
}
