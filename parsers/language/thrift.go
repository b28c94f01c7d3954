package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("thrift", func(p *tool.Parser) {
	p.Is("thrift", result.Build, 1, "thrift 0.13 to 0.22: definitions that do not parse")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[ERROR:…] (last token was ", "[WARNING:….thrift:", "[FAILURE:"}, Parse: read.Text{Line: thriftLine}.Parse})
})

// thriftLine reads "[ERROR:/home/dev/s.thrift:5] (last token was '}')", whose message is the next line, and
// "[FAILURE:arguments:1] text".
func thriftLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	word, where, named := strings.Cut(head, ":")
	if !ok || !named || !strings.HasPrefix(l.Text, "[") || word != "ERROR" && word != "FAILURE" && word != "WARNING" {
		f := s.Last()
		if f == nil || l.Text == "" || !strings.HasPrefix(f.Message, "(last token was ") {
			return false
		}
		f.Message = l.Text
		return s.More(l)
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	if path, line, placed := place.CutLineNumber(where); placed && path != "arguments" && path != "generation" {
		f.At = &result.Location{Path: path, Line: line}
	}
	if strings.Contains(message, "Parser error during include pass") && len(s.Findings) > 0 {
		return true
	}
	return s.Find(l, f)
}
