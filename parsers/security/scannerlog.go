package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// scannerLog reads why a scanner could not run: a line of its log with the level FATAL or
// ERROR, or an error about the command line.
//
//	2026-11-22T10:00:00Z	FATAL	Fatal error	run error: …
//	[0001] ERROR failed to catalog: …
//	Error: unknown flag: --nope
func scannerLog(s *read.Sink, l tool.Line) bool {
	for _, level := range [...]string{"FATAL", "ERROR"} {
		before, message, ok := strings.Cut(l.Text, level)
		if ok && len(before) < 40 && message != "" && strings.ContainsAny(message[:1], "\t ") && l.Stream == tool.Stderr {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.Join(strings.Fields(message), " ")})
			s.Meaning = result.MeansInternal
			return true
		}
	}
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		return s.Misuse(l, message)
	}
	return false
}
