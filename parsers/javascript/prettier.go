package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("prettier", func(p *tool.Parser) {
	p.Is("prettier", result.Format, 1, "prettier 2 and 3: --check, --list-different, --write")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "check", Starts: []string{"[warn] Code style issues found in ", "[error] … SyntaxError: "}, Parse: read.Text{Line: prettierLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: prettierNamed})
})

// prettierNamed reads the usual lines, and the bare names that --list-different prints.
func prettierNamed(in *tool.Input) *tool.Report {
	lists := slices.ContainsFunc(in.Command().Argv, func(a string) bool { return a == "-l" || a == "--list-different" })
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if lists && l.Stream == tool.Stdout && prettierPath(l.Text) {
			prettierUnformatted(s, l, l.Text)
			return true
		}
		return prettierLine(s, l)
	}}.Parse(in)
}

func prettierUnformatted(s *read.Sink, l tool.Line, path string) {
	s.Find(l, result.Finding{Rule: "format", Name: path, Message: "Code style issues found", At: &result.Location{Path: path}, Fixable: true})
}

// prettierPath reports whether a line is the path of a file and nothing else.
func prettierPath(text string) bool {
	base := text[strings.LastIndexAny(text, `/\`)+1:]
	return text != "" && text[0] != ' ' && !strings.Contains(text, ": ") && strings.Contains(base, ".") && !strings.HasSuffix(text, ".") && !strings.ContainsAny(text, "\"'`!?")
}

// prettierLine reads "[warn] path" and "[error] path: SyntaxError: text (2:10)".
func prettierLine(s *read.Sink, l tool.Line) bool {
	if text, ok := strings.CutPrefix(l.Text, "[warn] "); ok {
		switch {
		case strings.HasPrefix(text, "Code style issues found in "):
			s.Found(l, max(1, lex.LeadingNumber(text[len("Code style issues found in "):])))
		case prettierPath(text):
			prettierUnformatted(s, l, text)
		case !strings.Contains(text, " "):
			return false
		default:
			s.Find(l, result.Finding{Severity: result.SevWarning, Message: text})
		}
		return true
	}
	if text, ok := strings.CutPrefix(l.Text, "[error] "); ok {
		return prettierError(s, l, text)
	}
	if strings.HasPrefix(l.Text, "All matched files use Prettier code style") || strings.HasPrefix(l.Text, "Checking formatting...") {
		return s.Sign(l)
	}
	return strings.HasPrefix(l.Text, "Error occurred when checking code style in ")
}

func prettierError(s *read.Sink, l tool.Line, text string) bool {
	path, rest, _ := strings.Cut(text, ": ")
	class, message := jserror.CutClass(rest)
	switch {
	case jserror.IsExcerpt(strings.TrimSpace(text)):
		s.More(l)
	case class != "" && prettierPath(path):
		f := result.Finding{Rule: class, Message: message, At: &result.Location{Path: path}}
		if at, rest, ok := jserror.CutSyntax(path + ": " + message); ok || at.Line > 0 {
			f.At, f.Message = &result.Location{Path: path, Line: at.Line, Column: at.Column - 1}, rest
		} else if line, column, rest, ok := place.CutAtEnd(message); ok {
			f.At.Line, f.At.Column, f.Message = line, column, rest
		}
		s.Find(l, f)
		s.Break()
	case s.Last() != nil && s.Meaning == result.MeansUsage:
		jserror.More(s.Last(), text)
		s.More(l)
	case strings.HasPrefix(text, "No parser could be inferred for file "):
		path := strings.Trim(text[len("No parser could be inferred for file "):], `".`)
		s.Find(l, result.Finding{Message: text, At: &result.Location{Path: path}})
	default:
		s.Refuse(l, result.Finding{Message: text})
	}
	return true
}
