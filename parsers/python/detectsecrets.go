package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// detect-secrets-hook names the kind of a secret and its place in two lines.
var _ = Room.Add("detect-secrets-hook detect-secrets", func(p *tool.Parser) {
	p.Is("detect-secrets", result.Security, 1, "detect-secrets 1: detect-secrets-hook")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Secret Type: "}, Parse: parseSecrets})
	p.Reads(read.PythonTrouble("detect-secrets-hook", "detect-secrets"))
})

func parseSecrets(in *tool.Input) *tool.Report {
	advice := false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if advice = advice || l.Text == "Possible mitigations:"; advice || strings.HasPrefix(l.Text, "ERROR: Potential secrets about to be committed") {
			return true
		}
		if what, ok := strings.CutPrefix(l.Text, "Secret Type: "); ok {
			return s.Find(l, result.Finding{Message: what})
		}
		where, ok := strings.CutPrefix(l.Text, "Location:")
		if ok && s.Last() != nil {
			s.Last().At = read.PlaceOf(strings.TrimSpace(where))
			s.More(l)
			s.Break()
		}
		return ok
	}}.Parse(in)
}
