package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// reuse checks that each file has a licence:
//
//	# MISSING COPYRIGHT AND LICENSING INFORMATION
//
//	The following files have no copyright and licensing information:
//	* app.py
//
// With --lines it prints "app.py: no license identifier".
var _ = Room.Add("reuse", func(p *tool.Parser) {
	p.Is("reuse", result.Lint, 1, "reuse 1 to 6: lint as text, --lines, --json; lint-file")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(reuseJSON, "/non_compliant")}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"# MISSING COPYRIGHT AND LICENSING INFORMATION"}, Named: true, Parse: parseReuse})
	read.InPython(p)
})

func reuseFinding(path, message string) result.Finding {
	return result.Finding{Message: message, At: &result.Location{Path: path}}
}

const noCopyright, noLicence = "no copyright notice", "no license identifier"

// reuseJSON reads the lists of files. Missing licence texts are read from the text format only.
func reuseJSON(s *read.Sink, v *struct {
	Copyright []string `json:"missing_copyright_info"`
	Licence   []string `json:"missing_licensing_info"`
	Read      []string `json:"read_errors"`
}) {
	for _, path := range v.Licence {
		s.FindHere(reuseFinding(path, noLicence))
	}
	for _, path := range v.Copyright {
		s.FindHere(reuseFinding(path, noCopyright))
	}
	for _, path := range v.Read {
		s.FindHere(reuseFinding(path, "read error"))
	}
	s.Signed = true
}

func parseReuse(in *tool.Input) *tool.Report {
	section, below := "", ""
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		path, message, ok := strings.Cut(l.Text, ": ")
		row, listed := strings.CutPrefix(l.Text, "* ")
		switch {
		case strings.HasPrefix(l.Text, "# ") && l.Text == strings.ToUpper(l.Text):
			section, below = strings.Clone(l.Text[2:]), ""
			s.Sign(l)
		case section == "SUMMARY", section == "RECOMMENDATIONS":
		case strings.HasPrefix(l.Text, "The following ") && strings.HasSuffix(l.Text, ":"):
			below = reuseSection(l.Text)
		case strings.HasPrefix(l.Text, "'") && strings.HasSuffix(l.Text, "found in:"):
			below = strings.ToLower(section) + " " + strings.Trim(strings.TrimSuffix(l.Text, "found in:"), "' ")
		case listed && section != "":
			below = cmp.Or(below, strings.ToLower(section))
			s.Find(l, reuseFinding(row, below))
		case ok && section == "" && isReuseMessage(message):
			s.Find(l, reuseFinding(path, message))
		default:
			return false
		}
		return true
	}}.Parse(in)
}

func reuseSection(head string) string {
	switch {
	case strings.Contains(head, "copyright and licensing"):
		return "no copyright and licensing information"
	case strings.Contains(head, "no copyright"):
		return noCopyright
	case strings.Contains(head, "no licens"):
		return noLicence
	}
	return strings.TrimSuffix(strings.TrimPrefix(head, "The following "), ":")
}

func isReuseMessage(message string) bool {
	return lex.HasAnyPrefix(message, noCopyright, noLicence, "bad license ", "missing license ", "unused license", "deprecated license", "read error", "invalid SPDX", "license without ")
}

// detect-secrets-hook prints the kind of a secret, and its place on the next line.
var _ = Room.Add("detect-secrets-hook detect-secrets", func(p *tool.Parser) {
	p.Is("detect-secrets", result.Security, 1, "detect-secrets 1: detect-secrets-hook")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Secret Type: "}, Parse: read.Rows{Rows: []read.Row{
		{Form: "Secret Type: {message}"},
		{Form: "Location:    {path}:{line}", As: read.Fill},
		{Form: "ERROR: Potential secrets about to be committed{}", As: read.Skip},
		{Form: "Possible mitigations:", As: read.Skip},
		{Form: "  - {}", As: read.Skip},
		{Form: "    #security{}", As: read.Skip},
		{Form: "If a secret has already been committed, visit", As: read.Skip},
		{Form: "https://help.github.com/articles/removing-{}", As: read.Skip},
	}}.Parse})
	p.Reads(read.PythonTrouble("detect-secrets-hook", "detect-secrets"))
})

var _ = Room.Add("yamllint", func(p *tool.Parser) {
	p.Is("yamllint", result.Lint, 1, "yamllint 1.26 to 1.37: standard, colored, parsable, github")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{-1: result.MeansUsage, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "parsable", Parse: read.Linter{Rule: read.Parens, Accept: func(d *read.Diagnostic) bool { return d.Word != "" && d.Rule != "" }}.Parse})
	p.Reads(tool.Format{Name: "standard", Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens, Ruled: true}, Usage: []string{"invalid config: ", "[Errno "}}.Parse})
	p.Reads(tool.Format{Name: "github", Parse: read.WorkflowCommands(yamllintCommand)})
	p.Reads(read.PythonTrouble("yamllint"))
})

// yamllintCommand splits rule and message in "::error file=a.yml,line=5,col=22::5:22 [commas] text".
func yamllintCommand(f *result.Finding) bool {
	_, text, has := strings.Cut(f.Message, " [")
	if _, syntax, cut := strings.Cut(f.Message, " syntax error: "); cut {
		f.Rule, f.Message = "syntax", "syntax error: "+strings.TrimSuffix(syntax, " (syntax)")
		return true
	}
	f.Rule, f.Message, _ = strings.Cut(text, "] ")
	return has && f.Message != ""
}
