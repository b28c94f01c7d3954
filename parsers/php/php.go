package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("php", func(p *tool.Parser) {
	p.Is("php", result.Generic, 1, "PHP 7 and 8: fatal and parse errors, warnings, exceptions that nothing caught, php -l")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Starts: []string{"PHP Fatal error:  ", "PHP Parse error:  ", "Fatal error: … on line ", "Fatal error: Uncaught ", "Parse error: … on line ", "PHP Warning:  … on line "}, Named: true,
		Parse: read.Lines((*php).line)})
})

// php reads "PHP Fatal error:  text in path on line 3". An uncaught exception has its place in the first line, and
// its trace below. With display_errors and log_errors both on, everything is printed twice.
type php struct {
	trace bool            // a trace is being read
	seen  map[string]bool // the errors read so far
}

// phpSeverity returns the severity of the word before a message, or "".
func phpSeverity(word string) result.Severity {
	return result.Severity(lex.Means(word, "error: Fatal error, Parse error, Recoverable fatal error; warning: Warning, Notice, Deprecated; info: Strict Standards"))
}

func (p *php) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimPrefix(l.Text, "PHP ")
	word, rest, ok := strings.Cut(t, ": ")
	if severity := phpSeverity(word); ok && severity != "" {
		p.found(s, l, severity, word, strings.TrimLeft(rest, " "))
		return true
	}
	switch {
	case strings.HasPrefix(l.Text, "No syntax errors detected in "), strings.HasPrefix(l.Text, "Errors parsing "):
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Could not open input file: "), strings.HasPrefix(l.Text, "Error in argument "):
		s.Misuse(l, l.Text)
	case p.trace && strings.HasPrefix(l.Text, "Next ") && s.Last() != nil: // caused by the exception above, and the one that was not caught
		f := phpThrown(strings.TrimPrefix(l.Text, "Next "))
		last := s.Last()
		cause := last.Message
		if last.Rule != "" && !strings.HasPrefix(cause, last.Rule) {
			cause = strings.TrimSuffix(last.Rule+": "+cause, ": ")
		}
		last.Related = append([]result.Related{{Message: result.CausedBy + cause, At: last.At}}, last.Related...)
		if last.Rule, last.Message = f.Rule, f.Message; ownPlace(s, f.At) || !ownPlace(s, last.At) {
			last.At = f.At
		}
	case p.trace && strings.HasPrefix(l.Text, "  thrown in "):
		s.More(l)
		p.trace = false
	case p.trace && (l.Text == "" || l.Text == "Stack trace:" || strings.HasPrefix(l.Text, "#")):
		p.frame(s, l.Text)
		s.More(l)
	default:
		return l.Text == "" && len(s.Findings) > 0
	}
	return true
}

func (p *php) found(s *read.Sink, l tool.Line, severity result.Severity, word, rest string) {
	f := result.Finding{Kind: result.BuildError, Severity: severity, RawSeverity: word}
	if thrown, ok := strings.CutPrefix(rest, "Uncaught "); ok {
		f = phpThrown(thrown)
		f.Kind, f.Severity, f.RawSeverity = result.BuildError, severity, word
		if p.trace = !strings.Contains(rest, " on line "); f.At == nil {
			f.Message, f.At = cutOnLine(thrown)
		}
	} else if f.Message, f.At = cutOnLine(rest); severity == result.SevWarning {
		f.Kind = result.Diagnostic
	}
	key := f.Message
	if f.At != nil {
		key += f.At.String()
	}
	if p.seen[key] && len(s.Findings) > 0 {
		s.Cover(l)
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	if len(p.seen) < s.Most() {
		p.seen[key] = true
	}
	s.Find(l, f)
}

// frame reads a frame. If the exception was thrown in a library, the innermost frame in the workspace becomes the
// place; the frames that led there are kept.
func (p *php) frame(s *read.Sink, text string) {
	last := s.Last()
	at, ok := frame.PHP(text)
	if at.Function = ""; !ok || last == nil || last.At == nil || !ownPlace(s, &at) {
		return
	}
	if !ownPlace(s, last.At) {
		last.At = &at
	} else if at != *last.At && len(last.Frames) < 8 {
		last.Frames = append(last.Frames, at)
	}
}

// ownPlace reports whether at lies in the workspace.
func ownPlace(s *read.Sink, at *result.Location) bool {
	return at != nil && read.Own(s.In, []result.Location{*at}) != nil
}

// cutOnLine reads "text in path on line 3".
func cutOnLine(text string) (message string, at *result.Location) {
	i := strings.LastIndex(text, " on line ")
	if i < 0 {
		return text, nil
	}
	j := strings.LastIndex(text[:i], " in ")
	if j < 0 {
		return text, nil
	}
	return text[:j], &result.Location{Path: text[j+len(" in ") : i], Line: lex.LeadingNumber(text[i+len(" on line "):])}
}

// phpThrown reads "LogicException: inner in /tmp/run.php:3".
func phpThrown(text string) (f result.Finding) {
	f.Message = text
	if i := strings.LastIndex(text, " in "); i > 0 {
		path, line, ok := lex.CutLast(text[i+len(" in "):], ":")
		if n := lex.LeadingNumber(line); ok && n > 0 {
			f.Message, f.At = text[:i], &result.Location{Path: path, Line: n}
		}
	}
	if class, message, ok := strings.Cut(f.Message, ": "); ok && isPHPClass(class) {
		f.Rule, f.Message = class, message
	}
	return f
}
