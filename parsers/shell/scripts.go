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
		Rule: "code", Severity: "level", Message: "message", Fit: func(f *result.Finding) { f.Rule, f.Severity = "SC"+f.Rule, read.StyleIsNote(f.RawSeverity) },
	}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(read.BareRule("ShellCheck."))})
	p.Reads(tool.Format{Name: "tty", Starts: []string{"In … line "}, Sniff: isShellcheckHead, Parse: read.Fresh(func(r *shellcheckTTY) read.Text { return read.Text{Line: r.line, Usage: shellcheckUsage} })})
	p.Reads(tool.Format{Name: "gcc", Parse: read.Linter{Rule: read.Brackets, Other: shellcheckTrouble, Usage: shellcheckUsage, Accept: read.RuleStarts("SC")}.Parse})
})

var shellcheckUsage = []string{"unrecognized option `", "Unknown shell: ", "No files specified.", "Unknown format "}

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

var _ = Room.Add("shfmt", func(p *tool.Parser) {
	p.Is("shfmt", result.Format, 1, "shfmt 3: -d, -l, and scripts that do not parse")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Plain: true, Accept: func(d *read.Diagnostic) bool { return d.At.Column > 0 }, Other: shfmtOther}.Parse})
})

// shfmtOther reads a difference, the path of a file that is not formatted, and errors on which shfmt cannot begin.
func shfmtOther(s *read.Sink, l tool.Line) bool {
	t := l.Text
	head := strings.Fields(t)
	switch {
	case len(head) == 3 && head[0] == "diff" && strings.TrimSuffix(head[1], ".orig") == head[2]:
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: head[2]}})
		s.Break()
	case len(s.Findings) > 0 && l.Stream == tool.Stdout && (t == "" || strings.ContainsRune("+-@ \\", rune(t[0]))):
	case l.Stream == tool.Stdout && len(head) == 1 && !strings.ContainsRune("+-#[", rune(t[0])) && !strings.Contains(t, "...."):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: t}})
		s.Break()
	case l.Stream == tool.Stderr && lex.HasAnyPrefix(t, "lstat ", "stat ", "open ", "flag provided "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		s.Break()
		s.Meaning = result.MeansUsage
	default:
		return s.Meaning == result.MeansUsage
	}
	return true
}

var _ = Room.Add("sed gsed", func(p *tool.Parser) {
	p.Is("sed", result.Generic, 1, "GNU sed 4: scripts that are wrong, files that cannot be read")
	p.Reads(tool.Format{Name: "text", Starts: []string{"sed: -e expression #"}, Parse: read.Text{Line: sedLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: sedLine}.Parse)})
})

// sedLine reads "sed: -e expression #1, char 8: text" and "sed: file a.sed line 1: text".
func sedLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "sed: ")
	wrong := lex.HasAnyPrefix(message, "-e expression #", "file ", "unrecognized option ", "invalid option ", "no input files")
	if !ok || !wrong && !lex.HasAnyPrefix(message, "can't ", "couldn't ", "cannot ", "read error on ") {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if rest, inFile := strings.CutPrefix(message, "file "); inFile {
		place, why, _ := strings.Cut(rest, ": ")
		if path, n, ok := strings.Cut(place, " line "); ok && lex.IsDigits(n) && len(n) < 8 {
			f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(n)}, why
		}
	}
	if s.Find(l, f); wrong { // the exit code 1 does not prove misuse: a sed script may set it
		s.Meaning = result.MeansUsage
	}
	return true
}
