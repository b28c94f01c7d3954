package vcs

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("git", func(p *tool.Parser) {
	p.Is("git", result.VCS, 2, "git 2.x: errors, conflicts, rejected pushes, diff --check")
	p.Exits = map[int]result.Meaning{129: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		g := new(gitRun)
		return read.Said{
			Errors: []string{"fatal: ", "error: ", "BUG: "}, Warnings: []string{"warning: "}, Notes: []string{"hint:", "remote:"},
			Fill: g.fill, Other: g.line, Below: true,
		}.Parse(in)
	}})
})

// gitRun keeps what was said before a reference is rejected: by the server, or by a hook
// of this side, which git lets speak for itself.
type gitRun struct {
	server   string
	hook     []string
	rejected bool // git has said why
}

// maxHookLines: what a hook says in so few lines is its reason; more is the output of the
// tools that it ran.
const maxHookLines = 3

// fill completes a finding from its message.
func (g *gitRun) fill(f *result.Finding) {
	if strings.HasPrefix(f.Message, "failed to push some refs to ") && !g.rejected && len(g.hook) > 0 && len(g.hook) <= maxHookLines {
		f.Message += ": " + strings.Join(g.hook, " ")
	}
	fillGit(f)
}

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
	case strings.HasPrefix(text, "\t") && s.Last() != nil && strings.Contains(s.Last().Message, "following ") && strings.Contains(s.Last().Message, ":"): // "Your local changes to the following files would be overwritten by checkout:"
		listFile(s.Last(), strings.TrimSpace(text))
		s.More(l)
	case strings.HasPrefix(text, "broken link from "), isMissing(text):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "fsck", Message: strings.Join(strings.Fields(text), " ")})
	case strings.HasPrefix(text, "              to ") && s.Last() != nil && strings.HasPrefix(s.Last().Message, "broken link from "):
		s.Last().Message += " " + strings.Join(strings.Fields(text), " ")
		s.More(l)
	case strings.HasPrefix(text, " ! ["):
		g.rejected = true
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
			g.hears(s, text)
			return false
		}
		s.Find(l, result.Finding{Rule: "whitespace", Message: strings.TrimSuffix(rest, "."), At: &at})
	}
	return true
}

// isMissing: "missing tree a1dffc7…", as git fsck tells it.
func isMissing(text string) bool {
	words := strings.Fields(text)
	return len(words) == 3 && words[0] == "missing" && lex.IsOneOf(words[1], "blob tree commit tag") && len(words[2]) >= 40 && text[0] == 'm'
}

// hears keeps a line that may be a hook's, of a push that has said nothing yet.
func (g *gitRun) hears(s *read.Sink, text string) {
	if said := strings.TrimSpace(text); said != "" && len(g.hook) <= maxHookLines && len(s.Findings) == 0 && !strings.HasPrefix(text, "To ") && !strings.HasPrefix(text, "hint:") && slices.Contains(s.In.Command().Argv, "push") {
		g.hook = append(g.hook, lex.Clip(said))
	}
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
	return lex.HasAnyPrefix(s, "trailing whitespace", "space before tab", "indent with spaces", "tab in indent", "new blank line at EOF", "leftover conflict marker")
}
