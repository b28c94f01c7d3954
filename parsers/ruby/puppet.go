package ruby

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("puppet", func(p *tool.Parser) {
	p.Is("puppet", result.Infra, 1, "puppet 5 to 8: manifests that do not parse or compile")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"Warning: "}, Notes: []string{"See 'puppet help", "Error: Try 'puppet help"}, Fill: fillPuppet, End: puppetUsage,
	}.Parse)})
})

// fillPuppet makes "(file: /tmp/a.pp, line: 4, column: 5)" at a message's end the place.
func fillPuppet(f *result.Finding) {
	f.At = place.InSentence(f.Message)
	if text, _, ok := strings.Cut(f.Message, " (file: "); ok {
		f.Message = text
	}
}

func puppetUsage(s *read.Sink) {
	s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "Try 'puppet help") })
	if len(s.Findings) == 1 && strings.HasPrefix(s.Findings[0].Message, "Unknown Puppet subcommand ") {
		s.Meaning = result.MeansUsage
	}
}
