package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mix", func(p *tool.Parser) {
	p.Is("credo", result.Lint, 1, "Credo 1, by its manual: default, oneline, flycheck, json")
	p.Family = "mix"
	p.Matches = tool.RunsSub("mix", "credo")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/issues/*"}, Path: "filename", Line: "line_no", Column: "column", Rule: "check", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"┃ [R] ", "┃ [W] ", "┃ [D] ", "┃ [C] ", "┃ [F] "}, Named: true, Parse: read.Text{Line: credoLine, End: read.Unseen}.Parse})
})

// credoLine reads an issue and the line with its place below it, both behind a bar, or in one line:
//
//	┃ [R] ↗ Modules should have a @moduledoc tag.
//	┃       lib/foo.ex:1:11 #(Foo)
//	[R] ↗ lib/foo.ex:1:11 Modules should have a @moduledoc tag.
//	lib/foo.ex:1:11: R: Modules should have a @moduledoc tag.
func credoLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l.Text), "┃"))
	bracketed := len(text) > 3 && text[0] == '[' && text[2] == ']' && credoSeverity(text[1:2]) != ""
	if at, rest, ok := place.Cut(text); ok && !bracketed {
		if last := s.Last(); last != nil && last.At == nil && (rest == "" || strings.HasPrefix(rest, "#(")) {
			last.At = &at
			s.More(l)
			return s.Break()
		}
		letter, message, named := strings.Cut(rest, ": ")
		if severity := credoSeverity(letter); named && severity != "" {
			s.Find(l, result.Finding{Severity: severity, Rule: letter, Message: message, At: &at})
			s.Break()
		}
		return named && credoSeverity(letter) != ""
	}
	if !bracketed {
		return strings.Contains(text, " mods/funs, found ")
	}
	message := strings.TrimSpace(text[3:])
	if _, rest, ok := strings.Cut(message, " "); ok && !strings.ContainsAny(message[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		message = strings.TrimSpace(rest) // an arrow, for the priority
	}
	f := result.Finding{Severity: credoSeverity(text[1:2]), Rule: text[1:2], Message: message}
	if where, rest, ok := strings.Cut(message, " "); ok {
		if at, after, placed := place.Cut(where + ":"); placed && after == "" {
			f.At, f.Message = &at, rest
		}
	}
	return s.Find(l, f)
}

// credoSeverity is what the letter of a category stands for: a warning is what is likely
// to be wrong, the others are matters of taste.
func credoSeverity(letter string) result.Severity {
	return result.Severity(lex.Means(letter, "error: W; warning: R, F, D, C"))
}
