package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nix nix-build nix-instantiate nix-shell nix-env nixos-rebuild home-manager", func(p *tool.Parser) {
	p.Is("nix", result.Build, 1, "nix 2.3 to 2.30: expressions that do not parse or evaluate, builds that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: nixLine, End: nixUsage}.Parse)})
})

// nixLine reads an error and the first place below it. Older versions print the trace below the error; newer ones
// print "error:" first, then the trace, and the error last.
//
//	error: undefined variable 'x'
//
//	       at /home/dev/a.nix:1:14:
func nixLine(s *read.Sink, l tool.Line) bool {
	text, f := strings.TrimSpace(l.Text), s.Last()
	if message, ok := strings.CutPrefix(text, "error: "); ok {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	}
	if message, ok := strings.CutPrefix(text, "warning: "); ok && text == l.Text {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: message})
		return s.Break()
	}
	if f == nil || text != "" && !strings.HasPrefix(l.Text, " ") {
		return text == "error:"
	}
	where, ok := strings.CutPrefix(text, "at ")
	if at := read.PlaceOf(strings.TrimPrefix(strings.TrimSuffix(where, ":"), "«string»")); ok && at != nil && f.At == nil && !strings.Contains(f.Detail, "…") {
		f.At = at
	}
	return s.More(l)
}

func nixUsage(s *read.Sink) {
	for _, f := range s.Findings {
		if strings.HasPrefix(f.Message, "unrecognised flag ") || strings.HasSuffix(f.Message, " is not a recognised command") {
			s.Meaning = result.MeansUsage
		}
	}
}
