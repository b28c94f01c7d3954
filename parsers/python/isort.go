package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("isort", func(p *tool.Parser) {
	p.Is("isort", result.Format, 1, "isort 4.3 to 9.0: --check, --diff")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: … Imports are incorrectly sorted"}, Parse: read.Text{Line: isortLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: isortBroken}.Parse})
	p.Reads(read.PythonTrouble("isort"))
})

const isortSays = " Imports are incorrectly sorted"

func isortLine(s *read.Sink, l tool.Line) bool {
	path, ok := strings.CutPrefix(l.Text, "ERROR: ")
	i := strings.LastIndex(path, isortSays)
	if !ok || i <= 0 {
		return false
	}
	return s.Find(l, result.Finding{Rule: "unsorted", Message: strings.TrimSuffix(path[i+1:], "."), At: &result.Location{Path: path[:i]}, Fixable: true})
}

// isortBroken reads "Broken 1 paths", isort's only message about files that
// do not exist, and the errors about files that it could not parse.
func isortBroken(s *read.Sink, l tool.Line) bool {
	switch {
	case strings.HasPrefix(l.Text, "Broken ") && strings.HasSuffix(l.Text, " paths"):
		return s.Misuse(l, l.Text+": no such file or directory")
	case strings.HasPrefix(l.Text, "ERROR: Unrecoverable exception thrown when parsing "):
		path, _, _ := strings.Cut(strings.TrimPrefix(l.Text, "ERROR: Unrecoverable exception thrown when parsing "), "!")
		return s.Find(l, result.Finding{Message: "cannot parse", At: &result.Location{Path: path}})
	}
	return false
}
