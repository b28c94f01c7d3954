package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("serverless sls", func(p *tool.Parser) {
	p.Is("serverless", result.Build, 1, "Serverless Framework 3: what it refuses, warnings on the configuration")
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(e *serverless) read.Text { return read.Text{Line: e.line, End: e.end} })})
})

// serverless reads the error below the line "Error:", and the error's list. Above that line may stand an exception
// that a function threw, and a warning with a list:
//
//	× TypeError: Cannot read properties of undefined (reading 'exports')
//	      at Object.<anonymous> (/src/index.js:1:15)
//	Error:
//	Cannot resolve serverless.yml: Variables resolution errored with:
//	  - Cannot resolve variable at "provider.stage": Value not found at "env" source
type serverless struct {
	waits  bool // the error is on the next line
	thrown jserror.Text
	open   bool // the lines belong to the exception
}

func (e *serverless) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	thrown, crossed := strings.CutPrefix(text, "× ")
	warning, warned := strings.CutPrefix(text, "Warning: ")
	switch f := s.Last(); {
	case text == "Error:":
		e.end(s)
		e.waits = true
	case e.waits && text != "":
		e.waits = false
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(text, ":")})
	case crossed && !strings.HasPrefix(thrown, "Stack "):
		e.open = true
		e.thrown.Add(thrown)
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: thrown})
	case e.open && l.Text != text:
		e.thrown.Add(l.Text)
		return s.More(l)
	case warned:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: warning})
	case f != nil && l.Text != text && (strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "at '")):
		f.Message += "; " + strings.TrimSuffix(strings.TrimPrefix(text, "- "), ",")
		return s.More(l)
	default:
		e.end(s)
		return false
	}
	return s.Cover(l)
}

// end gives the finding of an exception the message, the place and the frames from the exception's lines.
func (e *serverless) end(s *read.Sink) {
	if f := s.Last(); e.open && f != nil {
		f.Detail = ""
		jserror.Explain(f, e.thrown.Lines)
	}
	e.open, e.thrown = false, jserror.Text{}
	s.Break()
}
