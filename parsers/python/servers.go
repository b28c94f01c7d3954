package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gunicorn", func(p *tool.Parser) {
	p.Is("gunicorn", result.Infra, 1, "gunicorn 19 to 27: what it logs when it does not start")
	p.Reads(tool.Format{Name: "log", Parse: read.IfFound(untraced(read.Lines((*gunicorn).line)))})
})

// gunicorn reads "[2026-11-22 23:08:59 +0000] [18499] [ERROR] text". A text is reported once,
// since gunicorn tries an address five times.
type gunicorn struct{ seen []string }

// untraced returns a Parse function that returns nil if a log has a traceback, so that the reader of tracebacks takes
// the output.
func untraced(parse func(in *tool.Input) *tool.Report) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		for l := range in.LentLines() {
			if read.IsTraceHead(l.Text) {
				return nil
			}
		}
		return parse(in)
	}
}

func (g *gunicorn) line(s *read.Sink, l tool.Line) bool {
	if s.MisuseIf(l, "gunicorn: error: ", "Error: No application module specified") {
		return true
	}
	if strings.HasPrefix(l.Text, "Failed to find ") || strings.HasPrefix(l.Text, "Failed to parse ") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	}
	_, rest, _ := strings.Cut(l.Text, "] [")
	pid, rest, _ := strings.Cut(rest, "] [")
	level, message, ok := strings.Cut(rest, "] ")
	if !ok || !lex.IsDigits(pid) || !strings.HasPrefix(l.Text, "[") {
		return false
	}
	severe := level == "ERROR" || level == "CRITICAL"
	if severe && !slices.Contains(g.seen, message) && !follows(s, message) {
		g.seen = append(g.seen, message)
		s.Find(l, result.Finding{Kind: result.GenericFinding, RawSeverity: level, Message: message})
	}
	return severe || lex.IsOneOf(level, "DEBUG INFO")
}

// follows reports whether a message only says that gunicorn ended, after an error with the reason.
func follows(s *read.Sink, message string) bool {
	exited := strings.HasPrefix(message, "Worker (pid:") && strings.Contains(message, ") exited with code ")
	return len(s.Findings) > 0 && (exited || message == "Shutting down: Master" || message == "Reason: App failed to load.")
}

var _ = Room.Add("flask", func(p *tool.Parser) {
	p.Is("flask", result.Generic, 1, "flask 2 and 3: commands that it does not have, applications that it does not find")
	read.InPython(p)
})

var _ = Room.Add("uvicorn", func(p *tool.Parser) {
	p.Is("uvicorn", result.Infra, 1, "uvicorn 0.1x to 0.3x: what it logs when it does not start")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "log", Parse: read.IfFound(untraced(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{
		{Form: "Error: {message}", As: read.Misuse}, {Form: "ERROR:    {message}"}, {Form: "INFO:     {}", As: read.Skip},
	}}.Parse))})
})
