package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of a repository as such: what its files are called, what its manifests
// say, what is exported and never used.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "ls-lint", Kind: result.Lint, Version: 1,
		About:   "ls-lint 1.10 to 2: default",
		Matches: tool.Runs("ls-lint", "ls_lint"), Programs: []string{"ls-lint"},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: lsLintLine}.Parse}},
	}
})

// lsLintLine reads "src/BadName.js failed for `.js` rules: kebabcase", which older
// versions print behind the time of day.
func lsLintLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if len(text) > 20 && text[4] == '/' && text[19] == ' ' {
		text = text[20:]
	}
	path, rest, ok := strings.Cut(text, " failed for ")
	_, rules, told := strings.Cut(rest, "rules: ")
	switch {
	case ok && told:
		s.Find(l, result.Finding{Rule: rules, Message: "failed for " + rest, At: &result.Location{Path: path}})
	case strings.HasPrefix(text, "open ") && strings.HasSuffix(text, ": no such file or directory"):
		cannotRun(s, l, text)
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "syncpack", Kind: result.Lint, Version: 1,
		About:   "syncpack 10 to 13: lint, list, list-mismatches, format --check",
		Matches: tool.Runs("syncpack"), Programs: []string{"syncpack"},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: syncpackLine}.Parse}},
	}
})

// syncpackLine reads "✘ chalk ^4.0.0 → ~5.0.0 package.json > devDependencies [Rule]",
// and of list the name in the line above, "2x chalk:". Below "Formatting" a path
// alone is a file that is not sorted.
func syncpackLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		cannotRun(s, l, message)
		s.Break()
		return true
	}
	rest, bad := strings.CutPrefix(text, "✘ ")
	if !bad {
		if _, name, ok := strings.Cut(text, "x "); ok && strings.HasSuffix(name, ":") {
			s.Path = strings.Clone(strings.TrimSuffix(name, ":"))
		}
		return false
	}
	body, rule := read.Brackets.Cut(rest)
	versions, where, placed := strings.Cut(body, " > ")
	switch i := strings.LastIndexByte(versions, ' '); {
	case rule == "" && !strings.Contains(rest, " "):
		s.Find(l, result.Finding{Rule: "format", Name: rest, Message: "not formatted", At: &result.Location{Path: rest}})
	case rule == "":
		return false
	case placed && i > 0:
		s.Find(l, result.Finding{Rule: rule, Message: versions[:i] + " (" + where + ")", At: &result.Location{Path: versions[i+1:]}})
	default:
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(s.Path + " " + body)})
	}
	s.Break()
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "sherif", Kind: result.Lint, Version: 1,
		About:   "sherif 1: default",
		Matches: tool.Runs("sherif"), Programs: []string{"sherif"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: sherifLine}.Parse}},
	}
})

// sherifLine reads "2 issues found in ./p/package.json:", below it
// " ⨯ error text. rule-name" and what should stand there.
func sherifLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	n, rest, counted := lex.CutCount(text, "issue")
	if path, ok := strings.CutPrefix(strings.TrimSpace(rest), "found in "); counted && ok && n > 0 {
		s.Path = strings.TrimSuffix(path, ":")
		s.Break()
		return true
	}
	if counted && strings.HasPrefix(strings.TrimSpace(rest), "found (") {
		s.Close(l)
		return true
	}
	for start, severity := range map[string]result.Severity{"⨯ error ": result.SevError, "⚠️ warning ": result.SevWarning} {
		message, ok := strings.CutPrefix(text, start)
		if !ok {
			continue
		}
		f := result.Finding{Severity: severity, Message: message}
		if i := strings.LastIndex(message, ". "); i > 0 && !strings.Contains(message[i+2:], " ") {
			f.Message, f.Rule = message[:i+1], message[i+2:]
		}
		if path := strings.TrimPrefix(s.Path, "./"); path != "" { // else of all packages together
			f.At = &result.Location{Path: path}
		}
		s.Find(l, f)
		return true
	}
	if s.Last() != nil && text != "" {
		s.More(l)
	}
	return s.Last() != nil
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "ts-prune", Kind: result.Lint, Version: 1,
		About:   "ts-prune 0.8 to 0.10: default",
		Matches: tool.Runs("ts-prune"), Programs: []string{"ts-prune"},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: tsPruneLine}.Parse}},
	}
})

// tsPruneLine reads "src/lib.ts:2 - dead", a name that nothing imports, and behind
// it "(used in module)".
func tsPruneLine(s *read.Sink, l tool.Line) bool {
	where, name, ok := strings.Cut(l.Text, " - ")
	at := read.PlaceOf(where)
	if !ok || at == nil || at.Line == 0 {
		return false
	}
	s.Find(l, result.Finding{Severity: result.SevWarning, Message: name, At: at})
	s.Break()
	return true
}
