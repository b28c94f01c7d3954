package javascript

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// spectralPretty reads columns whose cells go on in the lines below:
//
//	File:   /src/api.yaml
//	6:9         WARNING      operation-descri  Operation         paths./a.get
//	                         ption             "description"
//	                                           must be present
func spectralPretty(in *tool.Input) *tool.Report {
	c := &spectralColumns{}
	return read.IfFound(read.Text{Line: c.line, Closes: true}.Parse)(in)
}

// spectralColumns is a row of which all lines are not there yet.
type spectralColumns struct {
	path  string
	from  []int    // where its columns begin
	cells []string // position, severity, rule, message
	last  []string // what each cell has in the line that was read last
	at    tool.Line
}

func (c *spectralColumns) line(s *read.Sink, l tool.Line) bool {
	position, _, _ := strings.Cut(l.Text, " ")
	line, column, _ := strings.Cut(position, ":")
	path, isFile := strings.CutPrefix(l.Text, "File: ")
	switch {
	case isFile:
		c.path = strings.TrimSpace(path)
		return true
	case c.path != "" && lex.IsDigits(line) && lex.IsDigits(column):
		c.end(s)
		c.begin(l)
		return true
	case len(c.cells) > 0 && strings.HasPrefix(l.Text, "  "):
		c.goOn(l)
		return true
	}
	c.end(s)
	return apiCount(s, l)
}

// begin opens a row. Its columns begin behind two blanks or more.
func (c *spectralColumns) begin(l tool.Line) {
	c.at, c.from, c.cells = l, c.from[:0], c.cells[:0]
	for i := 0; i < len(l.Text) && len(c.cells) < spectralCells; {
		end := len(l.Text)
		if n := strings.Index(l.Text[i:], "  "); n >= 0 {
			end = i + n
		}
		c.from, c.cells = append(c.from, i), append(c.cells, l.Text[i:end])
		i = end + lex.LeadingBlanks(l.Text[end:])
	}
	c.last = slices.Clone(c.cells)
}

// spectralCells are the columns that are read, and the one that ends the last of them.
const spectralCells = 5

// goOn adds to every cell its text in the next line. A word that fills its column goes on in the next line.
func (c *spectralColumns) goOn(l tool.Line) {
	c.at.End = l.End
	for i, from := range c.from {
		to := len(l.Text)
		if i+1 < len(c.from) {
			to = min(to, c.from[i+1])
		}
		more := strings.TrimSpace(l.Text[min(from, to):to])
		if word := c.last[i]; i+1 < len(c.from) && len(word) == c.from[i+1]-from-len("  ") && !strings.Contains(word, " ") {
			c.cells[i] += more
		} else if more != "" {
			c.cells[i] += " " + more
		}
		c.last[i] = more
	}
}

func (c *spectralColumns) end(s *read.Sink) {
	if len(c.cells) >= spectralCells-1 {
		line, column, _ := strings.Cut(c.cells[0], ":")
		at := &result.Location{Path: c.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		s.Find(c.at, result.Finding{Severity: read.SeverityOf(c.cells[1]), RawSeverity: strings.ToLower(c.cells[1]), Rule: c.cells[2], Message: c.cells[3], At: at})
	}
	c.cells = c.cells[:0]
}
