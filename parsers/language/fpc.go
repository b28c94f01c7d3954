package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("fpc ppcx64 ppc386 lazbuild", func() *tool.Parser {
	return &tool.Parser{
		Tool: "fpc", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About:    "Free Pascal 3.0 and 3.2",
		Programs: []string{"fpc"},
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Kind: result.BuildError, Other: fpcSays,
			Accept: func(d *read.Diagnostic) bool { return d.Word != "" }}.Parse}},
	}
})

func fpcSays(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "Free Pascal Compiler version "):
		return s.Sign(l)
	case strings.HasPrefix(message, "Compilation aborted"), strings.HasSuffix(message, " returned an error exitcode"):
		return true
	case word == "error", word == "fatal":
		return s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: word, Message: message})
	}
	return false
}
