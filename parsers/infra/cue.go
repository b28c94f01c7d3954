package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cue", func(p *tool.Parser) {
	p.Is("cue", result.Lint, 1, "cue 0.4 to 0.14: vet, export, eval: values that conflict, with all their places")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{Usage: []string{"unknown command ", "unknown flag: ", "unknown shorthand flag: "}, Other: cueLine}.Parse)})
})

// cueLine reads a message, and below it the places that conflict. The first is the finding's place:
//
//	age: invalid value -1 (out of bound >0):
//	    ./d.cue:1:31
//	    ./d.yaml:2:6
func cueLine(s *read.Sink, l tool.Line) bool {
	f, at := s.Last(), read.PlaceOf(strings.TrimSpace(l.Text))
	switch {
	case at != nil && strings.HasPrefix(l.Text, "    ") && f != nil:
		if f.At == nil {
			f.At = at
		} else {
			f.Related = append(f.Related, result.Related{At: at})
		}
		return s.More(l)
	case l.Stream == tool.Stderr && l.Text != "" && l.Text[0] != ' ' && (strings.HasSuffix(l.Text, ":") || strings.HasSuffix(l.Text, ": no such file or directory")):
		return s.Find(l, result.Finding{Message: strings.TrimSuffix(l.Text, ":")})
	}
	return false
}
