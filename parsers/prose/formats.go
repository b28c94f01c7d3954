package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doc8", func(p *tool.Parser) {
	p.Is("doc8", result.Lint, 1, "doc8 1.x and 2.x")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Accept: func(d *read.Diagnostic) bool {
		return len(d.Rule) == 4 && d.Rule[0] == 'D'
	}, Other: doc8Line}.Parse})
	p.Reads(read.PythonTrouble("doc8"))
})

// doc8Line reports whether a line belongs to the progress or the summary.
func doc8Line(s *read.Sink, l tool.Line) bool {
	return lex.HasAnyPrefix(l.Text, "Scanning...", "Validating...", "========", "Total ", "Detailed error counts:", "    - doc8.checks.") && s.Sign(l)
}

var _ = Room.Add("rstcheck", func(p *tool.Parser) {
	p.Is("rstcheck", result.Lint, 1, "rstcheck 3 to 6")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // docutils prints the severity's number, too
		{Form: "{path}:{line}: ({severity}/{}) {message}"},
		{Form: "WARNING:rstcheck_core.{}:{message}", As: read.Misuse},
		{Form: "Success! No issues detected.{}", As: read.Skip},
		{Form: "Error! Issues detected.{}", As: read.Skip},
	}}.Parse})
	read.InPython(p)
})

// j2lint draws a tree, in which a row may take two lines:
//
//	├── j2/b.j2:2 Jinja statements should not have {%- or {%+ or -%} as delimiters
//	│   (jinja-statements-delimiter)
var _ = Room.Add("j2lint", func(p *tool.Parser) {
	p.Is("j2lint", result.Lint, 1, "j2lint 1: the tree and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/ERRORS/*": j2lintItems(result.SevError), "/WARNINGS/*": j2lintItems(result.SevWarning)}}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: j2lintLine}.Parse})
	p.Reads(read.PythonTrouble("j2lint"))
})

func j2lintItems(severity result.Severity) func(*read.Sink, []byte) error {
	return read.Objects{Default: severity, Path: "filename", Line: "line_number", Rule: "id", Message: "message"}.Item
}

func j2lintLine(s *read.Sink, l tool.Line) bool {
	row := strings.TrimLeft(l.Text, "│├└─ ")
	branch := strings.HasPrefix(l.Text, "├── ") || strings.HasPrefix(l.Text, "└── ")
	where, message, _ := strings.Cut(row, " ")
	switch at := read.PlaceOf(where); {
	case branch && at != nil && at.Line > 0:
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: j2lintSeverity(s), Rule: rule, Message: message, At: at})
	case strings.HasPrefix(l.Text, "────") && strings.Contains(l.Text, " JINJA2 LINT "):
		s.Path = strings.Trim(l.Text, "─ ")
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Jinja2 linting finished with "):
		n := read.Counts(l.Text)
		s.Found(l, n["error(s)"])
	case s.Last() != nil && row != "" && len(row) < len(l.Text):
		f := s.Last()
		f.Message, f.Rule = read.Parens.Cut(strings.TrimRight(f.Message, " ") + " " + row)
		f.RawSpan.End = max(f.RawSpan.End, l.End)
	default:
		s.Break()
		return strings.HasPrefix(l.Text, "Linting complete. No problems found")
	}
	return true
}

func j2lintSeverity(s *read.Sink) result.Severity {
	if strings.Contains(s.Path, "WARNING") {
		return result.SevWarning
	}
	return result.SevError
}

var _ = Room.Add("taplo", func(p *tool.Parser) {
	p.Is("taplo", result.Lint, 1, "taplo 0.8 to 0.10: lint, check, fmt --check")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*taplo).line))})
})

// taplo reads messages with a frame, whose last line completes the message, and lines of its log:
//
//	error: invalid TOML
//	  ┌─ a.toml:1:5
//	2 │ │
//	  │ ╰^ expected value
//	ERROR taplo:format_files: the file is not properly formatted path="ts.toml"
//	ERROR operation failed error=some files were not valid
type taplo struct{ framed read.Framed }

func (t *taplo) line(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR ")
	if !ok {
		return t.inFrame(s, l)
	}
	s.Break()
	said, path, named := strings.Cut(message, " path=\"")
	said = strings.TrimSpace(said)
	switch path = strings.TrimSuffix(path, "\""); {
	case len(s.Findings) > 0 && (strings.HasPrefix(said, "operation failed ") || strings.Contains(said, ": invalid file error=")):
		s.Sign(l)
	case named:
		_, said, _ = strings.Cut(said, ": ")
		s.Find(l, result.Finding{Message: said, At: &result.Location{Path: path}})
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
	}
	return true
}

// inFrame reads a line of a message or its frame. The text behind the caret is appended to the message.
func (t *taplo) inFrame(s *read.Sink, l tool.Line) bool {
	if !t.framed.Line(s, l) {
		return strings.HasPrefix(l.Text, " INFO taplo:")
	}
	f := s.Last()
	_, why, marked := strings.Cut(l.Text, "^ ")
	if marked && f != nil && !strings.Contains(f.Message, ": ") {
		f.Message += ": " + strings.TrimSpace(why)
	}
	return true
}

var _ = Room.Add("tombi", func(p *tool.Parser) {
	p.Is("tombi", result.Lint, 1, "tombi 0.x and 1: lint, format --check")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "  Info: {}", As: read.Skip},
		{Form: "  {severity}: \"{path}\" is not formatted", Fit: func(f *result.Finding) {
			f.Rule, f.Message, f.Fixable = "unformatted", `"`+f.At.Path+`" is not formatted`, true
		}},
		{Form: "  {severity}: {message}"},
		{Form: "    at {place}", As: read.Fill},
		{Form: "{} failed to be {}", As: read.Skip},
	}}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Usage: []string{"error: "}, Line: func(*read.Sink, tool.Line) bool { return false }}.Parse})
})
