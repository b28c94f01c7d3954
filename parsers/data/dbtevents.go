package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/result"
)

// dbtSaid has the message and the compiled file of a failed node, from events of the JSON log. The
// events of several threads are mixed.
type dbtSaid struct{ message, compiled string }

type dbtEvent struct {
	Info struct{ Name, Level, Msg string }
	Data struct {
		Version, Msg, Path string
		Node               struct {
			Name string `json:"node_name"`
		} `json:"node_info"`
	}
}

// event takes a line of the log. The text of an event without a node is read like a line of the text format.
func (d *dbtRun) event(s *read.Sink, v *dbtEvent) {
	node := v.Data.Node.Name
	d.anew(s, true)
	switch name := v.Info.Name; {
	case name == "MainReportVersion":
		s.Version, s.Signed = strings.TrimPrefix(v.Data.Version, "="), true
	case v.Info.Level == "debug":
	case name == "RunResultFailure", name == "RunResultWarning":
		if f, ok := cutDbtHead(read.ShownText(v.Info.Msg)); ok {
			s.FindHere(f)
			s.Break()
		}
	case node != "" && (name == "RunResultError" || name == "RunResultWarningMessage"):
		d.of(node).message = v.Data.Msg
		head, _, _ := strings.Cut(v.Data.Msg, "\n") // for a source, this is the only event
		if f, ok := cutDbtHead(read.ShownText(head)); ok && strings.Contains(head, " in source ") {
			f.Rule = ""
			s.FindHere(f)
			s.Break()
		}
	case node != "" && name == "SQLCompiledPath":
		d.of(node).compiled = v.Data.Path
	default:
		for text := range strings.SplitSeq(v.Info.Msg, "\n") {
			d.line(s, read.ShownText(text), s.FindHere, func() {})
		}
	}
}

// of returns what the events say about a node. It keeps at most 10,000 nodes.
func (d *dbtRun) of(node string) *dbtSaid {
	if d.said[node] == nil {
		if len(d.said) >= 10_000 {
			return new(dbtSaid)
		}
		d.said[node] = new(dbtSaid)
	}
	return d.said[node]
}

// endJSON completes each finding with the message and the compiled file of its node.
func (d *dbtRun) endJSON(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		said := d.said[f.ID]
		if said == nil || f.Message != "" {
			continue
		}
		var rest []string
		for text := range strings.SplitSeq(said.message, "\n") {
			text = strings.TrimSpace(read.ShownText(text))
			if head, ok := cutDbtHead(text); ok && head.ID == f.ID && f.Message == "" {
				f.Rule = head.Rule
			} else if f.Message == "" {
				f.Message = text
			} else {
				rest = append(rest, text)
			}
		}
		f.Detail = strings.TrimSpace(strings.Join(rest, "\n"))
		if said.compiled != "" {
			f.Locations = append(f.Locations, result.Location{Path: said.compiled})
		}
	}
	d.end(s)
}
