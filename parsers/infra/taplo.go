package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "taplo", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "taplo 0.8 to 0.10: lint, format --check",
		Matches: tool.Runs("taplo"), Programs: []string{"taplo"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{
			Name: "text", Starts: []string{"ERROR taplo:", "ERROR operation failed error="},
			Parse: func(in *tool.Input) *tool.Report { return read.Text{Line: new(taplo).line}.Parse(in) },
		}},
	}
})

// taplo reads a problem above an arrow to its place, and what the log says of a file
// of which nothing was said before:
//
//	error: invalid TOML
//	  ┌─ /src/a.toml:1:5
//
//	ERROR taplo:lint_files: invalid file error=syntax errors found path="/src/a.toml"
//	ERROR taplo:format_files: the file is not properly formatted path="/src/b.toml"
//	ERROR operation failed error=some files were not valid
type taplo struct{ read.Framed }

func (p *taplo) line(s *read.Sink, l tool.Line) bool {
	if p.Line(s, l) {
		return true
	}
	text, is := strings.CutPrefix(l.Text, "ERROR ")
	_, why, said := strings.Cut(text, ": ")
	message, path, placed := strings.Cut(strings.TrimSuffix(why, `"`), ` path="`)
	switch {
	case strings.HasPrefix(l.Text, " INFO taplo:"):
	case !is:
		return false
	case strings.HasPrefix(text, "operation failed ") && len(s.Findings) > 0:
		s.Close(l)
		return true
	case strings.HasPrefix(text, "taplo:") && said && placed && p.told(s, path):
	case strings.HasPrefix(text, "taplo:") && said && placed:
		s.Find(l, result.Finding{Message: message, At: &result.Location{Path: path}})
	default:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	}
	s.Break()
	return true
}

// told: a finding has its place in the file.
func (p *taplo) told(s *read.Sink, path string) bool {
	for i := range s.Findings {
		if at := s.Findings[i].At; at != nil && at.Path == path {
			return true
		}
	}
	return false
}
