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

// gitRun keeps the lines that the server or a local hook printed before git rejects a push: they hold the reason.
type gitRun struct {
	server   string
	hook     []string
	rejected bool // git itself printed the reason
}

// maxHookLines bounds a hook's reason. If a hook printed more lines, they are the output of tools that it ran.
const maxHookLines = 3

// fill adds the hook's lines to the message of a rejected push, and the place to a failed patch.
func (g *gitRun) fill(f *result.Finding) {
	if strings.HasPrefix(f.Message, "failed to push some refs to ") && !g.rejected && len(g.hook) > 0 && len(g.hook) <= maxHookLines {
		f.Message += ": " + strings.Join(g.hook, " ")
	}
	fillGit(f)
}

// heard keeps the server's first line, "remote: …", that is no progress: the reason if it rejects the push.
func (g *gitRun) heard(text string) {
	said := strings.TrimSpace(strings.TrimPrefix(text, "remote:"))
	_, counts, _ := strings.Cut(said, "% (") // "Resolving deltas: 100% (2/2)"
	if g.server == "" && said != "" && counts == "" && !strings.Contains(said, "objects: ") {
		g.server = said
	}
}

// fillGit moves the place out of "patch failed: a.txt:3": the line number changes when lines are added above, and the
// message identifies the error in later runs.
func fillGit(f *result.Finding) {
	if what, path, ok := strings.Cut(f.Message, ": "); ok && what == "patch failed" {
		if at, _, ok := place.Cut(path); ok {
			f.At, f.Message = &at, what
		}
	}
}

// line reads lines without "fatal: " or "error: ": conflicts, rejected references, whitespace, unknown commands.
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
	case strings.HasPrefix(text, "Automatic merge failed"):
		s.More(l)
		return s.Break()
	case lex.HasAnyPrefix(text, "diff --", "On branch ", "HEAD detached ", "commit ", "interactive rebase in progress", "rebase in progress"): // what a later command of the line shows
		s.Break()
		return false
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

// isMissing recognizes "missing tree a1dffc7…", which git fsck prints.
func isMissing(text string) bool {
	words := strings.Fields(text)
	return len(words) == 3 && words[0] == "missing" && lex.IsOneOf(words[1], "blob tree commit tag") && len(words[2]) >= 40 && text[0] == 'm'
}

// hears keeps a line of a push that a hook may have printed: one before git's own lines.
func (g *gitRun) hears(s *read.Sink, text string) {
	if said := strings.TrimSpace(text); said != "" && len(g.hook) <= maxHookLines && len(s.Findings) == 0 && !strings.HasPrefix(text, "To ") && !strings.HasPrefix(text, "hint:") && slices.Contains(s.In.Command().Argv, "push") {
		g.hook = append(g.hook, lex.Clip(said))
	}
}

// maxListed bounds a message that names files, in bytes.
const maxListed = 300

// listFile appends a file to the message that announces a list. The first file is the finding's place.
func listFile(f *result.Finding, path string) {
	separator := ", "
	if f.At == nil {
		f.At, separator = &result.Location{Path: path}, " "
	}
	if len(f.Message)+len(path) < maxListed {
		f.Message += separator + path
	}
}

// commits reports whether the command is git commit: git status prints the same lines, and they are no failure there.
func commits(in *tool.Input) bool { return slices.Contains(in.Command().Argv, "commit") }

// isWhitespaceError reports whether s is an error of git diff --check or git apply about whitespace.
func isWhitespaceError(s string) bool {
	return lex.HasAnyPrefix(s, "trailing whitespace", "space before tab", "indent with spaces", "tab in indent", "new blank line at EOF", "leftover conflict marker")
}

var _ = Room.Add("cz | commitizen git-cz", func(p *tool.Parser) {
	p.Is("commitizen", result.Lint, 1, "commitizen 2 to 4: cz check, cz bump")
	p.Exits = map[int]result.Meaning{13: result.MeansUsage, 14: result.MeansFindings, 18: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"commit validation: failed!"}, Parse: read.Text{Line: czLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: czLine}.Parse)})
	p.Reads(read.PythonTrouble("cz"))
})

// czLine reads `commit "270cb605": "bad one`, whose quotation may end on a later line, and "[NO_VERSION_SPECIFIED]"
// with the reason below.
func czLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	id, message, ok := strings.Cut(strings.TrimPrefix(text, `commit "`), `": "`)
	switch {
	case ok && strings.HasPrefix(text, `commit "`):
		return s.Find(l, result.Finding{ID: id, Message: strings.TrimSuffix(message, `"`)})
	case strings.HasPrefix(text, `"pattern: `) && s.Last() != nil, strings.HasPrefix(text, `pattern: `) && s.Last() != nil:
		s.More(l)
		return s.Break()
	case text == "commit validation: failed!", strings.HasPrefix(text, "please enter a commit message in the commitizen format"):
		return s.Sign(l)
	case text == "Commit validation: successful!":
		return s.Close(l)
	case len(text) > 4 && text[0] == '[' && text[len(text)-1] == ']' && strings.Trim(text[1:len(text)-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		return s.Refuse(l, result.Finding{Kind: result.GenericFinding, Rule: strings.Trim(text, "[]"), Message: text})
	case s.Last() != nil && s.Meaning == result.MeansUsage && text != "":
		if s.Last().Message == "["+s.Last().Rule+"]" {
			s.Last().Message = text
		}
		return s.More(l)
	}
	return false
}

var _ = Room.Add("gitlint", func(p *tool.Parser) {
	p.Is("gitlint", result.Lint, 1, "gitlint 0.1x: default, -v, of one commit or of several; it exits with the number of violations")
	p.Exits = map[int]result.Meaning{252: result.MeansUsage, 253: result.MeansUsage, 254: result.MeansUsage, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: gitlintLine}.Parse})
	p.Reads(read.PythonTrouble("gitlint"))
})

// gitlintLine reads `1: T1 Title exceeds max length (85>72): "text"`, where 1 is a line of the commit's message, and
// "Commit 270cb60554:" above the problems of a commit.
func gitlintLine(s *read.Sink, l tool.Line) bool {
	if commit, ok := strings.CutPrefix(l.Text, "Commit "); ok && strings.HasSuffix(commit, ":") {
		s.Path = strings.TrimSuffix(commit, ":")
		return true
	}
	number, rest, _ := strings.Cut(l.Text, ": ")
	rule, message, ok := strings.Cut(rest, " ")
	if !ok || (!lex.IsDigits(number) && number != "-") || len(rule) < 2 || !lex.IsDigits(rule[len(rule)-1:]) || strings.ToUpper(rule) != rule {
		return false
	}
	text, quoted, _ := strings.Cut(message, `: "`)
	f := result.Finding{ID: s.Path, Rule: rule, Message: text}
	if quoted != "" {
		f.Detail = number + ": " + strings.TrimSuffix(quoted, `"`)
	}
	return s.Find(l, f)
}
