package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jekyll", func(p *tool.Parser) {
	p.Is("jekyll", result.Build, 1, "Jekyll 4: what it says before it ends with an exception, warnings, the exception alone")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Liquid Exception: ", "Liquid Warning: ", "ERROR: YOUR SITE COULD NOT BE BUILT:"}, Named: true,
		Parse: read.Fresh(func(j *jekyll) read.Text { return read.Text{Line: j.line, End: j.rubyTrace.end} })})
})

// jekyll reads lines that begin with a topic, right-aligned. The exception that follows repeats the error.
//
//	Liquid Exception: Liquid syntax error (line 1): Unknown tag 'nope' in a.md
//	         Warning: Your site URL does not seem to be absolute
type jekyll struct {
	rubyTrace
	below bool // the next line continues the message
}

func (j *jekyll) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	topic, said, ok := strings.Cut(text, ": ")
	switch {
	case j.below && strings.Trim(text, "-") != "":
		s.Last().Message, j.below = strings.TrimPrefix(s.Last().Message+": "+text, ": "), false
		s.Break()
	case j.below:
	case ok && strings.HasPrefix(topic, "YAML Exception reading "): // with --strict_front_matter an exception repeats the error
		f := result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(said, "(<unknown>): "), At: &result.Location{Path: topic[len("YAML Exception reading "):]}}
		if what, spot, has := strings.Cut(f.Message, " at line "); has {
			f.Message, f.At.Line = what, lex.LeadingNumber(spot)
		}
		s.Find(l, f)
		s.Break()
	case ok && (topic == "Liquid Exception" || topic == "Liquid Warning"):
		s.Find(l, liquidFinding(topic, said))
		s.Break()
	case text == "ERROR: YOUR SITE COULD NOT BE BUILT:":
		s.Find(l, result.Finding{Kind: result.BuildError})
		j.below = true
	case ok && lex.IsOneOf(topic, "Warning Deprecation") && strings.HasPrefix(l.Text, "    "):
		s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: strings.ToLower(topic), Message: said})
		s.Break()
	case ok && topic == "Conversion error":
		s.Find(l, result.Finding{Kind: result.BuildError, Message: said, At: place.InSentence(said)})
		j.below = strings.HasSuffix(said, ":")
	case strings.HasPrefix(l.Text, "fatal: ") && strings.Contains(text, " could not be found."):
		s.Misuse(l, said)
	case j.repeats(s, l.Text):
	default:
		return j.rubyTrace.line(s, l)
	}
	return true
}

// repeats reports whether a line belongs to the exception that repeats the last error. The exception adds its class.
func (j *jekyll) repeats(s *read.Sink, line string) bool {
	if f, _, ok := cutException(line); ok && !j.open && len(s.Findings) == 1 && s.Findings[0].Kind == result.BuildError {
		s.Findings[0].Rule = f.Rule
		return true
	}
	_, framed := frame.Ruby(strings.TrimPrefix(line, "\tfrom "))
	return framed && !j.open && s.Failures() > 0
}

// liquidFinding reads "Liquid syntax error (line 1): Unknown tag 'nope' in a.md".
func liquidFinding(topic, said string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Rule: topic, Message: said}
	if topic == "Liquid Warning" {
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	}
	i := strings.LastIndex(said, " in ")
	if i < 0 || strings.Contains(said[i+len(" in "):], " ") || !place.IsFile(said[i+len(" in "):]) {
		return f
	}
	f.Message, f.At = said[:i], &result.Location{Path: said[i+len(" in "):]}
	if head, rest, ok := strings.Cut(f.Message, "): "); ok {
		if kind, line, is := strings.Cut(head, " (line "); is && lex.IsDigits(line) {
			f.At.Line, f.Message = lex.Atoi(line), kind+": "+rest
		}
	}
	return f
}
