package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that make files of other files, with a form of their own each.

var _ = Room.Add("thrift", func() *tool.Parser {
	return &tool.Parser{
		Tool: "thrift", Kind: result.Build, Version: 1,
		About: "thrift 0.13 to 0.22: definitions that do not parse",

		Formats: []tool.Format{{Name: "text", Starts: []string{"[ERROR:…] (last token was ", "[WARNING:….thrift:", "[FAILURE:"}, Parse: read.Text{Line: thriftLine}.Parse}},
	}
})

// thriftLine reads "[ERROR:/home/dev/s.thrift:5] (last token was '}')", whose message is
// the line below, and "[FAILURE:arguments:1] text".
func thriftLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	word, where, named := strings.Cut(head, ":")
	if !ok || !named || !strings.HasPrefix(l.Text, "[") || word != "ERROR" && word != "FAILURE" && word != "WARNING" {
		f := s.Last()
		if f == nil || l.Text == "" || !strings.HasPrefix(f.Message, "(last token was ") {
			return false
		}
		f.Message = l.Text
		s.More(l)
		return true
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word), Message: message}
	if path, line, placed := place.CutLineNumber(where); placed && path != "arguments" && path != "generation" {
		f.At = &result.Location{Path: path, Line: line}
	}
	if strings.Contains(message, "Parser error during include pass") && len(s.Findings) > 0 {
		return true
	}
	s.Find(l, f)
	return true
}

var _ = Room.Add("m4", func() *tool.Parser {
	return &tool.Parser{
		Tool: "m4", Kind: result.Build, Version: 1,
		About: "GNU m4 1.4: errors and warnings with their place",

		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: m4Line}.Parse)}},
	}
})

// m4Line reads "m4:a.m4:3: text".
func m4Line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "m4:")
	if !ok || l.Stream != tool.Stderr {
		return false
	}
	f := result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(rest)}
	if at, message, placed := place.Cut(rest); placed && message != "" {
		f.RawSeverity, f.Message = read.CutSeverity(message)
		f.Severity, f.At = read.SeverityOf(f.RawSeverity), &at
	} else if strings.HasPrefix(f.Message, "unrecognized option ") || strings.HasPrefix(f.Message, "invalid option ") {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	return true
}
