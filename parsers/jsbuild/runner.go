package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// taskFailed adds a runner's finding about a script that failed. The tools that the script ran report why.
func taskFailed(s *read.Sink, l tool.Line, id, how string) {
	s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: id, Message: how})
}

// cutBracketed splits "[name] " from the beginning of a line.
func cutBracketed(text string) (name, rest string) {
	if name, rest, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(name, "[") {
		return name[1:], rest
	}
	return "", text
}

// isExit reports whether the text after "exited with" is a code other than 0 or the name of a signal.
func isExit(code string) bool {
	return lex.IsDigits(code) && code != "0" || strings.HasPrefix(code, "SIG")
}
