package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("twine", func(p *tool.Parser) {
	p.Is("twine", result.Package, 1, "twine 3 to 6: check, upload")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: twineLine}.Parse})
	p.Reads(read.PythonTrouble("twine"))
})

// twineLine reads "Checking dist/x.whl: FAILED", the reason below, "ERROR    text", and
// "ERROR HTTPError: 403 Forbidden from …".
func twineLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, verdict, checking := strings.Cut(strings.TrimPrefix(text, "Checking "), ": ")
	checking = checking && strings.HasPrefix(text, "Checking ")
	switch word, rest, ok := strings.Cut(text, " "); {
	case checking && strings.HasPrefix(verdict, "FAILED"):
		return s.Find(l, result.Finding{Message: verdict, At: &result.Location{Path: path}})
	case checking:
		return s.Break()
	case ok && word == "ERROR" && strings.TrimSpace(rest) != "":
		rest = strings.TrimSpace(rest)
		if f := s.Last(); f != nil && strings.HasPrefix(f.Message, "FAILED") {
			f.Message = strings.TrimPrefix(rest, "`")
			return s.More(l)
		}
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: rest})
	case ok && word == "WARNING" && s.Last() == nil:
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimSpace(rest)})
	case s.Last() != nil && strings.HasPrefix(l.Text, "    "):
		return s.More(l)
	}
	return false
}
