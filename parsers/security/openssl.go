package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("openssl", func(p *tool.Parser) {
	p.Is("openssl", result.Security, 1, "the commands of OpenSSL 1.1 and 3.x: its stack of errors, and verify")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Whole: []string{"Could not ", "Can't ", "unable to ", "Unable to ", "error "}, Errors: []string{"openssl:Error: "},
		Usage: []string{"Invalid command '", "openssl: Use -help"}, Other: opensslLine,
	}.Parse)})
})

// opensslLine reads "40F7…:error:8000006F:library:function:reason:file:line:data".
// The first number is the thread's, and the file is one of OpenSSL's own source.
func opensslLine(s *read.Sink, l tool.Line) bool {
	parts := strings.SplitN(l.Text, ":", 9)
	if len(parts) < 8 || parts[1] != "error" || !lex.IsDigits(parts[7]) {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Rule: parts[2], Message: parts[5] + " (" + parts[3] + ")"}
	if len(parts) > 8 && parts[8] != "" {
		f.Message += ": " + parts[8]
	}
	return s.Find(l, f)
}
