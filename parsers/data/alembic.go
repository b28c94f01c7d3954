package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("alembic", func(p *tool.Parser) {
	p.Is("alembic", result.Pipeline, 1, "alembic 1.x: upgrade, downgrade, check, current, revision")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO  [alembic.", "ERROR [alembic."}, Named: true, Parse: read.IfFound(alembicText)})
	p.Reads(read.PythonUsage("alembic"))
})

// alembicText reads alembic's log and its last line. The error is in both, "ERROR [alembic.…] text" and
// "FAILED: text", and is reported once.
func alembicText(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		why, ok := strings.CutPrefix(l.Text, "FAILED: ")
		if _, logged, found := strings.Cut(l.Text, "] "); !ok && strings.HasPrefix(l.Text, "ERROR [alembic.") && found {
			why, ok = logged, true
		}
		switch {
		case ok && len(s.Findings) > 0 && s.Findings[len(s.Findings)-1].Message == lex.Clip(why):
			return s.Sign(l)
		case ok:
			if s.Find(l, result.Finding{Kind: result.GenericFinding, Message: lex.Clip(why)}); strings.HasPrefix(why, "No 'script_location' key") || strings.HasPrefix(why, "No config file ") {
				s.Meaning = result.MeansUsage
			}
			return s.Break()
		case strings.HasPrefix(l.Text, "INFO  [alembic."):
			return s.Sign(l)
		}
		return false
	}}.Parse(in)
}
