package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("conftest", func() *tool.Parser {
	return &tool.Parser{
		Tool: "conftest", Kind: result.Lint, Version: 1,
		About: "conftest 0.2x to 0.6x: stdout, json, github",
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(conftestFile, "/*")}.Parse},
			{Name: "text", Parse: read.Text{Line: conftestLine}.Parse},
		},
	}
})

type conftestMessage struct{ Msg string }

// conftestFile is a file of the JSON format.
func conftestFile(s *read.Sink, v *struct {
	Filename, Namespace            string
	Warnings, Failures, Exceptions []conftestMessage
}) {
	for _, m := range v.Failures {
		s.FindHere(conftestFinding(result.SevFailure, v.Filename, v.Namespace, m.Msg))
	}
	for _, m := range v.Warnings {
		s.FindHere(conftestFinding(result.SevWarning, v.Filename, v.Namespace, m.Msg))
	}
}

func conftestFinding(severity result.Severity, path, namespace, message string) result.Finding {
	return result.Finding{Severity: severity, Rule: namespace, Message: message, At: &result.Location{Path: path}}
}

// conftestLine reads "FAIL - d1.yaml - main - text" and the closing count.
func conftestLine(s *read.Sink, l tool.Line) bool {
	if strings.Contains(l.Text, " passed, ") && strings.Contains(l.Text, " failure") && strings.Contains(l.Text, " exception") {
		counts := read.Counts(l.Text)
		s.Claim(counts["failure"] + counts["failures"])
		s.Count("passed", counts["passed"])
		return s.Close(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "Error: "); ok {
		return s.Misuse(l, message)
	}
	parts := strings.SplitN(l.Text, " - ", 4)
	severity := map[string]result.Severity{"FAIL": result.SevFailure, "WARN": result.SevWarning}[parts[0]]
	switch {
	case severity == "" || len(parts) < 3:
		return false
	case len(parts) == 3:
		s.Find(l, conftestFinding(severity, parts[1], "", parts[2]))
	default:
		s.Find(l, conftestFinding(severity, parts[1], parts[2], parts[3]))
	}
	return true
}
