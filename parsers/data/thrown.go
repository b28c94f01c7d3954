package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// thrown reads the error that ends a JavaScript program, the stack below it, and
// the source that node shows above a syntax error:
//
//	error: alter table "ordres" … - relation "ordres" does not exist
//	    at Parser.parse (…/node_modules/pg-protocol/dist/parser.js:37:38)
//
//	/home/dev/db/knexfile.js:2
//	  client: 'pg',,
//	               ^
//	SyntaxError: Unexpected token ','
//
// An error that a library catches and throws again is printed twice, and is one finding.
type thrown struct {
	source  *result.Location // the place above a syntax error
	message bool             // the next lines may continue the message
}

func (t *thrown) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	at, isFrame := jserror.Frame(text)
	message, failed := cutError(l.Text)
	source, rest, placed := place.Cut(l.Text)
	f := s.Last()
	switch {
	case isFrame && f != nil:
		t.message = false
		if s.More(l); f.At == nil && !at.External {
			f.At = &at
		}
	case failed && t.again(s, message):
		s.Break()
	case failed:
		class, _ := jserror.CutClass(l.Text)
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: class, Message: message, At: t.source})
		t.source, t.message = nil, true
	case text == "Require stack:":
		t.message = false
	case placed && rest == "" && jserror.IsScript(source.Path):
		t.source = &source
	case t.message && f != nil && text != "":
		s.More(l)
		f.Message += " " + text
	default:
		t.message = false
		return false
	}
	return true
}

// again reports whether an error is in a finding already. If the finding has only a part of the message, again
// replaces it by the whole.
func (t *thrown) again(s *read.Sink, message string) bool {
	for i := range s.Findings {
		f := &s.Findings[i]
		if strings.Contains(f.Message, message) {
			return true
		}
		if strings.Contains(message, f.Message) {
			f.Message = message
			return true
		}
	}
	return false
}

// cutError returns the message of an error, "x" in "Error: x", "PostgresError: x" and "error: x".
func cutError(line string) (message string, ok bool) {
	head, rest, ok := strings.Cut(line, ": ")
	if ok = ok && !strings.Contains(head, " ") && (strings.HasSuffix(head, "Error") || head == "error"); !ok {
		return "", false
	}
	if _, message = jserror.CutClass(line); message == line {
		message = rest
	}
	return message, true
}

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
