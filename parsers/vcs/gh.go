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

// ghRuns says whether gh is run; asked for the log of a job, it prints what others wrote.
var ghRuns = tool.Runs("gh")

// What gh says of a mistake in its command line, and of what could not be done.
var (
	ghUsage = []string{"unknown command ", "unknown flag: ", "unknown shorthand flag: ", "accepts ", "required flag(s) ", "must provide ", "To get started with GitHub CLI"}
	ghSaid  = []string{"gh: ", "HTTP ", "GraphQL: ", "error ", "failed to ", "could not ", "no pull requests found", "no default remote repository", "none of the git remotes"}
)

// ghLine reads the line that says what is wrong; help follows it. What gh prints on
// stdout are logs and words of others.
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
