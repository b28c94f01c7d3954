package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("docformatter", func(p *tool.Parser) {
	p.Is("docformatter", result.Format, 1, "docformatter 1.x: --check, --diff")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unformatted, Other: docformatterLine}.Parse})
	p.Reads(read.PythonTrouble("docformatter"))
})

// docformatterLine reads the path of a file, all that --check prints about the file.
func docformatterLine(s *read.Sink, l tool.Line) bool {
	if l.Stream == tool.Stderr && strings.HasSuffix(l.Text, ".py") && !strings.ContainsAny(l.Text, ":'") {
		f := unformatted
		f.At = &result.Location{Path: l.Text}
		return s.Find(l, f)
	}
	return notThere(s, l)
}
