package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pnpm", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pnpm", Kind: result.Package, Version: 2, Runner: true,
		About: "pnpm 6 to 12: what it says when it fails itself, and of scripts that failed",
		Matches: func(argv []string) bool {
			return argv[0] == "pnpm" && tool.RunsSub("pnpm", "install", "i", "add", "remove", "update", "audit", "ls", "why", "publish", "fetch", "ci")(argv)
		},
		Formats: []tool.Format{
			{Name: "audit-json", Parse: read.JSON{Items: read.Items(pnpmAdvisories, "/advisories")}.Parse},
			{Name: "audit", Parse: parsePnpmAudit},
			{Name: "text", Starts: []string{"Error: ERR_PNPM_", "ERR_PNPM_", "[ERR_PNPM_", "\u2009ERR_PNPM_", "[ELIFECYCLE] ", "\u2009ELIFECYCLE\u2009"}, Parse: read.Text{Line: pnpmLine}.Parse},
			{Name: "text", Parse: read.IfFound(read.Text{Line: pnpmOwn}.Parse)},
		},
	}
})

// pnpmLine reads " ERR_PNPM_CODE  text" of pnpm to 11, and "Error: ERR_PNPM_CODE"
// with a message in a frame below it.
func pnpmLine(s *read.Sink, l tool.Line) bool {
	text := strings.Trim(l.Text, " \u2009")
	if pnpmScript(s, l, text) {
		return true
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "Error: "), "["), "ERR_PNPM_"); ok {
		code, message, _ := strings.Cut(strings.Replace(rest, "] ", " ", 1), " ")
		code = strings.TrimRight(code, "\u2009")
		s.Find(l, result.Finding{Rule: "ERR_PNPM_" + code, Message: strings.Trim(message, " \u2009")})
		if strings.HasPrefix(code, "RECURSIVE_") { // of scripts
			s.Last().Kind = result.BuildError
		}
		if code == "NO_SCRIPT" {
			s.Meaning = result.MeansUsage
		}
		return true
	}
	f := s.Last()
	if f == nil {
		return false
	}
	said := strings.TrimLeft(text, "×╰├─▶│ ")
	if help := strings.HasPrefix(said, "help: "); said != "" && !help && len(f.Message) < 300 && !strings.Contains(f.Detail, "help: ") && !strings.HasPrefix(said, "at ") {
		f.Message = strings.TrimSpace(f.Message + " " + said)
	}
	return s.More(l)
}

// pnpmOwn reads what has no code: flags that pnpm does not know, and a framed message
// below "Error:   ×".
func pnpmOwn(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "error: "); ok && len(s.Findings) == 0 && (strings.HasPrefix(why, "unexpected argument ") || strings.HasPrefix(why, "invalid value ")) {
		return s.Misuse(l, why)
	}
	if why, ok := strings.CutPrefix(l.Text, "Error:   × "); ok {
		return s.Find(l, result.Finding{Message: why})
	}
	if s.Open() && s.Meaning != "" {
		return s.More(l)
	}
	return s.Open() && pnpmLine(s, l)
}
