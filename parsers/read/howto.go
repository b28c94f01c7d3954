package read

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// howto follows the usage that a program prints.
type howto struct {
	usage  bool // the program printed its usage
	within bool // inside the paragraph that begins with "usage: "
	box    bool // inside the box that typer draws around an error
}

// told takes the lines of a usage, and the error for which the program prints it.
func (a *howto) told(s *Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, ok := "", false
	if a.usage {
		message, ok = cutUsageError(l.Text, true)
	}
	if !ok {
		message, ok = text, lex.HasAnyPrefix(l.Text, "flag provided but not defined: -", "flag needs an argument: ", "unknown flag: -", "unknown shorthand flag: ") ||
			strings.HasPrefix(l.Text, "invalid value ") && strings.Contains(l.Text, " for flag -")
	}
	a.box = a.box && strings.HasPrefix(text, "│") || strings.HasPrefix(text, "╭─ Error ")
	if a.box && a.usage && strings.HasPrefix(text, "│") {
		message, ok = strings.Trim(text, "│ "), true
	}
	switch {
	case a.box && ok && message != "" && joinsBox(s, l, message):
	case a.box && strings.HasPrefix(text, "╭─"), a.usage && strings.HasPrefix(text, "╰─"):
	case ok && message != "":
		a.within = false
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	case isUsage(text):
		a.usage, a.within = true, true
	case a.usage && lex.IsOneOf(strings.ToLower(text), "options: flags: commands: arguments: examples: args: subcommands:"), a.usage && strings.HasSuffix(text, " commands:"), a.usage && strings.HasSuffix(text, " flags:"):
		a.within = true
	case a.within && (text == "" || l.Text[0] == ' ' || l.Text[0] == '\t'):
		a.within = text != ""
	default:
		a.within = false
		return false
	}
	return true
}

// joinsBox adds a further line inside the box that typer draws to the error's message, which it wraps.
func joinsBox(s *Sink, l tool.Line, text string) bool {
	f := s.Last()
	if f != nil {
		f.Message += " " + text
	}
	return f != nil && s.Reach(l)
}

// isUsage reports whether a line begins a program's usage, or says where to find it.
func isUsage(text string) bool {
	if text == "" || text[0] < utf8.RuneSelf && strings.IndexByte("utfr", text[0]|0x20) < 0 {
		return false // most lines
	}
	lower := strings.ToLower(text[:min(len(text), 80)])
	switch {
	case strings.HasPrefix(lower, "usage of "):
		return strings.HasSuffix(text, ":")
	case strings.HasPrefix(lower, `use "`):
		return strings.Contains(lower, " --help")
	case lex.HasAnyPrefix(lower, "try '", "for more information, try '", "for more information try ", "run '"):
		return strings.Contains(lower, "help")
	}
	return strings.HasPrefix(lower, "usage:")
}

// cutMark removes an eye-catching mark before a place: "❌ ", "✗ ", "[FAIL] ".
func cutMark(text string) string {
	if r, n := utf8.DecodeRuneInString(text); r >= 0x2000 && r < 0x3000 || r >= 0x1f300 || r == '×' {
		return strings.TrimLeft(strings.TrimPrefix(text[n:], "\ufe0f"), " ")
	}
	if rest, ok := lex.CutAnyPrefix(text, "[FAIL] ", "[FAILED] ", "FAIL: ", "- ", "* "); ok {
		return strings.TrimLeft(rest, " ")
	}
	return text
}

// withoutLabel removes the name of a task or a level before a path: "[exec] src/a.c", "(web) src/a.c", "web │
// src/a.c".
func withoutLabel(path string) string {
	for _, bar := range [...]string{"│ ", "| "} {
		if i := strings.LastIndex(path, bar); i >= 0 {
			path = path[i+len(bar):]
		}
	}
	if n := len(path); n > 0 {
		if i := strings.IndexByte("[(<", path[0]); i >= 0 {
			if _, rest, ok := strings.Cut(path, "])>"[i:i+1]+" "); ok && rest != "" {
				return strings.TrimLeft(rest, " ")
			}
		}
	}
	return path
}
