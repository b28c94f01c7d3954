package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Formatters that show what they would change as a difference, or name the file.

// unformatted is what all of them tell of a file.
var unformatted = result.Finding{Rule: "unformatted", Message: "would reformat", Fixable: true}

var _ = Room.Add("yapf yapf3", func() *tool.Parser {
	return &tool.Parser{
		Tool: "yapf", Kind: result.Format, Version: 1, ColumnUnit: "char",
		About:    "yapf 0.30 to 0.43: --diff, --quiet, files that do not parse",
		Programs: []string{"yapf"},
		Exits:    map[int]result.Meaning{2: result.MeansUsage},
		Formats:  []tool.Format{{Name: "diff", Parse: read.Patch{Says: unformatted, Other: yapfLine}.Parse}, read.PythonTrouble("yapf")},
	}
})

// yapfLine reads "yapf: src/a.py:1:7: invalid syntax" and "yapf: text".
func yapfLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "yapf: ")
	if !ok || strings.HasPrefix(text, "error: ") {
		return false
	}
	if at, message, placed := place.Cut(text); placed {
		s.Find(l, result.Finding{Rule: "invalid-syntax", Message: message, At: &at})
		return true
	}
	s.Misuse(l, text)
	return true
}

var _ = Room.Add("autopep8", func() *tool.Parser {
	return &tool.Parser{
		Tool: "autopep8", Kind: result.Format, Version: 1,
		About: "autopep8 1.x and 2.x: --diff --exit-code",

		Exits:   map[int]result.Meaning{99: result.MeansUsage},
		Formats: []tool.Format{{Name: "diff", Parse: read.Patch{Says: unformatted, Other: notThere}.Parse}, read.PythonTrouble("autopep8")},
	}
})

var _ = Room.Add("docformatter", func() *tool.Parser {
	return &tool.Parser{
		Tool: "docformatter", Kind: result.Format, Version: 1,
		About: "docformatter 1.x: --check, --diff",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Patch{Says: unformatted, Other: docformatterLine}.Parse}, read.PythonTrouble("docformatter")},
	}
})

// docformatterLine reads the path of a file, which is all that --check prints.
func docformatterLine(s *read.Sink, l tool.Line) bool {
	if l.Stream == tool.Stderr && strings.HasSuffix(l.Text, ".py") && !strings.ContainsAny(l.Text, ":'") {
		f := unformatted
		f.At = &result.Location{Path: l.Text}
		s.Find(l, f)
		return true
	}
	return notThere(s, l)
}

var _ = Room.Add("autoflake", func() *tool.Parser {
	return &tool.Parser{
		Tool: "autoflake", Kind: result.Lint, Version: 1,
		About: "autoflake 1.x and 2.x: --check, --check-diff, --stdout",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Patch{Says: unusedNames, Other: autoflakeLine}.Parse}, read.PythonTrouble("autoflake")},
	}
})

var unusedNames = result.Finding{Rule: "unused", Message: "Unused imports/variables detected", Fixable: true}

// autoflakeLine reads "src/a.py: Unused imports/variables detected". With
// --check-diff it stands beside the difference, and is told with it.
func autoflakeLine(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutSuffix(l.Text, ": "+unusedNames.Message); ok {
		if n := len(s.Findings); n > 0 && s.Findings[n-1].At != nil && s.Findings[n-1].At.Path == path {
			return true
		}
		f := unusedNames
		f.At = &result.Location{Path: path}
		s.Find(l, f)
		return true
	}
	if strings.HasSuffix(l.Text, ": No issues detected!") {
		s.Sign(l)
		return true
	}
	return notThere(s, l)
}

// notThere reads what the operating system says of a file that cannot be read.
func notThere(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(l.Text, "[Errno ") {
		return false
	}
	s.Misuse(l, l.Text)
	return true
}
