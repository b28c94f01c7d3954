package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
