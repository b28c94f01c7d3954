package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("caddy", func(p *tool.Parser) {
	p.Is("caddy", result.Infra, 1, "caddy 2: a Caddyfile or a configuration that is refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{Errors: []string{"Error: "}, Fill: fillCaddy, End: caddyUsage}.Parse)})
})

// fillCaddy moves the place in "adapting config using caddyfile: Caddyfile:2: text" out of the message.
func fillCaddy(f *result.Finding) {
	text := strings.TrimPrefix(f.Message, "adapting config using caddyfile: ")
	path, rest, _ := strings.Cut(text, ":")
	line, message, ok := strings.Cut(strings.Replace(rest, " - ", ": ", 1), ": ")
	if ok && lex.IsDigits(line) && !strings.Contains(path, " ") {
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line)}, message
	}
}

func caddyUsage(s *read.Sink) {
	for _, f := range s.Findings {
		if strings.HasPrefix(f.Message, "unknown command ") || strings.HasPrefix(f.Message, "unknown flag: ") {
			s.Meaning = result.MeansUsage
		}
	}
}
