package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("uvicorn", func(p *tool.Parser) {
	p.Is("uvicorn", result.Infra, 1, "uvicorn 0.1x to 0.3x: what it logs when it does not start")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "log", Parse: read.IfFound(parseUvicorn)})
})

// parseUvicorn reads "ERROR:    Error loading ASGI app. …". It returns nil if the log has a traceback,
// so that the reader of tracebacks takes the output.
func parseUvicorn(in *tool.Input) *tool.Report {
	traces := false
	rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		traces = traces || read.IsTraceHead(l.Text)
		why, failed := strings.CutPrefix(l.Text, "ERROR:    ")
		usage, wrong := strings.CutPrefix(l.Text, "Error: ")
		switch {
		case wrong:
			return s.Misuse(l, usage)
		case failed && why != "":
			return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
		}
		return strings.HasPrefix(l.Text, "INFO:     ")
	}}.Parse(in)
	if traces {
		return nil
	}
	return rep
}
