package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("xsltproc", func(p *tool.Parser) {
	p.Is("xsltproc", result.Build, 1, "xsltproc of libxslt 1.1: stylesheets, documents, what they say at run time")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: xsltLine, Usage: []string{"Unknown option "}}.Parse)})
})

// xsltLine reads an error, whose message is on the line below the place, and the errors of the XML parser:
//
//	compilation error: file a.xsl line 3 element foo
//	xsltStylePreCompute: unknown xsl:foo
//	a.xml:1: parser error : Opening and ending tag mismatch: b line 1 and a
func xsltLine(s *read.Sink, l tool.Line) bool {
	kind, rest, ok := strings.Cut(l.Text, " error: ")
	if ok && (kind == "compilation" || kind == "runtime") {
		f := result.Finding{Message: l.Text}
		if path, behind, named := strings.Cut(strings.TrimPrefix(rest, "file "), " line "); named {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(behind)}
		}
		_, f.Rule, _ = strings.Cut(rest, "element ")
		return s.Find(l, f)
	}
	if at, text, placed := place.Cut(l.Text); placed {
		if rule, message, is := strings.Cut(text, " error : "); is {
			return s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		}
	}
	if _, quoted, is := strings.Cut(l.Text, `failed to load external entity "`); is {
		return s.Find(l, result.Finding{Message: l.Text, At: &result.Location{Path: strings.TrimSuffix(quoted, `"`)}})
	}
	f := s.Last()
	if f == nil || lex.HasAnyPrefix(l.Text, "cannot parse ", "unable to parse ", "no result for ") {
		return !s.Break()
	}
	if f.Detail == "" && strings.Contains(f.Message, " error: ") && l.Text != "error" {
		f.Message = l.Text
	}
	return s.More(l)
}
