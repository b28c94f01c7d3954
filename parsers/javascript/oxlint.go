package javascript

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("oxlint", func(p *tool.Parser) {
	p.Is("oxlint", result.Lint, 1, "oxlint 0.15 to 1.94: default, json, unix, github, gitlab, stylish, agent, checkstyle, sarif")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "json", Starts: []string{`{ "diagnostics": [`}, Parse: read.Objects{
		At: []string{"/diagnostics/*"}, Clean: true, Path: "filename", Line: "labels.span.line", Column: "labels.span.column",
		Rule: "code", URL: "url", Severity: "severity", Message: "message", Help: "help",
	}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(oxlintSARIF)})
	p.Reads(tool.Format{Name: "gitlab", Parse: oxlintGitLab})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "github", Parse: annotations(oxlintAnnotation)})
	p.Reads(tool.Format{Name: "unix", Parse: read.Linter{Accept: oxlintUnix}.Parse})
	p.Reads(tool.Format{Name: "agent", Parse: read.Linter{Accept: oxlintAgent}.Parse})
	p.Reads(tool.Format{Name: "stylish", Parse: read.Grouped{Row: read.RowForm{LastColumn: true}}.Parse})
	p.Reads(tool.Format{Name: "default", Parse: read.Text{Line: oxlintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ", "Failed to parse oxlint configuration file", "Failed to ")})
})

// oxlintGitLab reads the GitLab report, the only format in which oxlint's paths are relative to the root of the
// repository.
func oxlintGitLab(in *tool.Input) *tool.Report {
	root := in.Workspace.Root
	return read.Fitted(read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": biomeIssue.Item}}.Parse, func(f *result.Finding) {
		if f.At != nil && root != "" && root != in.Workspace.Dir && !result.IsAbsolute(f.At.Path) {
			f.At.Path = strings.TrimRight(root, "/") + "/" + f.At.Path
		}
	})(in)
}

// oxlintSARIF removes OXL0001, the rule that SARIF output gives to a finding without a rule.
func oxlintSARIF(f *result.Finding) {
	if f.Rule == "OXL0001" {
		f.Rule = ""
	}
}

// oxlintAnnotation removes the place that begins the message, and the title "oxlint" of a finding without a rule.
func oxlintAnnotation(f *result.Finding) {
	if _, rest, ok := place.Cut(f.Message); ok {
		f.Message = rest
	}
	if f.Rule == "oxlint" {
		f.Rule = ""
	}
}

// oxlintUnix splits "[Warning/eslint(no-unused-vars)]", severity and rule, from the end of a message.
func oxlintUnix(d *read.Diagnostic) bool {
	i := strings.LastIndex(d.Message, " [")
	if i < 0 || !strings.HasSuffix(d.Message, "]") {
		return false
	}
	d.Word, d.Rule, _ = strings.Cut(d.Message[i+2:len(d.Message)-1], "/")
	d.Word, d.Message = strings.ToLower(d.Word), d.Message[:i]
	return read.SeverityOf(d.Word) != ""
}

// oxlintAgent reads "warning eslint(no-unused-vars): text help: what to do".
func oxlintAgent(d *read.Diagnostic) bool {
	if d.Word == "" || strings.HasPrefix(d.Message, "TS") && lex.LeadingNumber(d.Message[2:]) > 0 { // printed by tsc, not by oxlint
		return false
	}
	d.Message, _, _ = strings.Cut(d.Message, " help: ")
	d.Rule, d.Message = oxlintRule(d.Message)
	return true
}

// oxlintRule splits "eslint(no-unused-vars): text".
func oxlintRule(text string) (rule, message string) {
	if name, rest, ok := strings.Cut(text, "): "); ok && !strings.Contains(name, " ") && strings.Contains(name, "(") {
		return name + ")", rest
	}
	return "", text
}

// oxlintLine reads blocks: "  ! rule: text" and below it ",-[path:3:7]".
func oxlintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	mark, rest, ok := strings.Cut(text, " ")
	severity := biomeMark(mark)
	if mark == "x" {
		severity = result.SevError
	}
	f := s.Last()
	switch {
	case ok && severity != "" && severity != result.SevInfo && strings.HasPrefix(l.Text, "  ") && l.Text[2] != ' ':
		rule, message := oxlintRule(rest)
		s.Find(l, result.Finding{Severity: severity, Rule: rule, Message: message})
		if strings.HasPrefix(message, "Failed to ") && rule == "" {
			s.Meaning = result.MeansUsage
		}
	case strings.HasPrefix(text, "No files found to lint"):
		s.Refuse(l, result.Finding{Message: text})
		s.Break()
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " warning") && strings.Contains(text, " error"):
		s.Found(l, read.ErrorsIn(text))
	case strings.HasPrefix(text, "Finished in ") && strings.Contains(text, " file"):
		s.Sign(l)
	case f == nil:
		return false
	default:
		f.At = cmp.Or(f.At, place.InCorner(text))
		s.More(l)
	}
	return true
}

