package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that rewrite files in place, and fail where there was something to
// rewrite, as hooks before a commit do.

var (
	_ = Room.Add("pyupgrade", func() *tool.Parser { return rewriter("pyupgrade") })
	_ = Room.Add("add-trailing-comma", func() *tool.Parser { return rewriter("add-trailing-comma") })
	_ = Room.Add("reorder-python-imports", func() *tool.Parser { return rewriter("reorder-python-imports") })
)

func rewriter(name string) *tool.Parser {
	return &tool.Parser{
		Tool: name, Kind: result.Format, Version: 1,
		About:   name + ": the files that were rewritten",
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: rewroteLine}.Parse}, read.PythonTrouble(name)},
	}
}

func rewroteLine(s *read.Sink, l tool.Line) bool {
	for _, says := range [...]string{"Rewriting", "Reordering imports in"} {
		if path, ok := strings.CutPrefix(l.Text, says+" "); ok && path != "" {
			s.Find(l, result.Finding{Message: strings.TrimSuffix(says, " in"), At: &result.Location{Path: path}})
			return true
		}
	}
	return false
}

var _ = Room.Add("pycln", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pycln", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "pycln 1.x and 2.x: --check, files that do not parse",

		Exits:   map[int]result.Meaning{2: result.MeansUsage, 250: result.MeansFindings},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: pyclnLine}.Parse}, read.PythonTrouble("pycln")},
	}
})

// pyclnLine reads the lines that end in a picture, and the closing line:
//
//	harbor/tide.py:1:0 'import os' would be removed! 🔮
//	harbor/tide.py 2 imports would be removed! 🚀
//	syn/bad.py:1:7 SyntaxError: invalid syntax 'def f(:' ⛔
func pyclnLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	at, message, placed := place.Cut(text)
	message = strings.TrimRight(message, " 🔮🚀⛔✨🧹")
	switch {
	case placed && strings.HasPrefix(message, "SyntaxError: "):
		s.Find(l, result.Finding{Rule: "SyntaxError", Message: strings.TrimPrefix(message, "SyntaxError: "), At: &at})
	case placed && strings.HasPrefix(message, "'") && strings.HasSuffix(message, "!"):
		s.Find(l, result.Finding{Rule: "unused-import", Message: strings.TrimSuffix(message, "!"), At: &at, Fixable: true})
	case strings.HasPrefix(text, "No Path provided. Nothing to do"):
		s.Misuse(l, "No Path provided. Nothing to do")
	case strings.Contains(text, " would be removed! "), strings.HasPrefix(text, "All done! "), strings.HasPrefix(text, "Oh no, there was an error!"), strings.Contains(text, "left unchanged."):
		s.Sign(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("ssort", func() *tool.Parser {
	return &tool.Parser{
		Tool: "ssort", Kind: result.Format, Version: 1, ColumnUnit: "char",
		About: "ssort 0.1x: --check, --diff",

		Formats: []tool.Format{
			{Name: "text", Parse: read.Patch{Says: unsorted, Other: ssortLine}.Parse}, read.PythonTrouble("ssort"),
		},
	}
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
	s.Find(l, f)
	return true
}
