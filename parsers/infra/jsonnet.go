package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jsonnet jsonnetfmt | jsonnet-lint", func(p *tool.Parser) {
	p.Is("jsonnet", result.Build, 1, "jsonnet of C++ and of Go, jsonnetfmt, jsonnet-lint: what does not compile or evaluate")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"RUNTIME ERROR: ", "STATIC ERROR: ", "ERROR: "}, Whole: []string{"Opening input file: "}, Kind: result.BuildError,
		Fill: leadingPlace, Other: jsonnetLine, End: jsonnetUsage,
	}.Parse)})
})

// leadingPlace moves "a.jsonnet:1:8: " from the message to the place.
func leadingPlace(f *result.Finding) {
	if at, message, ok := place.Cut(f.Message); ok && message != "" {
		f.At, f.Message = &at, message
	}
}

func jsonnetUsage(s *read.Sink) {
	if len(s.Findings) == 1 && strings.HasPrefix(s.Findings[0].Message, "unrecognized argument: ") {
		s.Meaning = result.MeansUsage
	}
}

// jsonnetLine reads "a.jsonnet:1:8-9 text", and errors with frames below: the first frame is the error's place.
func jsonnetLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if frame, ok := strings.CutPrefix(l.Text, "\t"); ok && f != nil {
		where, _, _ := strings.Cut(strings.NewReplacer(":(", ":", ")-(", "-").Replace(frame), "\t")
		if at := read.PlaceOf(strings.TrimSuffix(where, ")")); at != nil && f.At == nil {
			f.At = at
		}
		return s.More(l)
	}
	at, message, ok := place.Cut(l.Text)
	if !ok || message == "" || strings.HasPrefix(l.Text, " ") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
}
