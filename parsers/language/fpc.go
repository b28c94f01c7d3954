package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("fpc | ppcx64 ppc386 lazbuild", func(p *tool.Parser) {
	p.Is("fpc", result.Build, 1, "Free Pascal 3.0 and 3.2")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Other: fpcSays,
		Accept: func(d *read.Diagnostic) bool { return d.Word != "" && !strings.HasSuffix(d.Message, fpcCounts) }}.Parse})
})

// fpcCounts ends the line that counts a module's errors. The line has a place, the end of the file, but is no error.
const fpcCounts = " errors compiling module, stopping"

func fpcSays(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "Free Pascal Compiler version "):
		return s.Sign(l)
	case strings.HasSuffix(l.Text, fpcCounts),
		strings.HasPrefix(message, "Compilation aborted"), strings.HasSuffix(message, " returned an error exitcode"):
		return true
	case word == "error", word == "fatal":
		return s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: word, Message: message})
	}
	return false
}
