package eslint

import (
	"html"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The XML formats. checkstyle is one line, however much was found: a <file>
// holds its <error>s, whose source is "eslint.rules." and the rule. junit has a
// <testsuite> for each file and a <testcase> for each problem; the place stands
// in the text of its <failure>, or of its <error> where a file does not parse:
// "line 3, col 7, Warning - message (rule)". Both write every character that
// means something to XML as an entity, so that a tag ends at the first ">".

// checkstyleRule begins the source of a problem.
const checkstyleRule = "eslint.rules."

// sniffESLintCheckstyle: many tools write checkstyle. Where no problem of the
// first line has a rule, the command has to say whose it is.
func sniffESLintCheckstyle(line string) bool {
	return strings.Contains(line, ` source="`+checkstyleRule) || strings.Contains(line, ` source=""`) || !strings.Contains(line, "<error ")
}

// eslintXML reads a document tag by tag.
type eslintXML struct {
	*eslint
	sink *read.Sink
	tags xmlTags
	line tool.Line

	path    string // of the file that is open
	rule    string // of the test case that is open
	message string // of its failure
	ours    bool   // only eslint writes this
	begun   bool
	ended   bool
}

func parseESLintXML(in *tool.Input) *tool.Report { return readESLintXML(in, newESLint(in)) }

func readESLintXML(in *tool.Input, e *eslint) *tool.Report {
	x := &eslintXML{eslint: e}
	x.tags.take = x.tag
	rep := read.Text{Line: x.read, Count: x.count, End: func(s *read.Sink) { x.end(s); s.Signed = s.Signed || x.begun }}.Parse(in)
	if !x.begun || !x.ours && !x.named {
		return nil
	}
	return x.finish(rep, x.ended)
}

// count is read for a line of the document: its tags are copied.
func (x *eslintXML) count(s *read.Sink, l tool.Line) (own, known bool) {
	known = x.inside(l.Text)
	return known && x.read(s, l), known
}

func (x *eslintXML) read(s *read.Sink, l tool.Line) bool {
	if !x.inside(l.Text) {
		return x.aside(s, l)
	}
	x.sink, x.line = s, l
	for at, piece := range read.WholeLine(x.in, l) {
		x.tags.feed(at, piece)
	}
	return true
}

// inside: the line belongs to the document.
func (x *eslintXML) inside(s string) bool {
	if x.begun && !x.ended {
		return true
	}
	s = strings.TrimSpace(s)
	return lex.HasAnyPrefix(s, "<?xml", "<checkstyle", "<testsuite")
}

func (x *eslintXML) tag(tag string, start, end int64) {
	name, rest, _ := strings.Cut(strings.TrimSuffix(tag[1:len(tag)-1], "/"), " ")
	switch name {
	case "checkstyle", "testsuites":
		x.begun, x.ended = true, false
	case "/checkstyle", "/testsuites":
		x.ended = x.begun
	case "file":
		x.path = attributeOf(rest, "name")
	case "testsuite":
		x.path = attributeOf(rest, "name")
		x.problems += lex.Atoi(attributeOf(rest, "errors"))
		x.ours = x.ours || attributeOf(rest, "package") == "org.eslint"
	case "testcase":
		x.rule = strings.TrimPrefix(attributeOf(rest, "name"), "org.eslint.")
	case "failure":
		x.message = attributeOf(rest, "message")
	case "error":
		if x.message = attributeOf(rest, "message"); strings.Contains(rest, `line="`) {
			x.checkstyle(rest, start, end)
		}
	default:
		if text, ok := strings.CutPrefix(tag, "<![CDATA["); ok {
			x.junit(text, start, end)
		}
	}
}

func (x *eslintXML) checkstyle(attributes string, start, end int64) {
	rule, ours := strings.CutPrefix(attributeOf(attributes, "source"), checkstyleRule)
	x.ours = x.ours || ours
	x.message = strings.TrimSuffix(x.message, " ("+rule+")")
	at := result.Location{Path: x.path, Line: lex.Atoi(attributeOf(attributes, "line")), Column: lex.Atoi(attributeOf(attributes, "column"))}
	x.add(rule, attributeOf(attributes, "severity") == "error", at, start, end)
}

func (x *eslintXML) junit(text string, start, end int64) {
	h, ok := cutESLintCompact(": " + html.UnescapeString(text))
	if !ok {
		return
	}
	at := h.at
	at.Path = x.path
	if x.rule == "unknown" {
		x.rule = ""
	}
	x.add(x.rule, h.isError, at, start, end)
}

func (x *eslintXML) add(rule string, isError bool, at result.Location, start, end int64) {
	covered := x.sink.Covered
	if x.sink.Crowded() {
		x.sink.Tell(x.line, eslintSeverity(isError))
	} else {
		x.sink.Find(read.PartOfLine(x.line, start, end), eslintProblem(rule, x.message, isError, at))
	}
	x.sink.Covered = covered // the line is, as a whole
}

// attributeOf finds the value of an attribute in what follows a tag's name.
func attributeOf(s, name string) string {
	for s != "" {
		key, rest, ok := strings.Cut(s, `="`)
		value, after, closed := strings.Cut(rest, `"`)
		if !ok || !closed {
			return ""
		}
		if strings.TrimSpace(key) == name {
			return html.UnescapeString(value)
		}
		s = after
	}
	return ""
}

// maxXMLTag bounds a tag: the longest hold a message.
const maxXMLTag = 1 << 20

// xmlTags takes the tags out of text that arrives in pieces, CDATA sections
// among them, up to the first ">".
type xmlTags struct {
	take  func(tag string, start, end int64)
	held  strings.Builder
	start int64
	open  bool
}

func (t *xmlTags) feed(at int64, piece string) {
	for i := 0; i < len(piece); {
		if !t.open {
			n := strings.IndexByte(piece[i:], '<')
			if n < 0 {
				return
			}
			i += n
			t.open, t.start = true, at+int64(i)
			t.held.Reset()
		}
		n := strings.IndexByte(piece[i:], '>')
		if n < 0 {
			t.hold(piece[i:])
			return
		}
		t.hold(piece[i : i+n+1])
		i += n + 1
		if t.open = t.inName(); t.open {
			continue
		}
		if tag := t.held.String(); strings.HasSuffix(tag, ">") && len(tag) > 2 {
			t.take(tag, t.start, at+int64(i))
		}
	}
}

// inName: the ">" stands in the name of a case. Secretlint writes "preset > rule" as it is.
func (t *xmlTags) inName() bool {
	const begins = `<testcase time="0" name="`
	name, ok := strings.CutPrefix(t.held.String(), begins)
	return ok && !strings.Contains(name, `"`)
}

func (t *xmlTags) hold(s string) {
	if t.held.Len()+len(s) <= maxXMLTag {
		t.held.WriteString(s)
	}
}
