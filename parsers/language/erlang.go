package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("erlc escript | erl", func(p *tool.Parser) {
	p.Is("erlc", result.Build, 1, "erlc and escript of Erlang/OTP 22 to 28")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Plain: true, Accept: isErlang, Below: erlcSource, Other: escriptSays}.Parse})
})

// isErlang: behind a place stands what is wrong with Erlang's source. A message may
// begin with "syntax error before", which is no severity.
func isErlang(d *read.Diagnostic) bool {
	if message, ok := strings.CutPrefix(d.Message, "Warning: "); ok {
		d.Word, d.Message = "warning", message
	}
	return strings.HasSuffix(d.At.Path, "rl") && strings.Contains(d.At.Path, ".") || strings.HasSuffix(d.At.Path, ".yrl") || strings.HasSuffix(d.At.Path, ".app.src")
}

// erlcSource: "%    2| f( -> 1." below a diagnostic, and rebar3's frames.
func erlcSource(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "%  ") || strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(strings.TrimSpace(l.Text), "│")
}

func escriptSays(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "escript: ")
	if ok { // it exits with 127, whatever it was
		s.Meaning = result.MeansFindings
	}
	return ok && s.Find(l, result.Finding{Kind: result.Panic, Message: message})
}
