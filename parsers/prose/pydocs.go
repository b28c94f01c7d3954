package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of Markdown and reStructuredText that are written in Python.

var _ = Room.Add("doc8", func() *tool.Parser {
	return &tool.Parser{
		Tool: "doc8", Kind: result.Lint, Version: 1,
		About: "doc8 1.x and 2.x",

		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Rule: read.First, Accept: func(d *read.Diagnostic) bool {
			return len(d.Rule) == 4 && d.Rule[0] == 'D'
		}, Other: doc8Line}.Parse}, read.PythonTrouble("doc8")},
	}
})

// doc8Line takes the summary.
func doc8Line(s *read.Sink, l tool.Line) bool {
	for _, head := range [...]string{"Scanning...", "Validating...", "========", "Total ", "Detailed error counts:", "    - doc8.checks."} {
		if strings.HasPrefix(l.Text, head) {
			s.Sign(l)
			return true
		}
	}
	return false
}

var _ = Room.Add("rstcheck", func() *tool.Parser {
	return &tool.Parser{
		Tool: "rstcheck", Kind: result.Lint, Version: 1,
		About: "rstcheck 3 to 6",

		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Plain: true, Accept: rstcheckItem, Other: func(s *read.Sink, l tool.Line) bool {
			if message, ok := strings.CutPrefix(l.Text, "WARNING:rstcheck_core."); ok {
				_, message, _ = strings.Cut(message, ":")
				s.Misuse(l, message)
				return true
			}
			return strings.HasPrefix(l.Text, "Success! No issues detected.") || strings.HasPrefix(l.Text, "Error! Issues detected.")
		}}.Parse}, read.PythonTrouble("rstcheck")},
	}
})

// rstcheckItem reads "(WARNING/2) text", where docutils counts the severity too.
func rstcheckItem(d *read.Diagnostic) bool {
	level, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "("), ") ")
	word, _, counted := strings.Cut(level, "/")
	if !ok || !counted || !strings.HasPrefix(d.Message, "(") {
		return false
	}
	d.Word, d.Message = strings.ToLower(word), message
	if d.Word == "severe" {
		d.Word = "error"
	}
	return true
}

var _ = Room.Add("proselint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "proselint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "proselint 0.10 to 0.16",

		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: func(d *read.Diagnostic) bool {
			rule, message, ok := strings.Cut(d.Message, " ")
			if ok = ok && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789_.:") == ""; ok {
				d.Rule, d.Message = strings.TrimSuffix(rule, ":"), message
			}
			return ok
		}}.Parse}, read.PythonTrouble("proselint")},
	}
})

var _ = Room.Add("pymarkdown pymarkdownlnt", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pymarkdown", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:    "pymarkdown 0.9: scan",
		Programs: []string{"pymarkdown"},
		Exits:    map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Rule: read.Colon, Accept: func(d *read.Diagnostic) bool {
			d.Message, _ = read.Parens.Cut(d.Message) // the names of the rule
			return strings.HasPrefix(d.Rule, "MD") || strings.HasPrefix(d.Rule, "PML")
		}, Other: pymarkdownLine}.Parse}, read.PythonTrouble("pymarkdown")},
	}
})

func pymarkdownLine(s *read.Sink, l tool.Line) bool {
	ok := lex.HasAnyPrefix(l.Text, "Provided path '", "Provided file path '", "No matching files found")
	if ok {
		s.Misuse(l, l.Text)
	}
	return ok
}

var _ = Room.Add("mdformat", func() *tool.Parser {
	return &tool.Parser{
		Tool: "mdformat", Kind: result.Format, Version: 1,
		About: "mdformat 0.7 to 1.0: --check",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: mdformatLine}.Parse}, read.PythonTrouble("mdformat")},
	}
})

// mdformatLine reads `Error: File "a.md" is not formatted.`, and "Error: Could not
// format a.md".
func mdformatLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "Error: ")
	if !ok {
		return false
	}
	path, quoted := strings.CutPrefix(message, `File "`)
	path, ends := strings.CutSuffix(path, `" is not formatted.`)
	if quoted && ends {
		s.Find(l, result.Finding{Rule: "unformatted", Message: "is not formatted", At: &result.Location{Path: path}, Fixable: true})
		return true
	}
	s.Find(l, result.Finding{Message: message, At: place.InSentence(message)})
	return true
}
