package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doctest", func(p *tool.Parser) {
	p.Is("doctest", result.Test, 1, "python -m doctest, Python 3.8 to 3.14; a run that passes prints nothing")
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"***Test Failed*** "}, Sniff: isDoctestEnd,
		Parse: read.Fresh(func(d *doctests) read.Text { return read.Text{Line: d.line, Closes: true} }),
	})
	p.Reads(read.PythonTrouble("doctest"))
})

// isDoctestEnd reports whether a line is the last of a run: "***Test Failed*** 2 failures."
func isDoctestEnd(line string) bool {
	n, rest, _ := strings.Cut(strings.TrimPrefix(line, "***Test Failed*** "), " ")
	return lex.IsDigits(n) && strings.HasPrefix(rest, "failure")
}

// doctests reads the failed examples, and the number of failures.
type doctests struct{ read.Examples }

func (d *doctests) line(s *read.Sink, l tool.Line) bool {
	if isDoctestEnd(l.Text) {
		n := lex.LeadingNumber(strings.TrimPrefix(l.Text, "***Test Failed*** "))
		s.Fails(n)
		return s.Ended(l)
	}
	return d.Examples.Line(s, l) || strings.HasSuffix(l.Text, " had failures:") || strings.Contains(l.Text, " of ") && strings.Contains(l.Text, " in ")
}
