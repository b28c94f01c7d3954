package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tar | bsdtar gtar", func(p *tool.Parser) {
	p.Is("tar", result.Generic, 1, "GNU tar and bsdtar, with what the program that unpacks says")
	p.Reads(tool.Format{Name: "text", Starts: []string{"tar: Exiting with failure status", "tar: Error is not recoverable"}, Named: true, Parse: tarText.Parse})
})

var tarText = read.Said{Kind: result.Diagnostic, Errors: []string{"gzip: ", "bzip2: ", "xz: ", "zstd: "}, Other: tarLine}

// tarLine reads tar's errors. Lines such as "Exiting with failure status due to previous errors" are no findings.
func tarLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(strings.Replace(l.Text, "tar (child): ", "tar: ", 1), "tar: ")
	switch {
	case !ok:
		return false
	case lex.HasAnyPrefix(message, "Exiting with failure status", "Error is not recoverable", "Error exit delayed", "Child returned status"):
		s.Sign(l)
	case strings.HasPrefix(message, "Removing leading "), strings.Contains(message, "file changed as we read it"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: message})
	default:
		s.Find(l, result.Finding{Message: message})
	}
	return true
}
