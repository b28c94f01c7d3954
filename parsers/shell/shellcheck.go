package shell

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "shellcheck", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "shellcheck 0.9 to 0.11: tty, gcc, checkstyle, json and json1",
		Matches: tool.Runs("shellcheck"), Programs: []string{"shellcheck"},
		Exits: map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage, 4: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{
				"/*": read.Item(shellcheckItem), "/comments/*": read.Item(shellcheckItem),
			}}.Parse},
			{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) {
				f.Rule = strings.TrimPrefix(f.Rule, "ShellCheck.")
				f.RuleURL = shellcheckURL(f.Rule)
			})},
			{Name: "tty", Starts: []string{"In … line "}, Sniff: isShellcheckHead, Parse: read.Text{Line: shellcheckLine}.Parse},
			{Name: "gcc", Parse: read.Linter{Rule: read.Brackets, URL: shellcheckURL, Other: shellcheckTrouble,
				Accept: func(d *read.Diagnostic) bool { return strings.HasPrefix(d.Rule, "SC") }}.Parse},
		},
	}
})

func shellcheckURL(rule string) string { return "https://www.shellcheck.net/wiki/" + rule }

// shellcheckItem is a comment of json and json1. The severity goes by the name
// that the other formats print, in which info and style are notes.
func shellcheckItem(s *read.Sink, v *struct {
	File, Level, Message                   string
	Line, EndLine, Column, EndColumn, Code int
}) {
	rule := fmt.Sprintf("SC%d", v.Code)
	s.FindHere(result.Finding{
		Severity: shellcheckLevel(v.Level), RawSeverity: v.Level, Rule: rule, RuleURL: shellcheckURL(rule), Message: v.Message,
		At: &result.Location{Path: v.File, Line: v.Line, Column: v.Column, EndLine: v.EndLine, EndColumn: v.EndColumn},
	})
}

func shellcheckLevel(level string) result.Severity {
	if level == "style" {
		return result.SevInfo
	}
	return read.SeverityOf(level)
}

func isShellcheckHead(line string) bool {
	_, at, ok := strings.Cut(strings.TrimSuffix(line, ":"), " line ")
	return ok && !strings.Contains(line, ".php line ") && // as Composer and Symfony say where they raised
		strings.HasPrefix(line, "In ") && strings.HasSuffix(line, ":") && lex.IsDigits(at)
}

// shellcheckLine reads "In FILE line 3:", the source below it, and one caret
// line for each problem: "   ^--^ SC2086 (info): text".
func shellcheckLine(s *read.Sink, l tool.Line) bool {
	if isShellcheckHead(l.Text) {
		s.Path = l.Text
		s.Sign(l)
		s.Break()
		return true
	}
	carets, rest, ok := strings.Cut(l.Text, " SC")
	mark := strings.TrimLeft(carets, " ")
	if rule, text, has := strings.Cut(rest, " ("); ok && has && s.Path != "" && strings.HasPrefix(mark, "^") && lex.IsDigits(rule) {
		level, message, _ := strings.Cut(text, "): ")
		path, line, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(s.Path, "In "), ":"), " line ")
		s.Find(l, result.Finding{
			Severity: shellcheckLevel(level), RawSeverity: level, Rule: "SC" + rule, RuleURL: shellcheckURL("SC" + rule), Message: message,
			At: &result.Location{Path: path, Line: lex.Atoi(line), Column: len(carets) - len(mark) + 1},
		})
		return true
	}
	return shellcheckTrouble(s, l) || s.Signed
}

// shellcheckTrouble reads what it says of a file that it cannot read.
func shellcheckTrouble(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "unrecognized option `") || strings.HasPrefix(l.Text, "Unknown shell: ") || strings.HasPrefix(l.Text, "No files specified.") || strings.HasPrefix(l.Text, "Unknown format ") {
		s.Misuse(l, l.Text)
		return true
	}
	path, why, ok := strings.Cut(l.Text, ": ")
	if !ok || l.Stream != tool.Stderr || !strings.HasPrefix(why, path+": ") {
		return false
	}
	s.Find(l, result.Finding{Message: strings.TrimPrefix(why, path+": "), At: &result.Location{Path: path}})
	s.Meaning = result.MeansFindings
	return true
}
