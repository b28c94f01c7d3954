package read

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// howto follows what a program says of how it is to be called.
type howto struct {
	usage  bool // the program told how it is to be called
	within bool // between "usage: " and the end of that paragraph
	box    bool // typer's
}

// told takes the lines that say how the program is to be called, and the reason
// for which it says so.
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

// isUsage: the line begins to tell how a program is to be called, or where that is
// told.
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

// cutMark takes off the text before a place to make it seen: "❌ ", "✗ ",
// "[FAIL] ".
func cutMark(text string) string {
	if r, n := utf8.DecodeRuneInString(text); r >= 0x2000 && r < 0x3000 || r >= 0x1f300 || r == '×' {
		return strings.TrimLeft(strings.TrimPrefix(text[n:], "\ufe0f"), " ")
	}
	if rest, ok := lex.CutAnyPrefix(text, "[FAIL] ", "[FAILED] ", "FAIL: ", "- ", "* "); ok {
		return strings.TrimLeft(rest, " ")
	}
	return text
}

// withoutLabel takes off the name of a task or a level that stands before a path: "[exec] src/a.c", "(web) src/a.c",
// "web │ src/a.c".
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
