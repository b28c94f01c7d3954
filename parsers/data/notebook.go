package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// jupyter and papermill run notebooks. When a cell fails, both print a traceback of their
// own, which does not say what is wrong, and behind it IPython's words for the cell. One
// reader takes those words.

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
	at   string // its line
	from tool.Line
	// the program's own exception stands above, so that the cell's is next
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
		n.cell, n.at = number, where // the deepest frame comes last
	case (n.cell != "" || n.raised) && strings.HasPrefix(l.Text, text) && (trace.IsThrown(text) || strings.HasPrefix(text, "SystemExit: ")) && strings.Contains(text, ":"):
		s.Find(l, n.finding(text))
		if f := s.Last(); f != nil { // not one too many
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

// finding is the exception of the cell. IPython says neither where a magic word stands nor
// where the cell ended Python.
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
