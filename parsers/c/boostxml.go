package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// boostXML reads a log of one line (--log_format=XML), and a report in another form below it:
//
//	<TestLog><TestSuite name="m"><TestCase name="adds" …><Error file="m.cc" line="8"><![CDATA[text]]></Error>…
type boostXML struct {
	names   []string
	skipped bool // the current test case was skipped
	failed  bool // the text of a failure follows
	frame   bool // the text of a failure's context, "n = 3; ", follows
	at      *result.Location
}

func (b *boostXML) line(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(strings.TrimSpace(l.Text), "<TestLog>") {
		report, ok := strings.CutPrefix(l.Text, "*** ")
		if ok && len(s.Findings) == 0 { // it counts assertions, not tests
			s.Count("failed", max(0, lex.LeadingNumber(report)))
		}
		return ok
	}
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			if s.Tested = strings.HasSuffix(l.Text, "</TestLog>"); !s.Tested {
				return true // the line was cut
			}
			return s.Close(l)
		case xmltext.Open:
			b.open(s, x)
		case xmltext.Text:
			if b.failed {
				fail(s, l, b.id(), b.at, x.Content())
			}
			if f := s.Last(); b.frame && f != nil && len(f.Message) < longMessage {
				f.Message += " Failure occurred in a following context: " + strings.TrimRight(x.Content(), "; ")
			}
			b.failed, b.frame = false, false
		case xmltext.Close:
			if name := string(x.Name); len(b.names) > 0 && (name == "TestSuite" || name == "TestCase") {
				if last := len(s.Findings) - 1; name == "TestCase" && !b.skipped && (last < 0 || s.Findings[last].ID != b.id()) {
					s.Ran(tool.Test{ID: b.id(), Outcome: tool.Passed})
				}
				b.names, b.skipped = b.names[:len(b.names)-1], false
			}
		}
	}
}

// id returns the name of the test as in the text format, without the module's.
func (b *boostXML) id() string { return strings.Join(b.names[min(1, len(b.names)):], "/") }

func (b *boostXML) open(s *read.Sink, x *xmltext.Scanner) {
	at := &result.Location{Path: x.Attr("file"), Line: x.Number("line")}
	if at.Line <= 0 {
		at = nil
	}
	switch string(x.Name) {
	case "TestSuite", "TestCase":
		if b.names = append(b.names, x.Attr("name")); x.Attr("skipped") == "yes" {
			b.skipped = true
			s.Ran(tool.Test{ID: b.id(), Outcome: tool.Skipped})
		}
	case "Error", "FatalError", "Exception":
		b.failed, b.at = true, at
	case "Frame":
		b.frame = true
	case "LastCheckpoint":
		if f := s.Last(); f != nil && f.At == nil {
			f.At = at
		}
	}
}
