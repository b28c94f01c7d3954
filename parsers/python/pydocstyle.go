package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pydocstyle | pep257", func(p *tool.Parser) {
	p.Is("pydocstyle", result.Lint, 1, "pydocstyle 4 to 6.3: default, --explain, --source, --count")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*docstyle).line)})
	p.Reads(read.PythonTrouble("pydocstyle", "pep257"))
})

// docstyle reads a place on one line and the finding on the next:
//
//	a.py:11 in public class `Packet`:
//	        D101: Missing docstring in public class
type docstyle struct{ at *result.Location }

func (d *docstyle) line(s *read.Sink, l tool.Line) bool {
	if text, ok := strings.CutPrefix(l.Text, "        D"); ok && d.at != nil {
		code, message, _ := strings.Cut("D"+text, ": ")
		if isFlakeCode(code) {
			s.Find(l, result.Finding{Rule: code, Message: message, At: d.at})
			d.at = nil
			return true
		}
	}
	if strings.HasSuffix(l.Text, ":") {
		if at, rest, ok := place.Cut(l.Text); ok && (strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "at ")) {
			at.Function, _, _ = strings.Cut(strings.TrimPrefix(rest[strings.IndexByte(rest, '`')+1:], rest), "`")
			d.at = &at
			s.Cover(l)
			return true
		}
	}
	if path, ok := strings.CutPrefix(l.Text, "WARNING: Error in file "); ok {
		path, why, _ := strings.Cut(path, ": ")
		return s.Find(l, result.Finding{Rule: "invalid-syntax", Message: strings.TrimSuffix(why, "."), At: &result.Location{Path: path}})
	}
	if why, ok := strings.CutPrefix(l.Text, "ERROR: "); ok && l.Stream == tool.Stderr {
		return s.Misuse(l, why)
	}
	return false
}
