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
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*serverless).line)})
})

// serverless reads the error below the line "Error:", and the error's list. Above that line may stand an exception
// that a function threw, and a warning with a list:
//
//	× TypeError: Cannot read properties of undefined (reading 'exports')
//	      at Object.<anonymous> (/src/index.js:1:15)
//	Error:
//	Cannot resolve serverless.yml: Variables resolution errored with:
//	  - Cannot resolve variable at "provider.stage": Value not found at "env" source
type serverless struct{ waits bool } // the error is on the next line

func (e *serverless) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	thrown, crossed := strings.CutPrefix(text, "× ")
	warning, warned := strings.CutPrefix(text, "Warning: ")
	at, isFrame := jserror.Frame(text)
	switch f := s.Last(); {
	case text == "Error:":
		e.waits = s.Break()
	case e.waits && text != "":
		e.waits = false
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(text, ":")})
	case crossed && !strings.HasPrefix(thrown, "Stack "):
		class, message := jserror.CutClass(thrown)
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case isFrame && f != nil:
		if f.At == nil && !at.External {
			f.At = &at
		}
		return s.Cover(l)
	case warned:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: warning})
	case f != nil && l.Text != text && (strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "at '")):
		f.Message += "; " + strings.TrimSuffix(strings.TrimPrefix(text, "- "), ",")
		return s.More(l)
	default:
		return s.Break() && false
	}
	return s.Cover(l)
}
