package read

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Diagnostics reads what any program may print: one diagnostic a line, as
// compilers and linters write it, and what is wrong with a command line. Nothing
// says whose they are.
func Diagnostics(in *tool.Input) *tool.Report {
	a := new(anyones)
	return Text{Line: a.line, End: a.end}.Parse(in)
}

// anyones are the diagnostics of a program that nobody knows.
type anyones struct {
	usage  bool // the program told how it is to be called
	within bool // between "usage: " and the end of that paragraph
	box    bool // typer's
}

func (a *anyones) line(s *Sink, l tool.Line) bool {
	if placeBelow(s, l) || a.told(s, l) {
		return true
	}
	if message, said := cutTrouble(s.In, l.Text); said {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message, At: place.Within(message)})
		return true
	}
	d, ok := cutListed(cutMark(l.Text))
	if !ok || d.Word == "" && !strings.Contains(l.Text[:max(0, len(l.Text)-len(d.Message))], ":") {
		return false
	}
	if d.Word == "" && (!isSource(d.At.Path) || place.IsHost(d.At)) || SeverityOf(d.Word) == result.SevInfo {
		return false
	}
	d.Message, d.Rule = Brackets.Cut(d.Message)
	s.Find(l, Linter{}.finding(d))
	return true
}

// told takes the lines that say how the program is to be called, and the reason
// for which it says so.
func (a *anyones) told(s *Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, ok := cutUsageError(l.Text, a.usage)
	a.box = a.box && strings.HasPrefix(text, "│") || strings.HasPrefix(text, "╭─ Error ")
	if a.box && a.usage && strings.HasPrefix(text, "│") {
		message, ok = strings.Trim(text, "│ "), true
	}
	switch {
	case a.box && strings.HasPrefix(text, "╭─"), a.usage && strings.HasPrefix(text, "╰─"):
	case ok && a.usage && message != "":
		a.within = false
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	case isUsage(text):
		a.usage, a.within = true, true
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
	lower := strings.ToLower(text[:min(len(text), 80)])
	return strings.HasPrefix(lower, "usage:") || (strings.HasPrefix(lower, "try '") || strings.HasPrefix(lower, "for more information, try '") ||
		strings.HasPrefix(lower, "for more information try ") || strings.HasPrefix(lower, "run '")) && strings.Contains(lower, "help")
}

// end: where a program tells how it is to be called, and of nothing but one
// trouble, that trouble is the command line.
func (a *anyones) end(s *Sink) {
	if a.usage && len(s.Findings) == 1 && s.Findings[0].At == nil {
		s.Meaning = result.MeansUsage
	}
}

// cutListed reads a diagnostic, also one of a list, which two blanks stand before and
// whose path leads to a source.
func cutListed(text string) (d Diagnostic, ok bool) {
	if d, ok = CutDiagnostic(text); ok {
		return d, true
	}
	if text, ok = strings.CutPrefix(text, "  "); !ok {
		return d, false
	}
	d, ok = CutDiagnostic(text)
	return d, ok && isSource(d.At.Path) && strings.Contains(d.At.Path, "/")
}

// placeBelow gives the last finding, which has no place, the one that the line below
// it tells with an arrow: "  --> src/a.rs:3:7", "  ╭─[a.py:3:7]", "  ┌─ a.cue:3:7".
func placeBelow(s *Sink, l tool.Line) bool {
	f := s.Last()
	if f == nil || f.At != nil || l.Start > f.RawSpan.End+1 {
		return false
	}
	text := strings.TrimLeft(l.Text, " ")
	for _, arrow := range [...]string{"--> ", "╭─[", "┌─ "} {
		rest, ok := strings.CutPrefix(text, arrow)
		if at, _, placed := place.Cut(strings.TrimSuffix(strings.TrimLeft(rest, " "), "]")); ok && placed {
			if word, message := CutSeverity(f.Message); word != "" {
				f.Kind, f.RawSeverity, f.Message = result.Diagnostic, word, message
			}
			f.At, f.RawSpan.End = &at, l.End
			return true
		}
	}
	return false
}

// cutMark takes off what stands before a place to make it seen: "❌ ", "✗ ",
// "[FAIL] ".
func cutMark(text string) string {
	if r, n := utf8.DecodeRuneInString(text); r >= 0x2000 && r < 0x3000 || r >= 0x1f300 || r == '×' {
		return strings.TrimLeft(strings.TrimPrefix(text[n:], "\ufe0f"), " ")
	}
	for _, word := range [...]string{"[FAIL] ", "[FAILED] ", "FAIL: ", "- ", "* "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return strings.TrimLeft(rest, " ")
		}
	}
	return text
}

// troubles begin a line in which a program says that something is wrong.
var troubles = []string{"error: ", "Error: ", "ERROR: ", "fatal: ", "Fatal: ", "FATAL: ", "fatal error: ", "Fatal error: ", "[ERROR] ", "[error] ", "[FATAL] ", "ERROR ", "error "}

// cutTrouble reads "error: text" and "PROGRAM: text".
func cutTrouble(in *tool.Input, text string) (message string, ok bool) {
	if _, ok = cutPrefixes(text, troubles); ok {
		return strings.TrimSpace(text), true
	}
	rest, ok := strings.CutPrefix(text, in.Command().Program()+": ")
	if _, _, placed := place.Cut(text); !ok || placed || rest == "" {
		return "", false
	}
	return text, true
}

// isSource: the path has an ending, as files of source have.
func isSource(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	i := strings.LastIndexByte(base, '.')
	return i > 0 && len(base)-i <= 8 && !strings.ContainsAny(base[i:], " ")
}
