package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// vulture exits with 1 if it could not read a file, and with 3 if it found dead code.
var _ = Room.Add("vulture", func(p *tool.Parser) {
	p.Is("vulture", result.Lint, 1, "vulture 2.0 to 2.14: default, --sort-by-size, --make-whitelist")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: vultureLine}.Parse})
	p.Reads(read.PythonTrouble("vulture"))
})

func vultureLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if name, rest, ok := strings.Cut(text, "  # "); ok && strings.HasSuffix(rest, ")") { // --make-whitelist
		what, where, _ := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
		text = where + ": " + what + " '" + strings.TrimPrefix(name, "_.") + "'"
	}
	if path, ok := strings.CutPrefix(text, "Error: "); ok && strings.HasSuffix(path, " could not be found.") {
		return s.Misuse(l, path)
	}
	at, message, ok := place.Cut(text)
	if !ok {
		return false
	}
	f := result.Finding{Rule: "invalid-syntax", Message: message, At: &at}
	if i := strings.LastIndex(message, " ("); i > 0 && strings.Contains(message[i:], "% confidence") {
		f.Message = message[:i]
	}
	if words := strings.SplitN(f.Message, " ", 3); len(words) > 1 && (words[0] == "unused" || words[0] == "unreachable" || words[0] == "unsatisfiable") {
		f.Severity, f.Rule = result.SevWarning, words[0]+"-"+words[1]
	}
	return s.Find(l, f)
}
