package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("helm", func() *tool.Parser {
	return &tool.Parser{
		Tool: "helm", Kind: result.Infra, Version: 1,
		About: "helm 3: errors, and lint's messages",

		Formats: []tool.Format{{Name: "text", Parse: read.Said{Errors: []string{"Error: "}, Warnings: []string{"WARNING: "}, Other: helmLint}.Parse}},
	}
})

// helmLint reads "[ERROR] templates/x.yaml: text".
func helmLint(s *read.Sink, l tool.Line) bool {
	for word, severity := range map[string]result.Severity{"[ERROR] ": result.SevError, "[WARNING] ": result.SevWarning, "[INFO] ": result.SevInfo} {
		if rest, ok := strings.CutPrefix(l.Text, word); ok {
			f := result.Finding{Severity: severity, RawSeverity: strings.ToLower(strings.Trim(word, "[] ")), Message: rest}
			if path, message, ok := strings.Cut(rest, ": "); ok && strings.ContainsAny(path, "./") && !strings.Contains(path, " ") {
				f.At, f.Message = &result.Location{Path: path}, message
			}
			s.Find(l, f)
			return true
		}
	}
	return false
}
