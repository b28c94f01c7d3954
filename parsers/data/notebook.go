package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// jupyter and papermill run notebooks. When a cell fails, both print a traceback of their own code, and then
// IPython's traceback of the cell, which has the error. One reader reads both.

var _ = Room.Add("jupyter | jupyter-nbconvert jupyter-execute", func(p *tool.Parser) {
	p.Is("jupyter", result.Pipeline, 1, "jupyter nbconvert and execute 5 to 7: the cell that failed; what cannot be read")
	p.Reads(tool.Format{Name: "text", Starts: []string{"nbclient.exceptions.CellExecutionError: "}, Named: true, Parse: parseNotebook})
})

var _ = Room.Add("papermill", func(p *tool.Parser) {
	p.Is("papermill", result.Pipeline, 1, "papermill 1 and 2: the cell that failed")
	p.Reads(tool.Format{Name: "text", Starts: []string{"papermill.exceptions.PapermillExecutionError: "}, Named: true, Parse: parseNotebook})
})

func parseNotebook(in *tool.Input) *tool.Report {
	n := &notebook{}
	return read.IfFound(read.Text{Line: n.line}.Parse)(in)
}

// notebook reads the exception that ended a cell:
//
//	Cell In[1], line 2
//	      1 import os
//	----> 2 x = 1 / 0
//
//	ZeroDivisionError: division by zero
type notebook struct {
	path string
	cell string // "1", once a cell is reported
	at   string // the line in the cell
	from tool.Line
	// raised is set after the program's own exception, which the cell's follows.
	raised bool
}

func (n *notebook) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(text, "Input Notebook:"); ok {
		n.path = strings.TrimSpace(rest)
	} else if rest, ok := strings.CutPrefix(text, "[NbConvertApp] Converting notebook "); ok {
		if i := strings.LastIndex(rest, " to "); i > 0 {
			n.path = rest[:i]
		}
	} else if rest, ok := strings.CutPrefix(text, "[NbClientApp] Executing "); ok && !strings.HasPrefix(rest, "notebook with ") {
		n.path = rest
	} else if lex.HasAnyPrefix(l.Text, "papermill.exceptions.PapermillExecutionError:", "nbclient.exceptions.CellExecutionError:") {
		n.cell, n.at, n.raised, n.from = "", "", true, l
		return s.Break()
	} else if rest, ok := strings.CutPrefix(text, `Exception encountered at "In [`); ok {
		n.cell = strings.TrimSuffix(rest, `]":`)
	}
	cell, where, placed := strings.Cut(strings.TrimPrefix(text, "Cell "), "], line ")
	where, _, _ = strings.Cut(where, ",")
	number, isCell := strings.CutPrefix(cell, "In[")
	switch {
	case placed && isCell && lex.IsDigits(where) && lex.IsDigits(number):
		if n.cell == "" && !n.raised {
			n.from = l
		}
		n.cell, n.at = number, where // the innermost frame is the last
	case (n.cell != "" || n.raised) && strings.HasPrefix(l.Text, text) && (trace.IsThrown(text) || strings.HasPrefix(text, "SystemExit: ")) && strings.Contains(text, ":"):
		s.Find(l, n.finding(text))
		if f := s.Last(); f != nil { // nil beyond the limit of findings
			f.RawSpan.Start = n.from.Start
		}
		n.cell, n.at, n.raised = "", "", false
	case strings.HasSuffix(text, " matched no files") && strings.HasPrefix(text, "[NbConvertApp] "):
		_, why, _ := strings.Cut(text, " | ")
		s.Misuse(l, why)
	case strings.HasPrefix(text, "Jupyter command `") && strings.HasSuffix(text, "not found."):
		s.Misuse(l, text)
	default:
		return false
	}
	return s.Break()
}

// finding returns the finding of the cell's exception. The number of the cell or the line may be unknown: IPython does
// not print them for a magic command or a SystemExit.
func (n *notebook) finding(text string) result.Finding {
	class, _, _ := strings.Cut(text, ":")
	f := result.Finding{Kind: result.BuildError, Rule: class, Message: text, At: n.place()}
	if n.cell != "" {
		f.ID = "In [" + n.cell + "]"
	}
	if n.at != "" {
		f.Message += " (line " + n.at + " of the cell)"
	}
	return f
}

func (n *notebook) place() *result.Location {
	if n.path == "" {
		return nil
	}
	return &result.Location{Path: n.path}
}
