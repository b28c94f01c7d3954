package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ssort", func(p *tool.Parser) {
	p.Is("ssort", result.Format, 1, "ssort 0.1x: --check, --diff")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unsorted, Other: ssortLine}.Parse})
	p.Reads(read.PythonTrouble("ssort"))
})

var unsorted = result.Finding{Rule: "unsorted", Message: "is incorrectly sorted", Fixable: true}

// ssortLine reads "ERROR: syntax error in a.py: line 1, column 7" and "ERROR: 'a.py'
// is incorrectly sorted".
func ssortLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "ERROR: ")
	if !ok {
		return strings.Contains(l.Text, " would be ") && (strings.HasPrefix(l.Text[1:], " file") || strings.Contains(l.Text, " files would"))
	}
	f := result.Finding{Message: text, At: place.InSentence(text)}
	if path, is := strings.CutSuffix(text, " "+unsorted.Message); is {
		f = unsorted
		f.At = &result.Location{Path: strings.Trim(path, "'")}
	} else if f.At != nil {
		f.Message, _, _ = strings.Cut(text, " in "+f.At.Path)
	} else if path, is := strings.CutSuffix(text, " does not exist"); is {
		f.Kind, f.At = result.GenericFinding, &result.Location{Path: strings.Trim(path, "'")}
	}
	return s.Find(l, f)
}
