package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Languages that configurations are written in: each says what is wrong, and where in
// the lines below.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "jsonnet", Kind: result.Build, Version: 1,
		About:   "jsonnet of C++ and of Go, jsonnetfmt, jsonnet-lint: what does not compile or evaluate",
		Matches: tool.Runs("jsonnet", "jsonnetfmt", "jsonnet-lint"), Programs: []string{"jsonnet", "jsonnetfmt"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Said{
			Errors: []string{"RUNTIME ERROR: ", "STATIC ERROR: ", "ERROR: "}, Whole: []string{"Opening input file: "}, Kind: result.BuildError,
			Fill: leadingPlace, Other: jsonnetLine, End: jsonnetUsage,
		}.Parse)}},
	}
})

// leadingPlace takes "a.jsonnet:1:8: " off a message.
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

// jsonnetLine reads "a.jsonnet:1:8-9 text", and below an error its frames: the first
// is where it was raised.
func jsonnetLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if frame, ok := strings.CutPrefix(l.Text, "\t"); ok && f != nil {
		where, _, _ := strings.Cut(strings.NewReplacer(":(", ":", ")-(", "-").Replace(frame), "\t")
		if at := read.PlaceOf(strings.TrimSuffix(where, ")")); at != nil && f.At == nil {
			f.At = at
		}
		s.More(l)
		return true
	}
	at, message, ok := place.Cut(l.Text)
	if !ok || message == "" || strings.HasPrefix(l.Text, " ") {
		return false
	}
	s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "cue", Kind: result.Lint, Version: 1,
		About:   "cue 0.4 to 0.14: vet, export, eval: values that conflict, with all their places",
		Matches: tool.Runs("cue"), Programs: []string{"cue"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Said{Usage: []string{"unknown command ", "unknown flag: ", "unknown shorthand flag: "}, Other: cueLine}.Parse)}},
	}
})

// cueLine reads a message, and below it the places that it is about:
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
		s.More(l)
	case l.Stream == tool.Stderr && l.Text != "" && l.Text[0] != ' ' && (strings.HasSuffix(l.Text, ":") || strings.HasSuffix(l.Text, ": no such file or directory")):
		s.Find(l, result.Finding{Message: strings.TrimSuffix(l.Text, ":")})
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	names := []string{"nix", "nix-build", "nix-instantiate", "nix-shell", "nix-env", "nixos-rebuild", "home-manager"}
	return &tool.Parser{
		Tool: "nix", Kind: result.Build, Version: 1,
		About:   "nix 2.3 to 2.30: expressions that do not parse or evaluate, builds that failed",
		Matches: tool.Runs(names...), Programs: names,
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(read.Text{Line: nixLine, End: nixUsage}.Parse)}},
	}
})

// nixLine reads an error and the first place behind it; a trace stands below it in
// older versions, and above it, as all of it below "error:", in newer ones.
//
//	error: undefined variable 'x'
//
//	       at /home/dev/a.nix:1:14:
func nixLine(s *read.Sink, l tool.Line) bool {
	text, f := strings.TrimSpace(l.Text), s.Last()
	if message, ok := strings.CutPrefix(text, "error: "); ok {
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
		return true
	}
	if message, ok := strings.CutPrefix(text, "warning: "); ok && text == l.Text {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: message})
		s.Break()
		return true
	}
	if f == nil || text != "" && !strings.HasPrefix(l.Text, " ") {
		return text == "error:"
	}
	where, ok := strings.CutPrefix(text, "at ")
	if at := read.PlaceOf(strings.TrimPrefix(strings.TrimSuffix(where, ":"), "«string»")); ok && at != nil && f.At == nil && !strings.Contains(f.Detail, "…") {
		f.At = at
	}
	s.More(l)
	return true
}

func nixUsage(s *read.Sink) {
	for _, f := range s.Findings {
		if strings.HasPrefix(f.Message, "unrecognised flag ") || strings.HasSuffix(f.Message, " is not a recognised command") {
			s.Meaning = result.MeansUsage
		}
	}
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "pkl", Kind: result.Build, Version: 1,
		About:   "pkl 0.25 to 0.29: eval, and what a module's test says fails",
		Matches: tool.Runs("pkl", "jpkl"), Programs: []string{"pkl"},
		Formats: []tool.Format{{Name: "text", Parse: read.IfFound(func(in *tool.Input) *tool.Report {
			return read.Text{Line: (&pklError{}).line}.Parse(in)
		})}},
	}
})

// pklError reads the message below a head, and the first place below that:
//
//	–– Pkl Error ––
//	Expected value of type `Int`, but got type `String`.
//
//	1 | x: Int = "a"
//	       ^^^
//	at a#x (file:///home/dev/a.pkl, line 1)
type pklError struct{ head bool }

func (p *pklError) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case l.Text == "–– Pkl Error ––":
		p.head = true
		s.Break()
		return true
	case p.head && l.Text != "":
		p.head = false
		s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
		return true
	case f == nil:
		return false
	}
	if _, where, ok := strings.Cut(l.Text, " (file://"); ok && f.At == nil && strings.HasPrefix(l.Text, "at ") {
		path, line, _ := strings.Cut(where, ", line ")
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
	s.More(l)
	return true
}
