package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("redis-cli | valkey-cli", func(p *tool.Parser) {
	p.Is("redis-cli", result.Generic, 1, "redis-cli and valkey-cli: no server, and commands that it refused")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"(error) "}, Usage: []string{"Unrecognized option or bad number of args"}, Fill: fillRedis,
		Whole: []string{"ERR ", "WRONGTYPE ", "NOAUTH ", "NOPERM ", "WRONGPASS ", "READONLY ", "MOVED ", "OOM ", "NOSCRIPT ", "Could not connect to Redis at ", "Could not connect to Valkey at "},
	}.Parse)})
})

// fillRedis makes the code at the start of an error, "WRONGTYPE Operation against …", the rule.
func fillRedis(f *result.Finding) {
	if code, message, ok := strings.Cut(f.Message, " "); ok && code == strings.ToUpper(code) {
		f.Rule, f.Message = code, message
	}
}
