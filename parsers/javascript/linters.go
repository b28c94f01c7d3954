package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("coffeelint", func(p *tool.Parser) {
	p.Is("coffeelint", result.Lint, 1, "coffeelint 2 to 5: default, raw, csv, jslint, checkstyle")
	p.Reads(tool.Format{Name: "text", Starts: []string{"✗ Lint! » "}, Parse: read.Text{Line: coffeelintLine}.Parse})
	p.Reads(tool.Format{Name: "raw", Parse: read.JSONByShape(`"level":`, nil)})
	p.Reads(tool.Format{Name: "csv", Parse: read.TableByShape("path,lineNumber,", nil)})
	p.Reads(tool.Format{Name: "jslint", Parse: read.XMLByShape("jslint", func(f *result.Finding) {
		f.RawSeverity, f.Message = read.CutSeverity(f.Message)
		f.Severity = read.SeverityOf(f.RawSeverity)
	})})
})

// coffeelintLine reads a file, "  ✗ a.coffee", and below it its problems, "     ✗ #2-2: Text. (rule) more".
func coffeelintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if strings.Contains(text, " Lint! » ") || strings.Contains(text, " Ok! » ") {
		return s.Found(l, lex.LeadingNumber(text[strings.Index(text, "» ")+len("» "):]))
	}
	mark, rest, _ := strings.Cut(text, " ")
	severity := map[string]result.Severity{"✗": result.SevError, "⚡": result.SevWarning, "✓": result.SevInfo}[mark]
	where, message, row := strings.Cut(strings.TrimPrefix(rest, "#"), ": ")
	switch {
	case severity == "" && s.Open() && s.Last() != nil && s.Last().Rule == "": // source below a message; its last line is "^. (rule)"
		if _, rule := read.Parens.Cut(text); rule != "" {
			s.Last().Rule = rule
			s.Reach(l)
			return s.Break()
		}
		return s.Reach(l)
	case severity == "" || !strings.HasPrefix(l.Text, "  "):
		return false
	case row && rest[0] == '#' && s.Path != "":
		f := result.Finding{Severity: severity, Message: message, At: &result.Location{Path: s.Path, Line: lex.LeadingNumber(where)}}
		if said, behind, ok := strings.Cut(message, ". ("); ok {
			f.Rule, message, _ = strings.Cut(behind, ")")
			f.Message = strings.TrimSpace(said + ". " + strings.TrimSpace(message))
		}
		s.Find(l, f)
		if f.Rule != "" {
			s.Break()
		}
	default:
		s.Path = strings.Clone(rest)
		s.Cover(l)
	}
	return true
}

var _ = Room.Add("jshint", func(p *tool.Parser) {
	p.Is("jshint", result.Lint, 1, "jshint 2: default, unix, checkstyle")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: jshintRule, Plain: true, Other: jshintOther}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) { f.Rule = f.Rule[strings.LastIndexByte(f.Rule, '.')+1:] })})
})

// jshintRule splits the code from "Missing semicolon. (W033)". Only --verbose prints codes.
func jshintRule(d *read.Diagnostic) bool {
	if message, rule := read.Parens.Cut(d.Message); len(rule) == 4 && lex.IsDigits(rule[1:]) {
		d.Message, d.Rule = message, rule
		if rule[0] != 'E' {
			d.Word = "warning"
		}
	}
	return true
}

// jshintOther reads "5 errors", and "ERROR: Can't open nothere.js", which is a usage error.
func jshintOther(s *read.Sink, l tool.Line) bool {
	n, word, _ := strings.Cut(l.Text, " ")
	if message, ok := strings.CutPrefix(l.Text, "ERROR: "); ok {
		s.Misuse(l, message)
	} else if lex.IsDigits(n) && (word == "errors" || word == "error") {
		s.Close(l)
	} else {
		return false
	}
	return true
}

var _ = Room.Add("jsonlint", func(p *tool.Parser) {
	p.Is("jsonlint", result.Lint, 1, "jsonlint 1.6: default and --compact")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: jsonlintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("'--", "Invalid ")})
})

// jsonlintLine reads "Error: Parse error on line 3:", and below it the source and the expected tokens. Only the
// command names the file.
func jsonlintLine(s *read.Sink, l tool.Line) bool {
	if line, ok := strings.CutPrefix(l.Text, "Error: Parse error on line "); ok {
		f := result.Finding{Message: "Parse error"}
		for _, arg := range s.In.Command().Argv {
			if strings.Contains(arg, ".") && arg[0] != '-' {
				f.At = &result.Location{Path: arg, Line: lex.LeadingNumber(line)}
			}
		}
		if f.At == nil {
			f.Message = strings.TrimSuffix(strings.TrimPrefix(l.Text, "Error: "), ":")
		}
		return s.Find(l, f)
	}
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.HasPrefix(d.Message, "found: ") {
		got, want, _ := strings.Cut(strings.TrimPrefix(d.Message, "found: "), " - expected: ")
		s.Find(l, result.Finding{Message: "Expecting " + strings.TrimSuffix(want, ".") + ", got " + got, At: &d.At})
		return s.Break()
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if strings.HasPrefix(l.Text, "Expecting ") {
		f.Message = l.Text
	}
	return s.More(l)
}

var _ = Room.Add("eclint", func(p *tool.Parser) {
	p.Is("eclint", result.Lint, 1, "eclint 2: check")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(eclint.Parse)})
})

// eclint reads a path, and below it pairs of lines: a message, and the EditorConfig property that was violated.
var eclint = read.Rows{
	Rows: []read.Row{
		{Form: "  {line}:{column} ❌ {message}"},
		{Form: "  (EditorConfig {rule} {}", As: read.Fill},
		{Form: "{path}", As: read.InPath},
	},
}

var _ = Room.Add("oxfmt", func(p *tool.Parser) {
	p.Is("oxfmt", result.Format, 1, "oxfmt 0.10 to 0.50: --check, --list-different")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
		argv := in.Command().Argv
		o := oxfmt{lists: slices.Contains(argv, "--list-different") || slices.Contains(argv, "-l")}
		return read.Text{Line: o.line}.Parse(in)
	}})
})

// oxfmt reads the unformatted files, "a.ts (0ms)" below "Checking formatting...", their number, and a framed error
// for a file that does not parse.
type oxfmt struct {
	read.Framed
	lists bool // --list-different: names without times
}

func (o *oxfmt) line(s *read.Sink, l tool.Line) bool {
	if o.Line(s, l) {
		return true
	}
	name, time, timed := strings.Cut(l.Text, " (")
	said, issues := strings.CutPrefix(l.Text, "Format issues found in above ")
	switch {
	case issues:
		return s.Found(l, lex.LeadingNumber(said))
	case l.Text == "Checking formatting...":
		return s.Sign(l)
	case lex.HasAnyPrefix(l.Text, "Expected at least one target file", "Failed to read ", "Failed to parse "), strings.HasPrefix(l.Text, "Error: no such flag"):
		s.Misuse(l, l.Text)
		return s.Break()
	case timed && strings.HasSuffix(time, "ms)") && prettierPath(name), o.lists && l.Stream == tool.Stdout && prettierPath(l.Text):
		prettierUnformatted(s, l, name)
		return s.Break()
	}
	return false
}