var _ = Room.Add("tslint", func(p *tool.Parser) {
	p.Is("tslint", result.Lint, 1, "tslint 4 to 6: prose, stylish, verbose, msbuild, codeFrame, checkstyle, json")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: ", "WARNING: "}, Named: true, Sniff: isTSLint, Parse: read.Text{Line: tslintLine}.Parse})
	p.Reads(tool.Format{Name: "codeFrame", Parse: parseTSLintFrames})
	p.Reads(tool.Format{Name: "json", Starts: []string{`[{"endPosition":{"character":`}, Parse: read.Objects{
		At: []string{"/*"}, Path: "name", Line: "startPosition.line", Line0: true, Column: "startPosition.character", Column0: true,
		Rule: "ruleName", Severity: "ruleSeverity", Message: "failure",
	}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(read.BareRule("failure.tslint."))})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Invalid option for configuration", "Could not find ", "No files ", "Failed to load ", "error: ")})
})

// isTSLint reports whether a line has one of the two forms that only tslint prints, stylish and verbose: a severity
// before the place.
func isTSLint(line string) bool {
	_, rest, _ := strings.Cut(line, ": ")
	f, ok := tslintProblem(rest, "src/a.ts")
	return ok && f.Rule != ""
}

// tslintLine reads the formats with one problem per line.
func tslintLine(s *read.Sink, l tool.Line) bool {
	word, rest, ok := strings.Cut(l.Text, ": ")
	if ok && (word == "ERROR" || word == "WARNING") {
		if f, ok := tslintProblem(rest, s.Path); ok {
			f.Severity, f.RawSeverity = read.SeverityOf(word), word
			return s.Find(l, f)
		}
	}
	d, placed := read.CutDiagnostic(l.Text)
	switch {
	case placed && d.Word != "": // msbuild: "a.ts(3,1): error noEmpty: text"
		d.Message, d.Rule = read.Colon.Cut(d.Message)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Rule: kebab(d.Rule), Message: d.Message, At: &d.At})
	case l.Text != "" && l.Text[0] != ' ' && strings.Contains(l.Text, "."):
		s.Path = strings.Clone(l.Text)
		if at := read.PlaceOf(l.Text); at != nil {
			s.Path = strings.Clone(at.Path)
		}
		return false
	}
	return false
}

// tslintProblem reads the text after the severity:
//
//	src/a.ts:2:1 - text                 prose
//	2:1   rule  text                    stylish, below "src/a.ts:2:1"
//	(rule) src/a.ts[2, 1]: text         verbose
func tslintProblem(text, path string) (f result.Finding, ok bool) {
	if rule, rest, verbose := strings.Cut(text, ") "); verbose && text[0] == '(' {
		d, ok := read.CutDiagnostic(rest)
		return result.Finding{Rule: rule[1:], Message: d.Message, At: &d.At}, ok
	}
	if d, prose := read.CutDiagnostic(text); prose {
		return result.Finding{Message: d.Message, At: &d.At}, true
	}
	where, rest, _ := strings.Cut(text, " ")
	line, column, two := strings.Cut(where, ":")
	rule, message, three := strings.Cut(strings.TrimLeft(rest, " "), "  ")
	if !two || !three || path == "" || !lex.IsDigits(line) || !lex.IsDigits(column) || strings.Contains(rule, " ") {
		return f, false
	}
	return result.Finding{Rule: rule, Message: strings.TrimSpace(message), At: &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}}, true
}

// kebab returns a rule as it is configured, "no-var-keyword": msbuild's format writes "noVarKeyword".
func kebab(rule string) string {
	var b strings.Builder
	for i := range len(rule) {
		if c := rule[i]; c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			b.WriteByte(c | 0x20)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// parseTSLintFrames reads a path, and below it messages, "text (rule)", each with an excerpt of the source.
func parseTSLintFrames(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimRight(l.Text, " ")
		message, rule := read.Parens.Cut(text)
		f := s.Last()
		switch {
		case rule != "" && s.Path != "" && text[0] != ' ' && text[0] != '>':
			return s.Find(l, result.Finding{Rule: rule, Message: message, At: &result.Location{Path: s.Path}})
		case f != nil && jserror.IsExcerpt(strings.TrimSpace(text)):
			if text[0] == '>' {
				f.At.Line = lex.LeadingNumber(strings.TrimLeft(text, "> "))
			}
			return s.More(l)
		case text != "" && text[0] != ' ' && strings.Contains(text, ".") && !strings.Contains(text, ": "):
			s.Path = strings.Clone(text)
			return false
		}
		return false
	}}.Parse(in)
}
