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
