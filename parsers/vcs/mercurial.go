package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hg | chg", func(p *tool.Parser) {
	p.Is("hg", result.VCS, 1, "Mercurial 5 to 7: errors, conflicts, patches that do not apply")
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"abort: ", "config error: "}, Warnings: []string{"warning: "}, Notes: []string{"("},
		Usage: []string{"hg: unknown command '", "hg: command '"}, Fill: fillHg, Other: hgLine,
	}.Parse})
})

// fillHg makes the path in "conflicts while merging a.txt! (edit, …)" the place.
func fillHg(f *result.Finding) {
	f.Message = strings.TrimPrefix(f.Message, "hg: ")
	if rest, ok := strings.CutPrefix(f.Message, "conflicts while merging "); ok {
		if path, _, ok := strings.Cut(rest, "!"); ok {
			f.Rule, f.Severity, f.At = "conflict", result.SevError, &result.Location{Path: path}
		}
	}
}

// hgLine reads lines without "abort: ": unresolved files, hunks that do not apply, unknown options.
func hgLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	f := result.Finding{Kind: result.GenericFinding, Message: text}
	switch {
	case strings.HasSuffix(text, " files unresolved") && !strings.HasSuffix(text, " 0 files unresolved"):
		f.Rule = "conflict"
	case strings.HasPrefix(text, "hg ") && strings.HasSuffix(text, " not recognized"):
		_, f.Message, _ = strings.Cut(text, ": ")
		s.Meaning = result.MeansUsage
	case strings.Contains(text, " FAILED -- saving rejects to file "), strings.HasPrefix(text, "unable to find '"):
		if _, path, ok := strings.Cut(text, " to file "); ok {
			f.At = &result.Location{Path: strings.TrimSuffix(path, ".rej")}
		}
	case text == "nothing changed":
		f.Severity = result.SevWarning
	default:
		return false
	}
	return s.Find(l, f)
}
