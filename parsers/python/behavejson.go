package python

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// behaveElement is a scenario in the document of behave's json formatters.
type behaveElement struct {
	Type, Name, Location, Status string
	Steps                        []struct {
		Keyword, Name string
		Result        *struct {
			Status   string
			Duration float64         // seconds
			Message  json.RawMessage `json:"error_message"` // a text, or its lines
		}
	}
}

// readJSON tells the scenarios, and remembers why scenarios failed of which the document tells; which of them
// did is reported by the lists behind it.
func (b *behaveRun) readJSON(in *tool.Input) {
	read.JSON{Items: read.Items(func(s *read.Sink, e *behaveElement) {
		if e.Type == "background" {
			return
		}
		b.document(e)
		for _, step := range e.Steps {
			if step.Result == nil || step.Result.Status == "passed" || step.Result.Status == "skipped" {
				continue
			}
			if len(b.why) >= maxScenarios {
				return
			}
			why := &behaveWhy{step: step.Keyword + " " + step.Name}
			why.tell(behaveText(step.Result.Message))
			b.why[e.Location] = why
			return
		}
	}, "/*/elements/*")}.Parse(in)
}

// tell takes the message of a step that failed.
func (w *behaveWhy) tell(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if w.trace.Line(line) {
			if w.trace.Whole() && w.message == "" {
				w.message = w.trace.Last
			}
			continue
		}
		for _, mark := range behaveMarks {
			if why, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && w.message == "" {
				w.message = why
			}
		}
	}
}

// behaveText is a message as text, which may be a list of lines.
func behaveText(raw json.RawMessage) string {
	var lines []string
	if json.Unmarshal(raw, &lines) == nil {
		return strings.Join(lines, "\n")
	}
	if string(raw) == "null" {
		return ""
	}
	return read.Value(raw)
}
