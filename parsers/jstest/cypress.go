package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cypress", func(p *tool.Parser) {
	p.Is("cypress", result.Test, 1, "cypress 10 to 15, by its manual: cypress run with the spec reporter")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"(Run Starting)", "(Run Finished)", "No version of Cypress is installed in: "}, Parse: parseCypress})
	p.Reads(tool.Format{Name: "messages", Parse: parseCypress})
})

// cypress reads a run: for each file of tests a head, what mocha prints of it, and a box
// with counts; and at the end a table of the files.
//
//	  Running:  login.cy.js                                                  (1 of 2)
//
//	  1 passing (5s)
//	  1 failing
//	…
//	  (Results)
//	  │ Skipped:      0     │
//	…
//	  (Run Finished)
//	  │ ✖  login.cy.js                 00:05        2        1        1        -        - │
//	    ✖  1 of 2 failed (50%)         00:07        5        2        2        -        1
type cypress struct {
	mocha  *mocha
	spec   string
	from   int  // findings that there were before this file's
	box    bool // the counts of a file are being read
	table  bool // the run is finished
	within bool // a run began
}

func parseCypress(in *tool.Input) *tool.Report {
	c := &cypress{mocha: &mocha{}}
	rep := read.Text{Line: c.line, Turn: c.flush, End: c.flush, Closes: true}.Parse(in)
	if rep == nil {
		return nil
	}
	if rep.Meaning != "" {
		rep.Complete = true // it ends there
	} else if len(rep.Findings) > 0 {
		rep.Doubt = "its form is known from documentation only"
	}
	return rep
}

func (c *cypress) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case text == "(Run Starting)":
		c.within = true
		s.Sign(l)
	case text == "(Run Finished)":
		c.flush(s)
		c.within, c.table = true, true
		s.Sign(l)
	case c.isHead(text):
		c.flush(s)
		c.begin(text)
	case text == "(Results)" && c.within:
		c.flush(s)
		c.box = true
	case c.table:
		c.row(s, l, text)
	case c.box:
		if value, ok := lex.CutLabel(strings.Trim(text, "│ "), "Skipped"); ok && lex.IsDigits(value) && value != "0" {
			s.Count("skipped", lex.Atoi(value))
		}
	case c.within && c.spec != "":
		c.mocha.line(s, l)
	case c.within:
	default:
		return c.trouble(s, l, text)
	}
	return true
}

// isHead: "Running:  login.cy.js      (1 of 2)".
func (c *cypress) isHead(text string) bool {
	return strings.HasPrefix(text, "Running:  ") && strings.HasSuffix(text, ")") && strings.Contains(text, " of ")
}

func (c *cypress) begin(text string) {
	spec := strings.TrimPrefix(text, "Running:  ")
	c.spec = strings.Clone(strings.TrimSpace(spec[:strings.LastIndex(spec, " (")]))
	c.mocha, c.box, c.within = &mocha{}, false, true
}

// flush ends a file of tests. A failure without a place has the name of its file, which
// counts from wherever all of the files are.
func (c *cypress) flush(s *read.Sink) {
	c.mocha.flush(s)
	for i := c.from; i < len(s.Findings); i++ {
		f := &s.Findings[i]
		if f.At == nil && c.spec != "" {
			f.Related = append(f.Related, result.Related{Message: "in " + c.spec})
		}
	}
	c.from, c.spec = len(s.Findings), ""
	s.NoTests = s.Counts["passed"]+s.Counts["failed"] == 0 && s.Tested
}

// row takes a row of the table at the end, and the line that closes it.
func (c *cypress) row(s *read.Sink, l tool.Line, text string) {
	if text == "" || strings.HasPrefix(text, "│") {
		return
	}
	if strings.HasPrefix(text, "✖  ") && strings.Contains(text, " failed (") || strings.HasPrefix(text, "✔  All specs passed") {
		s.Close(l)
		c.table, c.within = false, false
	}
}

// cypressTroubles are the beginnings of what it says when it cannot begin.
var cypressTroubles = []string{
	"Can't run because no spec files were found.", "Your configFile ", "Could not find a Cypress configuration file", "The Cypress binary is missing", "The cypress npm package is installed, but the Cypress binary is missing.",
	"Cypress could not verify that this server is running:", "Cypress failed to start.", "No version of Cypress is installed in:", "Your `configFile` ", "Error: Cypress ",
	"error: unknown option: ", "Unknown command ",
}

func (c *cypress) trouble(s *read.Sink, l tool.Line, text string) bool {
	if last := s.Last(); last != nil && s.Meaning == result.MeansUsage {
		if strings.HasSuffix(last.Message, ":") && text != "" {
			last.Message += " " + strings.TrimPrefix(text, "> ")
		}
		return s.More(l)
	}
	return lex.HasAnyPrefix(text, cypressTroubles...) && len(s.Findings) == 0 && s.Misuse(l, strings.TrimPrefix(text, "error: "))
}
