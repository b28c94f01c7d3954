package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("remark | rehype retext alex", func(p *tool.Parser) {
	p.Is("remark", result.Lint, 1, "remark-cli 8 to 12 and other vfile reporters: a path and rows with the range, severity, reason, rule and source")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: remarkLine}.Parse})
})

// remarkLine reads a path, the rows below it and the closing count. The file's own text may be printed first, so the
// path is the line just above the rows.
//
//	docs/guide.md
//	9:31-10:1  warning Unexpected `3` spaces        hard-break-spaces remark-lint
//
//	⚠ 2 warnings
func remarkLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if f, ok := remarkRow(text); ok && s.Path != "" {
		f.At.Path = s.Path
		return s.Find(l, f)
	}
	switch path, how, _ := strings.Cut(text, ": "); {
	case lex.HasAnyPrefix(text, "✖ ", "⚠ ", "2 errors"):
		return s.Found(l, read.ErrorsIn(text))
	case how == "no issues found", how == "written":
		s.Path = ""
		return s.Sign(l)
	case strings.HasPrefix(text, "Error: ") && s.Path == "":
		return s.Misuse(l, text[len("Error: "):])
	case text == "":
		s.Break()
		s.Path = ""
		return false
	case s.Last() != nil && l.Text[0] == ' ':
		if f := s.Last(); strings.HasSuffix(f.Detail, "[cause]:") {
			f.Message += ": " + strings.TrimPrefix(text, "Error: ")
		}
		return s.More(l)
	case (s.Path == "" || s.Last() == nil) && l.Text[0] != ' ' && !strings.Contains(text, "  "):
		s.Path = strings.TrimSpace(strings.Split(path, " > ")[0])
		return false
	}
	return false
}

// remarkRow reads a row. The range may be missing. The rule and its plugin, if given, stand at the end behind blanks.
func remarkRow(text string) (f result.Finding, ok bool) {
	at := result.Location{}
	first, rest, _ := strings.Cut(text, " ")
	if start, _, _ := strings.Cut(first, "-"); strings.Contains(start, ":") {
		line, column, _ := strings.Cut(start, ":")
		if !lex.IsDigits(line) || !lex.IsDigits(column) || len(line) > 9 || len(column) > 9 {
			return f, false
		}
		at.Line, at.Column, text = lex.Atoi(line), lex.Atoi(column), strings.TrimLeft(rest, " ")
	}
	word, message, ok := strings.Cut(text, " ")
	if word != "error" && word != "warning" && word != "info" || !ok {
		return f, false
	}
	f = result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, At: &at}
	words := strings.Fields(message)
	if n := len(words); n > 2 && at.Line > 0 && isSlug(words[n-1]) && isSlug(words[n-2]) && strings.Contains(words[n-1]+words[n-2], "-") {
		f.Rule = words[n-2]
		f.Message = strings.TrimRight(message[:strings.LastIndex(message[:strings.LastIndex(message, words[n-1])], words[n-2])], " ")
		return f, true
	}
	f.Message = strings.TrimSpace(message)
	return f, f.Message != ""
}

// isSlug reports whether s has only lower-case letters, digits, and "-", "/" or "@".
func isSlug(s string) bool { return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-/@") == "" }
