package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// reuse looks for the licence of each file:
//
//	# MISSING COPYRIGHT AND LICENSING INFORMATION
//
//	The following files have no copyright and licensing information:
//	* app.py
//
// and with --lines "app.py: no license identifier".
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "reuse", Kind: result.Lint, Version: 1,
		About:   "reuse 1 to 6: lint as text, --lines, --json; lint-file",
		Matches: tool.Runs("reuse"), Programs: []string{"reuse"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/non_compliant": read.Item(reuseJSON)}}.Parse},
			{Name: "text", Starts: []string{"# MISSING COPYRIGHT AND LICENSING INFORMATION"}, Parse: parseReuse},
			{Name: "text", Parse: parseReuse},
			read.PythonTrouble("reuse"),
		},
	}
})

func reuseFinding(path, message string) result.Finding {
	return result.Finding{Message: message, At: &result.Location{Path: path}}
}

const noCopyright, noLicence = "no copyright notice", "no license identifier"

// reuseJSON reads the lists of files; licences that miss are the text's alone.
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
			if below == "" {
				below = strings.ToLower(section)
			}
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
	for _, begin := range [...]string{noCopyright, noLicence, "bad license ", "missing license ", "unused license", "deprecated license", "read error", "invalid SPDX", "license without "} {
		if strings.HasPrefix(message, begin) {
			return true
		}
	}
	return false
}

// fawltydeps lists names under a head; --detailed says where each stands:
//
//	These imports appear to be undeclared dependencies:
//	- 'celery'
//	    imported at:
//	      cel.py:1
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "fawltydeps", Kind: result.Lint, Version: 1,
		About:   "fawltydeps 0.13 and later: --summary, --detailed, --json",
		Matches: tool.Runs("fawltydeps"), Programs: []string{"fawltydeps"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/undeclared_deps/*": read.Item(fawltyUndeclared), "/unused_deps/*": read.Item(fawltyUnused)}, End: fawltyUnread}.Parse},
			{Name: "text", Starts: []string{fawltyUndeclaredHead, fawltyUnusedHead}, Parse: parseFawltydeps},
			{Name: "text", Parse: parseFawltydeps},
			read.PythonTrouble("fawltydeps"),
		},
	}
})

const (
	fawltyUndeclaredHead = "These imports appear to be undeclared dependencies:"
	fawltyUnusedHead     = "These dependencies appear to be unused (i.e. not imported):"
)

func fawltyFinding(rule, name string) result.Finding {
	return result.Finding{Rule: rule, ID: name, Message: "'" + name + "' appears to be " + rule}
}

func fawltyUndeclared(s *read.Sink, v *struct {
	Name       string
	References []struct {
		Path   string
		Lineno int
	}
}) {
	f := fawltyFinding("undeclared", v.Name)
	if len(v.References) > 0 {
		f.At = &result.Location{Path: v.References[0].Path, Line: v.References[0].Lineno}
	}
	s.FindHere(f)
}

func fawltyUnused(s *read.Sink, v *struct {
	Name       string
	References []struct{ Path string }
}) {
	f := fawltyFinding("unused", v.Name)
	if len(v.References) > 0 && v.References[0].Path != "" {
		f.At = &result.Location{Path: v.References[0].Path}
	}
	s.FindHere(f)
}

// fawltyError reads what stderr says of a file that could not be read.
func fawltyError(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "ERROR:fawltydeps.extract_imports:Could not parse code from ")
	path, why, found := strings.Cut(rest, ": ")
	if ok && found {
		s.Find(l, result.Finding{Message: why, At: &result.Location{Path: path}})
	}
	return ok && found
}

// fawltyUnread reads the same beside JSON.
func fawltyUnread(s *read.Sink) {
	for l := range s.In.LinesOf(tool.Stderr) {
		fawltyError(s, l)
	}
}

func parseFawltydeps(in *tool.Input) *tool.Report {
	rule, located := "", false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		name, listed := strings.CutPrefix(l.Text, "- '")
		text := strings.TrimSpace(l.Text)
		switch {
		case fawltyError(s, l):
		case l.Text == fawltyUndeclaredHead:
			rule = "undeclared"
		case l.Text == fawltyUnusedHead:
			rule = "unused"
		case listed && rule != "":
			s.Find(l, fawltyFinding(rule, strings.TrimSuffix(name, "'")))
			located = false
		case text == "imported at:", text == "declared in:":
			located = true
		case located && strings.HasPrefix(l.Text, "      ") && s.Last() != nil:
			if s.Last().At == nil {
				if s.Last().At = read.PlaceOf(text); s.Last().At == nil {
					s.Last().At = &result.Location{Path: strings.Clone(text)}
				}
			}
			s.More(l)
		case text == "may be provided by these packages:":
			located = false
		case strings.HasPrefix(l.Text, "No undeclared or unused dependencies detected."):
			s.Sign(l)
		default:
			return false
		}
		return true
	}}.Parse(in)
}

// detect-secrets-hook names the kind of a secret and its place in two lines.
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "detect-secrets", Kind: result.Security, Version: 1,
		About:   "detect-secrets 1: detect-secrets-hook",
		Matches: tool.Runs("detect-secrets-hook", "detect-secrets"), Programs: []string{"detect-secrets-hook", "detect-secrets"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Secret Type: "}, Parse: parseSecrets},
			read.PythonTrouble("detect-secrets-hook", "detect-secrets"),
		},
	}
})

func parseSecrets(in *tool.Input) *tool.Report {
	advice := false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if advice = advice || l.Text == "Possible mitigations:"; advice || strings.HasPrefix(l.Text, "ERROR: Potential secrets about to be committed") {
			return true
		}
		if what, ok := strings.CutPrefix(l.Text, "Secret Type: "); ok {
			s.Find(l, result.Finding{Message: what})
			return true
		}
		where, ok := strings.CutPrefix(l.Text, "Location:")
		if ok && s.Last() != nil {
			s.Last().At = read.PlaceOf(strings.TrimSpace(where))
			s.More(l)
			s.Break()
		}
		return ok
	}}.Parse(in)
}

// pip-licenses stops at the first package whose licence is not wanted.
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "pip-licenses", Kind: result.Security, Version: 1,
		About:   "pip-licenses 4 and 5: --fail-on, --allow-only",
		Matches: tool.Runs("pip-licenses"), Programs: []string{"pip-licenses"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Text{Line: func(s *read.Sink, l tool.Line) bool {
				why, name, ok := strings.Cut(l.Text, " was found for package ")
				if !ok || !strings.Contains(why, "license ") {
					return false
				}
				name, version, _ := strings.Cut(name, ":")
				s.Find(l, result.Finding{ID: lex.Clip(name), Rule: "license", Message: why + " was found for package " + name + " " + version})
				return true
			}}.Parse},
			read.PythonTrouble("pip-licenses"),
		},
	}
})
