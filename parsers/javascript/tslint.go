package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
