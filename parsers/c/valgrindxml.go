package c

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// valgrindXML reads what --xml=yes writes, an element a line:
//
//	<error>
//	  <what>Invalid write of size 1</what>
//	  <stack><frame>
//	    <fn>main</fn> <dir>/src</dir> <file>as.c</file> <line>12</line>
type valgrindXML struct {
	open   bool // the document is
	within bool // an error
	at     result.Location
}

func (v *valgrindXML) line(s *read.Sink, l tool.Line) bool {
	v.open = v.open || strings.HasPrefix(l.Text, "<valgrindoutput>")
	if !v.open {
		return false
	}
	var text string
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			return true
		case xmltext.Open:
			text = ""
			v.begin(s, l, string(x.Name))
		case xmltext.Text:
			text += x.Content()
		case xmltext.Close:
			v.end(s, l, string(x.Name), strings.TrimSpace(text))
		}
	}
}

func (v *valgrindXML) begin(s *read.Sink, l tool.Line, name string) {
	switch name {
	case "error":
		v.within = true
		s.Find(l, result.Finding{Kind: result.Diagnostic})
	case "frame":
		v.at = result.Location{}
	}
}

func (v *valgrindXML) end(s *read.Sink, l tool.Line, name, text string) {
	if name == "valgrindoutput" {
		s.Close(l)
		v.open = false
	}
	f := s.Last()
	if f == nil || !v.within {
		return
	}
	s.More(l)
	switch name {
	case "error":
		v.within = false
		s.Break()
	case "what", "text":
		if f.Message == "" {
			f.Message = lossRecord(text)
		}
	case "fn":
		v.at.Function = text
	case "dir":
		v.at.Path = text
	case "file":
		v.at.Path = path.Join(v.at.Path, text)
	case "line":
		v.at.Line = lex.Atoi(text)
	case "frame":
		if v.at.Line > 0 {
			valgrindPlace(f, v.at)
		}
	}
}
