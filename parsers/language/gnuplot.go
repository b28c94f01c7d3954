package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gnuplot", func(p *tool.Parser) {
	p.Is("gnuplot", result.Generic, 1, "gnuplot 5 and 6: scripts that stop")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*gnuplot).line))})
})

// gnuplot reads the line of the script, the caret below it, whose column is the finding's, and then
//
//	"g.gp" line 2: unexpected or unrecognized token: wth
type gnuplot struct{ column int }

func (g *gnuplot) line(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr {
		return false
	}
	if strings.TrimLeft(l.Text, " ") == "^" {
		g.column = len(l.Text)
		return false
	}
	name, rest, ok := strings.Cut(l.Text, "line ")
	line, message, told := strings.Cut(rest, ": ")
	if !ok || !told || !lex.IsDigits(line) || name != "" && !strings.HasPrefix(name, `"`) {
		return strings.HasPrefix(l.Text, "system error: ") && s.Last() != nil && s.More(l)
	}
	f := result.Finding{Kind: result.BuildError, Message: message}
	f.RawSeverity, f.Message = read.CutSeverity(message)
	f.Severity = read.SeverityOf(f.RawSeverity)
	if name != "" {
		f.At = &result.Location{Path: strings.Trim(name, `" `), Line: lex.Atoi(line), Column: g.column}
	}
	s.Find(l, f)
	g.column = 0
	return true
}
