package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("semgrep opengrep", func() *tool.Parser {
	return &tool.Parser{
		Tool: "semgrep", Kind: result.Security, Version: 1, ColumnUnit: "char",
		About:    "semgrep 1: text, --json",
		Programs: []string{"semgrep"},
		Exits:    map[int]result.Meaning{2: result.MeansInternal, 4: result.MeansUsage, 5: result.MeansUsage, 7: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
				"/version":   read.Item(func(s *read.Sink, v *string) { s.Version = *v }),
				"/results/*": semgrepResult.Item,
				"/errors/*":  read.Item(semgrepError),
			}}.Parse},
			{Name: "emacs", Parse: read.IfFound(read.Linter{Accept: semgrepEmacs, Severity: semgrepWord}.Parse)},
			{Name: "vim", Parse: read.IfFound(read.Linter{Accept: semgrepVim, Severity: semgrepWord}.Parse)},
			{Name: "text", Starts: []string{"❯❯❱ ", "❯❱ ", "❱ "}, Parse: parseSemgrepText},
			read.PythonTrouble("semgrep"),
		},
	}
})

var semgrepResult = read.Objects{Path: "path", Line: "start.line", Column: "start.col", EndLine: "end.line", EndColumn: "end.col",
	Rule: "check_id", Severity: "extra.severity", Message: "extra.message", Fit: func(f *result.Finding) {
		f.Severity, f.RawSeverity = semgrepLevel(f.RawSeverity), strings.ToLower(f.RawSeverity)
		f.Message, f.Detail, _ = strings.Cut(f.Message, "\n")
	}}

func semgrepLevel(word string) result.Severity {
	switch word {
	case "MEDIUM":
		return result.SevWarning
	case "LOW", "INVENTORY", "EXPERIMENT":
		return result.SevInfo
	case "HIGH":
		return result.SevError
	}
	return read.SeverityOf(word)
}

func semgrepError(s *read.Sink, v *struct{ Level, Message, Path string }) {
	message, detail, _ := strings.Cut(v.Message, "\n")
	f := result.Finding{RawSeverity: v.Level, Severity: read.SeverityOf(v.Level), Rule: "error", Message: message, Detail: detail}
	if v.Path != "" {
		f.At = &result.Location{Path: v.Path}
	}
	s.FindHere(f)
}

// semgrepWord is what --emacs ("warning") and --vim ("W") write for a severity.
func semgrepWord(word string) result.Severity {
	switch word {
	case "e":
		return result.SevError
	case "w":
		return result.SevWarning
	case "i":
		return result.SevInfo
	}
	return semgrepLevel(strings.ToUpper(word))
}

// semgrepEmacs reads "path:1:1:warning(no-import):import os:no os". The code stands before
// what the rule says, with no mark that tells them apart: blanks follow the colons within
// sentences, and none the colon that begins one.
func semgrepEmacs(d *read.Diagnostic) bool {
	word, rest, ok := strings.Cut(d.Message, "(")
	rule, rest, closed := strings.Cut(rest, "):")
	if !ok || !closed || semgrepWord(word) == "" || rule == "" || strings.Contains(rule, " ") {
		return false
	}
	for i := len(rest) - 2; i > 0; i-- {
		if rest[i] == ':' && rest[i+1] != ' ' && rest[i+1] != '/' {
			rest = rest[i+1:]
			break
		}
	}
	d.Word, d.Rule, d.Message = word, rule, rest
	return rest != ""
}

// semgrepVim reads "path:1:1:W:no-import:no os".
func semgrepVim(d *read.Diagnostic) bool {
	word, rest, _ := strings.Cut(d.Message, ":")
	rule, message, ok := strings.Cut(rest, ":")
	if !ok || len(word) != 1 || !strings.Contains("EWI", word) || rule == "" || strings.Contains(rule, " ") {
		return false
	}
	d.Word, d.Rule, d.Message = strings.ToLower(word), rule, message
	return message != ""
}
