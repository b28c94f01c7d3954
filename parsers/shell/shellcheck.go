package shell

import (
	"strconv"
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
			{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(shellcheckItem, "/*", "/comments/*")}.Parse},
			{Name: "checkstyle", Parse: read.Checkstyle(read.LinkedRule("ShellCheck.", shellcheckURL))},
			{Name: "tty", Starts: []string{"In … line "}, Sniff: isShellcheckHead, Parse: read.Text{Line: shellcheckLine, Usage: shellcheckUsage}.Parse},
			{Name: "gcc", Parse: read.Linter{Rule: read.Brackets, URL: shellcheckURL, Other: shellcheckTrouble, Usage: shellcheckUsage, Accept: read.RuleStarts("SC")}.Parse},
		},
	}
})

var shellcheckUsage = []string{"unrecognized option `", "Unknown shell: ", "No files specified.", "Unknown format "}

func shellcheckURL(rule string) string { return "https://www.shellcheck.net/wiki/" + rule }

func shellcheckItem(s *read.Sink, v *struct {
	File, Level, Message                   string
	Line, EndLine, Column, EndColumn, Code int
}) {
	at := result.Location{Path: v.File, Line: v.Line, Column: v.Column, EndLine: v.EndLine, EndColumn: v.EndColumn}
	s.FindHere(shellcheckFinding(at, strconv.Itoa(v.Code), v.Level, v.Message))
}

func shellcheckFinding(at result.Location, code, level, message string) result.Finding {
	return result.Finding{Severity: read.StyleIsNote(level), RawSeverity: level, Rule: "SC" + code, RuleURL: shellcheckURL("SC" + code), Message: message, At: &at}
}

func isShellcheckHead(line string) bool {
	_, at, ok := strings.Cut(strings.TrimSuffix(line, ":"), " line ")
	return ok && !strings.Contains(line, ".php line ") && // as Composer and Symfony say where they raised
		strings.HasPrefix(line, "In ") && strings.HasSuffix(line, ":") && lex.IsDigits(at)
}

// shellcheckLine reads "In FILE line 3:", the source below it, and one caret
// line for each problem: "   ^--^ SC2086 (info): text".
func shellcheckLine(s *read.Sink, l tool.Line) bool {
	carets, rest, _ := strings.Cut(l.Text, " SC")
	mark := strings.TrimLeft(carets, " ")
	code, text, ok := strings.Cut(rest, " (")
	switch {
	case isShellcheckHead(l.Text):
		s.Path = l.Text
		s.Sign(l)
	case ok && s.Path != "" && strings.HasPrefix(mark, "^") && lex.IsDigits(code):
		level, message, _ := strings.Cut(text, "): ")
		path, line, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(s.Path, "In "), ":"), " line ")
		s.Find(l, shellcheckFinding(result.Location{Path: path, Line: lex.Atoi(line), Column: len(carets) - len(mark) + 1}, code, level, message))
	default:
		return shellcheckTrouble(s, l) || s.Signed
	}
	return true
}

// shellcheckTrouble reads "a.sh: a.sh: openBinaryFile: does not exist".
func shellcheckTrouble(s *read.Sink, l tool.Line) bool {
	path, why, _ := strings.Cut(l.Text, ": ")
	why, ok := strings.CutPrefix(why, path+": ")
	if ok && l.Stream == tool.Stderr {
		s.Find(l, result.Finding{Message: why, At: &result.Location{Path: path}})
		s.Meaning = result.MeansFindings
		return true
	}
	return false
}
