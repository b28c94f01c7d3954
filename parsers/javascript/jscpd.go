package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jscpd", func(p *tool.Parser) {
	p.Is("jscpd", result.Lint, 1, "jscpd 3 and 4: console, consoleFull, xcode, silent")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Clone found ("}, Named: true, Parse: read.Lines((*jscpd).line)})
})

// jscpd reads a clone with both of its places. The reporter consoleFull prints each clone twice.
//
//	Clone found (typescript):
//	 - src/a.ts [3:8 - 12:2] (9 lines, 156 tokens)
//	   src/b.ts [3:9 - 12:2]
type jscpd struct {
	first result.Location
	size  string
	head  tool.Line // the first line of a clone whose places are being read
	told  map[string]bool
}

func (c *jscpd) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, rest, placed := strings.Cut(strings.TrimPrefix(text, "- "), " [")
	span, size, closed := strings.Cut(rest, "]")
	from, to, both := strings.Cut(span, " - ")
	line, column, isPosition := strings.Cut(from, ":")
	last, _, _ := strings.Cut(to, ":")
	at := result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column), EndLine: lex.LeadingNumber(last)}
	switch {
	case strings.HasPrefix(text, "Clone found ("):
		c.head, c.first = l, result.Location{}
		return s.Sign(l)
	case placed && closed && both && isPosition && c.head.End > 0 && c.first.Path == "":
		c.first, c.size = at, strings.Trim(size, " ()")
		return true
	case placed && closed && both && isPosition && c.head.End > 0:
		c.clone(s, l, at)
		return true
	case strings.HasPrefix(text, "ERROR: jscpd found too many duplicates"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "ERROR: ")})
	}
	return c.head.End > 0 && text == ""
}

func (c *jscpd) clone(s *read.Sink, l tool.Line, second result.Location) {
	if c.told == nil {
		c.told = map[string]bool{}
	}
	if key := c.first.String() + " " + second.String(); !c.told[key] {
		c.told[key] = true
		c.head.End = max(c.head.End, l.End)
		first := c.first
		s.Find(c.head, result.Finding{
			Severity: result.SevWarning, Message: c.size + " are those of " + second.Path, At: &first,
			Related: []result.Related{{Message: "the same", At: &second}},
		})
		s.Break()
	}
	c.head = tool.Line{}
}
