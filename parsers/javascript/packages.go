package javascript

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Package managers beside npm, and what looks after dependencies.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "pnpm", Kind: result.Package, Version: 1, Runner: true,
		About: "pnpm 6 to 12: what it says when it fails itself, and of scripts that failed",
		Matches: func(argv []string) bool {
			return argv[0] == "pnpm" && tool.RunsSub("pnpm", "install", "i", "add", "remove", "update", "audit", "ls", "why", "publish", "fetch", "ci")(argv)
		}, Programs: []string{"pnpm"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"Error: ERR_PNPM_", "ERR_PNPM_", "\u2009ERR_PNPM_", "[ELIFECYCLE] ", "\u2009ELIFECYCLE\u2009"}, Parse: read.Text{Line: pnpmLine}.Parse}},
	}
})

// pnpmLine reads " ERR_PNPM_CODE  text" of pnpm to 11, and "Error: ERR_PNPM_CODE"
// with a message in a frame below it.
func pnpmLine(s *read.Sink, l tool.Line) bool {
	text := strings.Trim(l.Text, " \u2009")
	if pnpmScript(s, l, text) {
		return true
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "Error: "), "ERR_PNPM_"); ok {
		code, message, _ := strings.Cut(rest, " ")
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
	s.More(l)
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "yarn", Kind: result.Package, Version: 1,
		About:   "yarn 1 to 4: what it says when it fails itself",
		Matches: tool.RunsSub("yarn", "install", "add", "remove", "up", "upgrade", "audit", "why", "npm"), Programs: []string{"yarn"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"➤ YN0", "Internal Error: ", "Usage Error: ", `{"type":"error","name":…"displayName":"YN0`}, Parse: read.Text{Line: yarnLine}.Parse},
			{Name: "messages", Parse: read.Text{Line: yarnLine}.Parse},
		},
	}
})

// yarnLine reads "➤ YN0001: │ Error: text", and "error text" of yarn 1.
func yarnLine(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "➤ YN"); ok {
		code, text, _ := strings.Cut(rest, ":")
		yarnSaid(s, l, "YN"+code, strings.TrimPrefix(strings.TrimPrefix(text, " "), "│ "))
		return true
	}
	if strings.HasPrefix(l.Text, `{"type":"`) {
		return yarnJSON(s, l)
	}
	message, ok := strings.CutPrefix(l.Text, "error ")
	if !ok {
		message, ok = strings.CutPrefix(l.Text, "Internal Error: ")
	}
	for _, start := range [...]string{"Usage Error: ", "Unknown Syntax Error: ", "Syntax Error: "} {
		if rest, is := strings.CutPrefix(l.Text, start); is {
			message, ok, s.Meaning = rest, true, result.MeansUsage
		}
	}
	if !ok || strings.HasPrefix(message, "Command failed with exit code") {
		return false
	}
	s.Find(l, result.Finding{Message: message})
	s.Break()
	return true
}

// yarnSaid takes what stands behind a code. What is set in goes on with the line
// before it, and lines of a difference show what the lockfile would become.
func yarnSaid(s *read.Sink, l tool.Line, rule, text string) {
	f := s.Last()
	text, indented := strings.CutPrefix(text, "  ")
	if f != nil && f.Rule == rule && indented {
		s.More(l)
		return
	}
	s.Break()
	text = strings.TrimLeft(text, " │├└┌·")
	switch {
	case rule == "YN0000" && strings.HasPrefix(text, "Failed with errors"):
		s.Sign(l)
	case lex.IsOneOf(rule, "YN0000 YN0007 YN0013 YN0085"), rule == "YN0028" && (text == "" || text[0] == '+' || text[0] == '-'):
		s.Cover(l)
	default:
		class, message := jserror.CutClass(text)
		f := result.Finding{Rule: rule, Message: message}
		if lex.IsOneOf(rule, "YN0002 YN0050 YN0060 YN0061 YN0086") {
			f.Severity = result.SevWarning
		} else if class != "" {
			f.Message = class + ": " + message
		}
		s.Find(l, f)
	}
}

// yarnJSON reads a line of --json, of yarn 2 to 4 and of yarn 1.
func yarnJSON(s *read.Sink, l tool.Line) bool {
	var v struct{ Type, DisplayName, Data string }
	if json.Unmarshal([]byte(l.Text), &v) != nil { // data may be an object
		return false
	}
	if v.Type == "error" && v.DisplayName != "" {
		yarnSaid(s, l, v.DisplayName, v.Data)
	} else if v.Type == "error" {
		s.Find(l, result.Finding{Message: v.Data})
		s.Break()
	}
	return v.Type == "error" || v.Type == "info" || v.Type == "warning" || v.Type == "step"
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "knip", Kind: result.Lint, Version: 1,
		About:   "knip 2 to 6: symbols, compact, json, markdown",
		Matches: tool.Runs("knip"), Programs: []string{"knip"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "symbols", Starts: []string{"Unused files (", "Unused dependencies (", "Unused devDependencies (", "Unused exports (", "Unlisted dependencies (", "Unlisted binaries ("}, Parse: read.Text{Line: knipLine}.Parse},
			{Name: "json", Starts: []string{`{"issues":[{"file":"`}, Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/issues/*": read.Item(knipIssue)}}.Parse},
			{Name: "markdown", Starts: []string{"# Knip report"}, Parse: read.Text{Line: knipMarkdown}.Parse},
			{Name: "messages", Parse: jserror.Usage("Unable to ", "ERROR: ", "Error: ", "Unknown option ")},
		},
	}
})

// knipLine reads a head, "Unused exports (2)", and rows below it: "name  place".
func knipLine(s *read.Sink, l tool.Line) bool {
	head, count, ok := strings.Cut(l.Text, " (")
	if count = strings.TrimSuffix(count, ")"); ok && lex.IsDigits(count) && strings.HasPrefix(head, "Un") || strings.HasPrefix(head, "Duplicate ") {
		s.Path = head
		s.Sign(l)
		s.Claim(lex.Atoi(count))
		return true
	}
	if s.Path == "" || strings.TrimSpace(l.Text) == "" || strings.HasPrefix(l.Text, "Configuration hints") {
		s.Path = ""
		return false
	}
	name, rest, _ := strings.Cut(l.Text, "  ")
	f := result.Finding{Rule: s.Path, Message: strings.TrimSpace(name)}
	words := strings.Fields(rest)
	if path, names, ok := strings.Cut(l.Text, ": "); ok && rest == "" { // compact
		all := strings.Split(names, ", ")
		for _, name := range all[:len(all)-1] {
			s.Find(l, result.Finding{Rule: s.Path, Message: name, At: &result.Location{Path: path}})
		}
		f.Message, f.At = all[len(all)-1], &result.Location{Path: path}
	} else if len(words) > 0 {
		at, _, _ := knipPlace(words[len(words)-1])
		f.At = &at
	} else {
		f.At = &result.Location{Path: f.Message}
	}
	s.Find(l, f)
	return true
}

// knipPlace reads "src/a.ts:3:7" and "package.json".
func knipPlace(text string) (at result.Location, rest string, ok bool) {
	parts := strings.Split(text, ":")
	at.Path = parts[0]
	if len(parts) > 1 {
		at.Line = lex.Atoi(parts[1])
	}
	if len(parts) > 2 {
		at.Column = lex.Atoi(parts[2])
	}
	return at, "", true
}
