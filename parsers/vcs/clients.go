package vcs

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gh", func(p *tool.Parser) {
	p.Is("gh", result.VCS, 1, "GitHub CLI 2: not logged in, unknown commands and flags, answers that refuse")
	p.Matches = func(argv []string) bool {
		return ghRuns(argv) && !slices.Contains(argv, "--log") && !slices.Contains(argv, "--log-failed")
	}
	p.Exits = map[int]result.Meaning{2: result.MeansInterrupted, 4: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: ghLine}.Parse})
})

// ghRuns reports whether a command runs gh.
var ghRuns = tool.Runs("gh")

// ghUsage begins errors in the command line, ghSaid other errors.
var (
	ghUsage = []string{"unknown command ", "unknown flag: ", "unknown shorthand flag: ", "accepts ", "required flag(s) ", "must provide ", "To get started with GitHub CLI"}
	ghSaid  = []string{"gh: ", "HTTP ", "GraphQL: ", "error ", "failed to ", "could not ", "no pull requests found", "no default remote repository", "none of the git remotes"}
)

// ghLine reads an error on stderr and the help below it. On stdout gh prints logs and texts of other programs.
func ghLine(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr {
		return false
	}
	begins := func(p string) bool { return strings.HasPrefix(l.Text, p) }
	usage := slices.ContainsFunc(ghUsage, begins)
	if len(s.Findings) > 0 || !usage && !slices.ContainsFunc(ghSaid, begins) {
		return len(s.Findings) > 0
	}
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	if usage {
		s.Meaning = result.MeansUsage
	}
	return true
}

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
