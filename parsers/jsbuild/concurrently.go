package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("concurrently conc", func(p *tool.Parser) {
	p.Is("concurrently", result.Build, 1, "concurrently 5 to 9: commands that failed")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"--> Sending SIG"}, Named: true, Parse: read.Text{Line: concurrentlyLine}.Parse})
})

// concurrentlyLine reads "[lint] eslint src exited with code 1": a command's name, or else its number, and the command.
func concurrentlyLine(s *read.Sink, l tool.Line) bool {
	name, text := cutBracketed(strings.TrimRight(l.Text, " "))
	command, code, ok := strings.Cut(text, " exited with code ")
	switch {
	case strings.HasPrefix(text, "--> Sending SIG"), strings.HasPrefix(text, "--> "):
		return s.Sign(l)
	case !ok:
		return false
	case code == "0":
		s.Count("passed", 1)
		return s.Sign(l)
	case strings.HasPrefix(code, "SIG"): // concurrently sent the signal, or another program
		s.Count("killed", 1)
		s.Sign(l)
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, ID: name, Message: text})
	case isExit(code):
		if name == "" || strings.Trim(name, "0123456789") == "" {
			name, text = command, "exited with code "+code
		}
		s.Count("failed", 1)
		taskFailed(s, l, name, text)
		if argv := s.In.Command().Argv; slices.Contains(argv, "-s") || slices.Contains(argv, "--success") { // with --success, the run may pass although this command failed
			f := s.Last()
			f.Kind, f.Severity = result.GenericFinding, result.SevWarning
		}
		return true
	}
	return false
}
