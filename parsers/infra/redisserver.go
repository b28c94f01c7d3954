package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("redis-server | valkey-server", func(p *tool.Parser) {
	p.Is("redis-server", result.Infra, 1, "redis-server and valkey-server: a configuration that is refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: redisLine, End: redisPlace}.Parse)})
})

// redisLine reads an error in the configuration file, which the command names, and an error in the log: "17568:C 22
// Nov 2026 19:44:41.931 # Fatal error, text".
func redisLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if _, message, ok := strings.Cut(l.Text, " # Fatal error, "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	switch {
	case strings.HasPrefix(l.Text, "*** FATAL CONFIG FILE ERROR "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	case f == nil || l.Text == "":
		return false
	case strings.HasPrefix(l.Text, "Reading the configuration file, at line "):
		f.At = &result.Location{Line: lex.LeadingNumber(l.Text[len("Reading the configuration file, at line "):])}
		s.More(l)
	case strings.HasPrefix(l.Text, ">>> "):
		f.Actual = l.Text[4:]
		s.More(l)
	case f.At != nil:
		f.Message = l.Text
		s.More(l)
		s.Break()
	}
	return true
}

func redisPlace(s *read.Sink) {
	args := slices.DeleteFunc(slices.Clone(s.In.Command().Argv), func(a string) bool { return strings.HasPrefix(a, "-") || !strings.Contains(a, ".") })
	for i := range s.Findings {
		if f := &s.Findings[i]; f.At != nil && len(args) == 1 {
			f.At.Path = args[0]
		} else {
			f.At = nil
		}
	}
}
