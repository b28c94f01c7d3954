package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// fawltydeps lists names under a heading; --detailed adds the places of each:
//
//	These imports appear to be undeclared dependencies:
//	- 'celery'
//	    imported at:
//	      cel.py:1
var _ = Room.Add("fawltydeps", func(p *tool.Parser) {
	p.Is("fawltydeps", result.Lint, 1, "fawltydeps 0.13 and later: --summary, --detailed, --json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/undeclared_deps/*": fawltyNames("undeclared"), "/unused_deps/*": fawltyNames("unused")}, End: fawltyUnread}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{fawltyUndeclaredHead, fawltyUnusedHead}, Named: true, Parse: parseFawltydeps})
	p.Reads(read.PythonTrouble("fawltydeps"))
})

const (
	fawltyUndeclaredHead = "These imports appear to be undeclared dependencies:"
	fawltyUnusedHead     = "These dependencies appear to be unused (i.e. not imported):"
)

func fawltyFinding(rule, name string) result.Finding {
	return result.Finding{Rule: rule, ID: name, Message: "'" + name + "' appears to be " + rule}
}

// fawltyNames reads the names of one kind from JSON, each with the places that refer to it.
func fawltyNames(rule string) func(*read.Sink, []byte) error {
	return read.Objects{ID: "name", Path: "references.path", Line: "references.lineno", Fit: func(f *result.Finding) {
		at := f.At
		*f = fawltyFinding(rule, f.ID)
		f.At = at
	}}.Item
}

// fawltyError reads the error, on stderr, about a file that could not be parsed.
func fawltyError(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "ERROR:fawltydeps.extract_imports:Could not parse code from ")
	path, why, found := strings.Cut(rest, ": ")
	if ok && found {
		s.Find(l, result.Finding{Message: why, At: &result.Location{Path: path}})
	}
	return ok && found
}

// fawltyUnread adds the errors of stderr to the findings from JSON.
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
