package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("taplo", func(p *tool.Parser) {
	p.Is("taplo", result.Lint, 1, "taplo 0.8 to 0.10: lint, check, fmt --check")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*taplo).line))})
})

// taplo reads messages with a frame, whose last line completes the message, and lines of its log:
//
//	error: invalid TOML
//	  ┌─ a.toml:1:5
//	2 │ │
//	  │ ╰^ expected value
//	ERROR taplo:format_files: the file is not properly formatted path="ts.toml"
//	ERROR operation failed error=some files were not valid
type taplo struct{ framed read.Framed }

func (t *taplo) line(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR ")
	if !ok {
		return t.inFrame(s, l)
	}
	s.Break()
	said, path, named := strings.Cut(message, " path=\"")
	said = strings.TrimSpace(said)
	switch path = strings.TrimSuffix(path, "\""); {
	case len(s.Findings) > 0 && (strings.HasPrefix(said, "operation failed ") || strings.Contains(said, ": invalid file error=")):
		s.Sign(l)
	case named:
		_, said, _ = strings.Cut(said, ": ")
		s.Find(l, result.Finding{Message: said, At: &result.Location{Path: path}})
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
	}
	return true
}

// inFrame reads a line of a message or its frame. The text behind the caret is appended to the message.
func (t *taplo) inFrame(s *read.Sink, l tool.Line) bool {
	if !t.framed.Line(s, l) {
		return strings.HasPrefix(l.Text, " INFO taplo:")
	}
	f := s.Last()
	_, why, marked := strings.Cut(l.Text, "^ ")
	if marked && f != nil && !strings.Contains(f.Message, ": ") {
		f.Message += ": " + strings.TrimSpace(why)
	}
	return true
}
