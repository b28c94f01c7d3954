package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("java | javaw kotlin scala groovy", func(p *tool.Parser) {
	p.Is("java", result.Generic, 1, "java 8 to 25: exceptions that nobody caught, and what the launcher says")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Starts: []string{`Exception in thread "`, groovyCaught[0], groovyCaught[1], groovyCaught[2], "Error: Could not find or load main class", "Error: Unable to access jarfile", bootLayer}, Named: true, Parse: parseJava})
})

const bootLayer = "Error occurred during initialization of boot layer"

var groovyCaught = [...]string{"Caught: java.", "Caught: groovy.", "Caught: Assertion failed:"}

// java reads the trace of an exception with its causes, and the launcher's own errors. If the
// launcher runs a source file, the errors of javac are among them.
type java struct {
	in    *tool.Input
	javac javac
	text  []string
	open  bool
	head  bool // in Groovy's message, which has several lines, and is printed twice, before the first frame
	usage bool // the launcher refused the command; the next lines may complete the message
}

func parseJava(in *tool.Input) *tool.Report {
	j := &java{in: in}
	return read.Text{Line: j.line, Turn: j.explainLast, End: j.explainLast}.Parse(in)
}

func (j *java) line(s *read.Sink, l tool.Line) bool {
	if j.head = j.head && len(j.text) < 100 && !strings.HasPrefix(l.Text, "\tat "); j.head && l.Text == j.text[0] {
		j.text = j.text[:0]
	}
	if j.open && (j.head || len(j.text) == 0 || isTrace(l.Text)) {
		j.text = append(j.text, strings.Clone(l.Text))
		return s.More(l)
	}
	j.explainLast(s)
	switch text := l.Text; {
	case strings.HasPrefix(text, `Exception in thread "`), strings.HasPrefix(text, "Exception in thread main"), lex.HasAnyPrefix(text, groovyCaught[:]...):
		_, thrown, _ := strings.Cut(text, `" `)
		if j.head = text[0] == 'C'; j.head {
			thrown = text[len("Caught: "):]
		}
		s.Find(l, result.Finding{Kind: result.Panic, Severity: result.SevError})
		j.open, j.text = true, []string{strings.Clone(thrown)}
	case text == bootLayer: // a module is missing: the exception is on the next line
		s.Find(l, result.Finding{Kind: result.Panic, Severity: result.SevError})
		j.open, j.text = true, nil
	case strings.HasPrefix(text, "Error: LinkageError occurred"), strings.HasPrefix(text, "Error: Could not find or load main class"):
		s.Find(l, result.Finding{Kind: result.Panic, Message: strings.TrimPrefix(text, "Error: ")})
		s.Meaning = result.MeansUsage
		j.usage = true
	case lex.HasAnyPrefix(text, "Unrecognized option:", "Error: Unable to access jarfile", "Unrecognized VM option", "Error: Main method not found", "Invalid maximum heap size", "no main manifest attribute"):
		s.Misuse(l, strings.TrimPrefix(text, "Error: "))
		j.usage = true
	case j.usage && lex.HasAnyPrefix(text, "Error: ", "Caused by: ", "\t"):
		if f := s.Last(); f != nil && f.Detail == "" && text[0] != 'E' {
			f.Message += ": " + strings.TrimPrefix(strings.TrimSpace(text), "Caused by: ")
		}
		s.More(l)
	default:
		return j.javac.line(s, l)
	}
	return true
}

// isTrace reports whether a line is part of a trace, or continues a message.
func isTrace(text string) bool {
	s := strings.TrimLeft(text, " \t")
	return lex.HasAnyPrefix(s, "at ", "... ", "Caused by: ", "Suppressed: ") || text != "" && text[0] == '\t'
}

// explainLast completes the finding of the last exception from its lines.
func (j *java) explainLast(s *read.Sink) {
	if f := s.Last(); j.open && f != nil {
		junit.Explain(j.in, f, j.text, "", "")
		if n := len(f.Related); n > 0 {
			f.Message += "; " + f.Related[n-1].Message
		}
		s.Break()
	}
	j.open = false
}
