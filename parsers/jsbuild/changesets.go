package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("changeset | changesets", func(p *tool.Parser) {
	p.Is("changesets", result.Package, 1, "changesets 2: what a command refuses, and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"🦋  error "}, Named: true, Parse: read.Fresh(func(c *changesets) read.Text {
		return read.Text{Line: c.line, Turn: c.flush, End: c.flush}
	})})
})

// changesets reads one error of several lines, and its stack:
//
//	🦋  error Error: could not parse changeset - invalid version type "huge" for package "@shop/a".
//	🦋  error Valid version types are: major, minor, patch, none
//	🦋  error     at validateReleases (/shop/node_modules/@changesets/parse/index.js:26:13)
type changesets struct{ lines []string }

func (c *changesets) line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "🦋  ")
	word, text, _ := strings.Cut(rest, " ")
	switch {
	case ok && word == "error" && s.Last() != nil:
		c.lines = append(c.lines, strings.Clone(text))
		return s.More(l)
	case ok && word == "error" && strings.TrimSpace(text) != "":
		c.lines = []string{strings.Clone(text)}
		return s.Find(l, result.Finding{Message: text})
	case ok && word == "warn":
		c.flush(s)
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: text}) && s.Break()
	}
	c.flush(s)
	return false
}

// flush completes the finding of the error; the second line is part of the message.
func (c *changesets) flush(s *read.Sink) {
	f := s.Last()
	if f != nil && len(c.lines) > 0 {
		f.Detail = ""
		if jserror.Explain(f, c.lines); len(c.lines) > 1 {
			if _, framed := jserror.Frame(strings.TrimSpace(c.lines[1])); !framed && !strings.HasSuffix(f.Message, c.lines[1]) {
				f.Message += " " + c.lines[1]
			}
		}
	}
	c.lines = nil
	s.Break()
}
