package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("shellcheck", func(p *tool.Parser) {
	p.Is("shellcheck", result.Lint, 1, "shellcheck 0.9 to 0.11: tty, gcc, checkstyle, json and json1")
	p.ColumnUnit = "char"
	p.RuleURL = tool.RulesAt("https://www.shellcheck.net/wiki/")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage, 4: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		Clean: true, At: []string{"/*", "/comments/*"}, Path: "file", Line: "line", Column: "column", EndLine: "endLine", EndColumn: "endColumn",
		Rule: "code", Severity: "level", Message: "message", Fit: shellcheckFit,
	}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(read.BareRule("ShellCheck."))})
	p.Reads(tool.Format{Name: "tty", Starts: []string{"In … line "}, Sniff: isShellcheckHead, Parse: read.Fresh(func(r *shellcheckTTY) read.Text { return read.Text{Line: r.line, Usage: shellcheckUsage} })})
	p.Reads(tool.Format{Name: "gcc", Parse: read.Linter{Rule: read.Brackets, Other: shellcheckTrouble, Usage: shellcheckUsage, Accept: read.RuleStarts("SC")}.Parse})
})

var shellcheckUsage = []string{"unrecognized option `", "Unknown shell: ", "No files specified.", "Unknown format "}

// shellcheckFit puts "SC" before the rule, which is only a number in JSON.
func shellcheckFit(f *result.Finding) {
	f.Rule, f.Severity = "SC"+f.Rule, read.StyleIsNote(f.RawSeverity)
}

func isShellcheckHead(line string) bool {
	_, at, ok := strings.Cut(strings.TrimSuffix(line, ":"), " line ")
	return ok && !strings.Contains(line, ".php line ") && // Composer and Symfony print "In X.php line 3:"
		strings.HasPrefix(line, "In ") && strings.HasSuffix(line, ":") && lex.IsDigits(at)
}

// shellcheckTTY reads "In FILE line 3:", the source below it, and one caret
// line for each problem: "   ^--^ SC2086 (info): text".
type shellcheckTTY struct {
	source bool // the next line is a line of the script, or a proposed replacement
}

func (c *shellcheckTTY) line(s *read.Sink, l tool.Line) bool {
	source := c.source
	c.source = false
	carets, rest, _ := strings.Cut(l.Text, " SC")
	mark := strings.TrimLeft(carets, " ")
	code, text, ok := strings.Cut(rest, " (")
	switch {
	case isShellcheckHead(l.Text):
		s.Path, c.source = l.Text, true
		return s.Sign(l)
	case ok && s.Path != "" && strings.HasPrefix(mark, "^") && lex.IsDigits(code):
		level, message, _ := strings.Cut(text, "): ")
		path, line, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(s.Path, "In "), ":"), " line ")
		at := result.Location{Path: path, Line: lex.Atoi(line), Column: len(carets) - len(mark) + 1}
		return s.Find(l, result.Finding{Severity: read.StyleIsNote(level), RawSeverity: level, Rule: "SC" + code, Message: message, At: &at})
	}
	c.source = s.Signed && strings.HasPrefix(l.Text, "Did you mean:")
	isMark := mark != "" && strings.Trim(mark, "^- ") == ""
	isNoise := l.Text == "" || isMark || lex.HasAnyPrefix(l.Text, "For more information:", "  https://www.shellcheck.net/wiki/")
	return shellcheckTrouble(s, l) || s.Signed && (source || c.source || isNoise)
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
