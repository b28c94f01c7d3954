package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "systemd-analyze", Kind: result.Infra, Version: 1,
	About:   "systemd-analyze 245 to 258: verify, calendar, timespan, condition",
	Matches: tool.Runs("systemd-analyze"), Programs: []string{"systemd-analyze"},
	Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: systemdLine}.Parse}},
})

// systemdLine reads "/etc/a.service:3: Unknown key …" and "a.service: Command … is
// not executable: …"; what is ignored is a warning.
func systemdLine(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr || l.Text == "" {
		return false
	}
	f := result.Finding{Message: l.Text}
	unit, rest, _ := strings.Cut(l.Text, ": ")
	at, message, ok := place.Cut(l.Text)
	switch {
	case ok && message != "":
		f.At, f.Message = &at, message
	case strings.Contains(unit, ".") && !strings.Contains(unit, " "):
		f.At, f.Message = &result.Location{Path: unit}, rest
	case !strings.HasPrefix(l.Text, "Failed to ") && !strings.HasPrefix(l.Text, "Unit ") && !strings.HasPrefix(l.Text, "Unknown "):
		return false
	}
	if strings.Contains(strings.ToLower(f.Message), "ignoring") {
		f.Severity = result.SevWarning
	}
	s.Find(l, f)
	return true
}
