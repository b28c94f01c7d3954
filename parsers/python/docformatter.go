package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("docformatter", func() *tool.Parser {
	return &tool.Parser{
		Tool: "docformatter", Kind: result.Format, Version: 1,
		About:   "docformatter 1.x: --check, --diff",
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Patch{Says: unformatted, Other: docformatterLine}.Parse}, read.PythonTrouble("docformatter")},
	}
})

// docformatterLine reads the path of a file, which is all that --check prints.
func docformatterLine(s *read.Sink, l tool.Line) bool {
	if l.Stream == tool.Stderr && strings.HasSuffix(l.Text, ".py") && !strings.ContainsAny(l.Text, ":'") {
		f := unformatted
		f.At = &result.Location{Path: l.Text}
		return s.Find(l, f)
	}
	return notThere(s, l)
}
