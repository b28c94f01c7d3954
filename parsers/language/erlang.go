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

// isErlang reports whether a diagnostic is about a source of Erlang (.erl, .hrl, .yrl, .app.src). "Warning: " is the
// only severity that erlc prints: a message may begin with "syntax error before".
func isErlang(d *read.Diagnostic) bool {
	if message, ok := strings.CutPrefix(d.Message, "Warning: "); ok {
		d.Word, d.Message = "warning", message
	}
	return strings.HasSuffix(d.At.Path, "rl") && strings.Contains(d.At.Path, ".") || strings.HasSuffix(d.At.Path, ".yrl") || strings.HasSuffix(d.At.Path, ".app.src")
}

// erlcSource reports whether a line shows source below a diagnostic: erlc's "%    2| f( -> 1." or rebar3's "│".
func erlcSource(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "%  ") || strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(strings.TrimSpace(l.Text), "│")
}

func escriptSays(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "escript: ")
	if ok { // escript exits with 127 after any failure
		s.Meaning = result.MeansFindings
	}
	return ok && s.Find(l, result.Finding{Kind: result.Panic, Message: message})
}
