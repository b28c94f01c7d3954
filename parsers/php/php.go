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
	again bool            // of an error that was read before
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
		p.more(s, l)
		p.trace = false
	case p.trace && (l.Text == "" || l.Text == "Stack trace:" || strings.HasPrefix(l.Text, "#")):
		p.more(s, l)
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
		if p.trace = !lex.IsDigits(rest[strings.LastIndexByte(rest, ' ')+1:]); f.At == nil {
			f.Message, f.At = cutOnLine(thrown)
		}
	} else if f.Message, f.At = cutOnLine(rest); severity == result.SevWarning {
		f.Kind = result.Diagnostic
	}
	key := f.Message
	if f.At != nil {
		key += f.At.String()
	}
	if p.again = p.seen[key] && len(s.Findings) > 0; p.again {
		s.Cover(l)
		return
	}
	if len(p.seen) < s.Most() {
		lex.Put(&p.seen, key, true)
	}
	s.Find(l, f)
}

// more takes a line of a trace, which is kept once.
func (p *php) more(s *read.Sink, l tool.Line) {
	if p.again {
		s.Cover(l)
		return
	}
	p.frame(s, l.Text)
	s.More(l)
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

var _ = Room.Add("composer | composer.phar", func(p *tool.Parser) {
	p.Is("composer", result.Package, 1, "Composer 2: errors, requirements that cannot be met, scripts that fail")
	p.Runner = true // composer runs a project's scripts
	p.Reads(tool.Format{Name: "text", Starts: []string{"In ….php line ", "Your requirements could not be resolved", "Composer could not find a composer.json"}, Named: true, Parse: read.Lines((*composer).line)})
})

// composer reads the box below "In JsonFile.php line 347:", the problems of requirements, the lists of validate, and
// single lines with an error.
type composer struct {
	box, problem, full bool            // a box is being read; a problem is; the box's last row filled the width
	list               result.Severity // the severity of the rows below "# Publish errors", "# General warnings"
}

func (c *composer) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "In ") && strings.Contains(l.Text, ".php line "):
		c.box, c.problem = true, false
		s.Break()
	case strings.HasPrefix(t, "Problem ") && lex.IsDigits(strings.TrimPrefix(t, "Problem ")):
		c.problem = true
		s.Break()
	case strings.HasPrefix(t, "# ") && (strings.HasSuffix(t, " errors") || strings.HasSuffix(t, " warnings")):
		c.list = read.SeverityOf(strings.TrimSuffix(t[strings.LastIndexByte(t, ' ')+1:], "s"))
	case c.list != "" && strings.HasPrefix(t, "- "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: c.list, Message: t[2:]})
	case c.problem && strings.HasPrefix(t, "- "):
		if s.Last() == nil {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(t, "- "), Package: requiredPackage(t)})
		} else {
			s.More(l)
		}
	case strings.HasPrefix(l.Text, "Script ") && strings.Contains(t, " returned with error code "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: t}) // what the script ran may tell why
		s.Break()
	case strings.HasPrefix(l.Text, "Composer could not find "),
		strings.HasPrefix(l.Text, "Your lock file does not contain a compatible set"), strings.HasSuffix(t, "is not present in the lock file."):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		s.Break()
	case strings.HasPrefix(l.Text, "  ") && t != "" && (c.box || strings.HasPrefix(t, "Command \"")):
		c.text(s, l, t)
	default:
		if t != "" {
			c.box = false
		}
		return len(s.Findings) > 0 || c.box
	}
	return true
}

// text adds a row of a box to the message. The first row may be the exception's class.
func (c *composer) text(s *read.Sink, l tool.Line, t string) {
	last, glue := s.Last(), " "
	if c.full && l.Text[2] != ' ' {
		glue = "" // the row above was cut within a word, at the terminal's width
	}
	c.full = len(l.Text) >= 79 && l.Text[len(l.Text)-3] != ' '
	if last == nil {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		c.box = true
		return
	}
	if len(last.Message) < 400 {
		last.Message += glue + t
	}
	s.More(l)
}

// requiredPackage reads "- Root composer.json requires acme/none ^1.0, …".
func requiredPackage(t string) *result.PackageRef {
	_, rest, ok := strings.Cut(t, " requires ")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return nil
	}
	p := &result.PackageRef{Ecosystem: "composer", Name: strings.TrimSuffix(words[0], ",")}
	if len(words) > 1 {
		p.Range = strings.TrimSuffix(words[1], ",")
	}
	return p
}
