package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("syncpack", func(p *tool.Parser) {
	p.Is("syncpack", result.Lint, 1, "syncpack 10 to 13: lint, list, list-mismatches, format --check")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: syncpackLine}.Parse})
})

// syncpackLine reads "✘ chalk ^4.0.0 → ~5.0.0 package.json > devDependencies [Rule]". With list, the package's name
// is in a line above, "2x chalk:". Below "Formatting", a bare path is a file that is not sorted.
func syncpackLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		s.Misuse(l, message)
		return s.Break()
	}
	rest, bad := strings.CutPrefix(text, "✘ ")
	if !bad {
		if _, name, ok := strings.Cut(text, "x "); ok && strings.HasSuffix(name, ":") {
			s.Path = strings.Clone(strings.TrimSuffix(name, ":"))
		}
		return false
	}
	body, rule := read.Brackets.Cut(rest)
	versions, where, placed := strings.Cut(body, " > ")
	switch i := strings.LastIndexByte(versions, ' '); {
	case rule == "" && !strings.Contains(rest, " "):
		s.Find(l, result.Finding{Rule: "format", Name: rest, Message: "not formatted", At: &result.Location{Path: rest}})
	case rule == "":
		return false
	case placed && i > 0:
		s.Find(l, result.Finding{Rule: rule, Message: versions[:i] + " (" + where + ")", At: &result.Location{Path: versions[i+1:]}})
	default:
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(s.Path + " " + body)})
	}
	return s.Break()
}
