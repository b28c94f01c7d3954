package prose

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tidy", func(p *tool.Parser) {
	p.Is("tidy", result.Lint, 1, "HTML Tidy 4.9 to 5.8: default and --gnu-emacs yes")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: tidyOnlyFile, Other: tidyLine}.Parse})
})

// tidyOnlyFile accepts diagnostics with a severity, as --gnu-emacs prints them.
func tidyOnlyFile(d *read.Diagnostic) bool { return d.Word != "" }

// tidyLine reads "line 5 column 13 - Warning: text", which names no file, and the closing count in the words of old
// and new versions.
func tidyLine(s *read.Sink, l tool.Line) bool {
	var line, column, warnings, errors int
	switch text := l.Text; {
	case strings.HasPrefix(text, "line "):
		at, rest, ok := strings.Cut(text, " - ")
		if n, _ := fmt.Sscanf(at, "line %d column %d", &line, &column); !ok || n != 2 {
			return false
		}
		word, message := read.CutSeverity(rest)
		f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
		if file := read.OnlyFile(s.In, ".html", ".htm", ".xhtml", ".xml"); file != "" {
			f.At = &result.Location{Path: file, Line: line, Column: column}
		} else {
			f.Message = at + ": " + message
		}
		s.Find(l, f)
	case strings.HasPrefix(text, "Tidy found "):
		if n, _ := fmt.Sscanf(strings.NewReplacer("warning ", "warnings ", "error!", "errors!").Replace(text), "Tidy found %d warnings and %d errors!", &warnings, &errors); n == 2 {
			s.Claim(errors)
		}
		s.Close(l)
	case text == "No warnings or errors were found.":
		s.Close(l)
	case strings.HasPrefix(text, "Document: ") && strings.HasSuffix(text, " is not a file!"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	case strings.HasPrefix(text, "Config: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "Config: ")})
	default:
		return s.Closed() // lines below the closing count are advice
	}
	return true
}
