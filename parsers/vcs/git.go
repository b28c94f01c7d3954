package vcs

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("git", func() *tool.Parser {
	return &tool.Parser{
		Tool: "git", Kind: result.VCS, Version: 2,
		About: "git 2.x: errors, conflicts, rejected pushes, diff --check",

		Exits: map[int]result.Meaning{129: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: func(in *tool.Input) *tool.Report {
			return read.Said{
				Errors: []string{"fatal: ", "error: ", "BUG: "}, Warnings: []string{"warning: "}, Notes: []string{"hint:", "remote:"},
				Fill: fillGit, Other: new(gitRun).line, Below: true,
			}.Parse(in)
		}}},
	}
})

// gitRun keeps what the server said before it rejects a reference.
type gitRun struct{ server string }

// heard takes a line of the server's, which says why if it rejects what is pushed.
func (g *gitRun) heard(text string) {
	said := strings.TrimSpace(strings.TrimPrefix(text, "remote:"))
	_, counts, _ := strings.Cut(said, "% (") // "Resolving deltas: 100% (2/2)"
	if g.server == "" && said != "" && counts == "" && !strings.Contains(said, "objects: ") {
		g.server = said
	}
}

// fillGit takes the place out of a message that ends in one: its line moves with
// the text above it.
func fillGit(f *result.Finding) {
	if what, path, ok := strings.Cut(f.Message, ": "); ok && what == "patch failed" {
		if at, _, ok := place.Cut(path); ok {
			f.At, f.Message = &at, what
		}
	}
}

// line reads what has no such prefix: conflicts, rejected references,
// whitespace, unknown commands.
func (g *gitRun) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case strings.HasPrefix(text, "remote:"):
		g.heard(text)
		return false
	case strings.HasPrefix(text, "ssh: "), strings.HasPrefix(text, "There is no tracking information for the current branch."):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	case strings.HasPrefix(text, "CONFLICT ("):
		kind, what, _ := strings.Cut(strings.TrimPrefix(text, "CONFLICT ("), "): ")
		f := result.Finding{Kind: result.GenericFinding, Rule: "conflict", RuleName: kind, Message: text}
		if i := strings.LastIndex(what, " conflict in "); i >= 0 {
			f.At = &result.Location{Path: what[i+len(" conflict in "):]}
		} else if path, _, ok := strings.Cut(what, " deleted in "); ok {
			f.At = &result.Location{Path: path}
		}
		s.Find(l, f)
	case strings.HasPrefix(text, "\t") && listsFiles(s.Last()):
		listFile(s.Last(), strings.TrimSpace(text))
		s.More(l)
	case strings.HasPrefix(text, " ! ["):
		f := result.Finding{Kind: result.GenericFinding, Rule: "rejected", Message: strings.Join(strings.Fields(text[3:]), " ")}
		if g.server != "" && strings.HasPrefix(text, " ! [remote rejected]") {
			f.Message += ": " + g.server
		}
		s.Find(l, f)
	case strings.HasPrefix(text, "git: '") && strings.Contains(text, "is not a git command"):
		s.Misuse(l, strings.TrimPrefix(text, "git: "))
	case strings.HasPrefix(text, "usage: git"):
		s.Meaning = result.MeansUsage
		return false
	case commits(s.In) && (text == "nothing to commit, working tree clean" || strings.HasPrefix(text, "nothing added to commit") || strings.HasPrefix(text, "no changes added to commit")), text == "Author identity unknown":
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: text})
	default:
		at, rest, ok := place.Cut(text)
		if !ok || !isWhitespaceError(rest) {
			return false
		}
		s.Find(l, result.Finding{Rule: "whitespace", Message: strings.TrimSuffix(rest, "."), At: &at})
	}
	return true
}

// listsFiles: "Your local changes to the following files would be overwritten by
// checkout:", with a file a line below it.
func listsFiles(f *result.Finding) bool {
	return f != nil && strings.Contains(f.Message, "following ") && strings.Contains(f.Message, ":")
}

// maxListed bounds a message that names files, in bytes.
const maxListed = 300

// listFile puts a file into the message that announces it; the first is its place.
func listFile(f *result.Finding, path string) {
	separator := ", "
	if f.At == nil {
		f.At, separator = &result.Location{Path: path}, " "
	}
	if len(f.Message)+len(path) < maxListed {
		f.Message += separator + path
	}
}

// commits: status says the same, and means nothing by it.
func commits(in *tool.Input) bool { return slices.Contains(in.Command().Argv, "commit") }

// isWhitespaceError knows what diff --check and apply say of a line.
func isWhitespaceError(s string) bool {
	for _, what := range [...]string{"trailing whitespace", "space before tab", "indent with spaces", "tab in indent", "new blank line at EOF", "leftover conflict marker"} {
		if strings.HasPrefix(s, what) {
			return true
		}
	}
	return false
}
