package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("svn svnadmin | svnlook svnsync", func(p *tool.Parser) {
	p.Is("svn", result.VCS, 1, "Subversion 1.8 to 1.14: errors and warnings with their codes, conflicts")
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"svn: ", "svnadmin: ", "svnlook: ", "svnsync: "}, Usage: []string{"Unknown subcommand: "},
		Fill: fillSvn, Other: svnLine, Below: true,
	}.Parse})
})

// fillSvn makes the code in "E155011: Commit failed (details follow):" the rule. The code of a warning begins with W.
func fillSvn(f *result.Finding) {
	if rest, ok := strings.CutPrefix(f.Message, "warning: "); ok {
		f.Severity, f.Message = result.SevWarning, rest
	}
	if code, rest, ok := strings.Cut(f.Message, ": "); ok && len(code) == len("E155011") && strings.Trim(code[1:], "0123456789") == "" {
		f.Rule, f.Message = code, rest
	}
}

// svnLine reads a file that an update leaves in conflict, "C    a.txt", a conflict of trees, "   C a.txt", and unknown
// options.
func svnLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case strings.HasPrefix(text, "svn: invalid option: "), strings.HasPrefix(text, "svn: option requires an argument"):
		return s.Misuse(l, strings.TrimPrefix(text, "svn: "))
	case strings.HasPrefix(text, "Type 'svn help'"):
		return s.Break()
	case len(text) > 5 && text[4] == ' ' && strings.TrimSpace(text[:4]) == "C" && text[5] != ' ':
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Rule: "conflict", Message: "in conflict: " + text[5:], At: &result.Location{Path: text[5:]}})
		return s.Break()
	}
	return false
}
