package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lychee", func(p *tool.Parser) {
	p.Is("lychee", result.Lint, 1, "lychee 0.2x: compact, detailed, markdown, json, junit")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansFindings, 3: result.MeansUsage}
	p.JUnit = &tool.Dialect{Own: true, Suites: []string{"lychee link check results"}}
	p.Reads(tool.Format{Name: "json", Parse: lycheeJSON})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(y *lychee) read.Text { return read.Text{Line: y.line, Usage: []string{"error: "}} })})
})

// lycheeJSON reads the JSON, in which broken links are listed by the file that contains them.
func lycheeJSON(in *tool.Input) *tool.Report {
	return read.Objects{
		At: []string{"/error_map", "/timeout_map"}, Clean: true, Keyed: true, URL: "url", Message: "status.details", Line: "span.line", Column: "span.column",
		Fit: func(f *result.Finding) { f.Message, f.RuleURL = brokenLink(in, f.RuleURL, f.Message), "" },
	}.Parse(in)
}

// brokenLink returns "link: why". A link to a file in the workspace is given by its relative path.
func brokenLink(in *tool.Input, link, why string) string {
	if file, ok := strings.CutPrefix(link, "file://"); ok {
		if path, outside := in.Workspace.Path(file); !outside {
			link = path
		}
	}
	return link + ": " + why
}

// lychee reads one broken link on each line, below the name of its file, or in a test case of a JUnit report:
//
//	[docs/a.md]:
//	[404] https://example.com/x (at 3:7) | Rejected status code: 404 Not Found
//	### Errors in docs/a.md
//	* [ERROR] <file:///src/docs/b.md> (at 3:7) | File not found
//	<testcase name="Failed file:///src/docs/b.md" time="0.000" file="docs/a.md" line="3">
//	    <failure message="file:///src/docs/b.md (at 3:7) | File not found"/>
type lychee struct {
	path string
	from tool.Line // the line of the test case
}

func (y *lychee) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if _, count, ok := strings.Cut(text, "🚫 "); ok {
		count = strings.Trim(strings.TrimPrefix(count, "Errors"), ".| ")
		return s.Found(l, lex.LeadingNumber(count))
	}
	head, isHead := strings.CutPrefix(strings.TrimPrefix(text, "### "), "Errors in ")
	file, isFile := strings.CutSuffix(strings.TrimPrefix(text, "["), "]:")
	switch {
	case isHead:
		y.path = strings.Clone(head)
	case isFile && text[0] == '[':
		y.path = strings.Clone(file)
	case strings.HasPrefix(text, "<testcase "):
		y.from, y.path = l, ""
		if strings.HasPrefix(xmltext.Attribute(text, "name"), "Failed ") {
			y.path = xmltext.Attribute(text, "file")
		}
	case strings.HasPrefix(text, "<failure ") && y.path != "":
		f, ok := y.link(s, xmltext.Attribute(text, "message"))
		return ok && s.Find(y.from, f) && s.More(l)
	case strings.HasSuffix(text, " in "+lastWord(text)): // "Redirects in docs/a.md"
		y.path = ""
	default:
		state, row, ok := strings.Cut(strings.TrimPrefix(text, "* "), "] ")
		f, link := y.link(s, row)
		return ok && link && y.path != "" && strings.HasPrefix(state, "[") && s.Find(l, f)
	}
	return false
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// link reads "https://example.com/x (at 3:7) | why".
func (y *lychee) link(s *read.Sink, row string) (f result.Finding, ok bool) {
	link, why, ok := strings.Cut(row, " | ")
	link, spot, placed := strings.Cut(link, " (at ")
	line, column, _ := strings.Cut(strings.TrimSuffix(spot, ")"), ":")
	f.Message = brokenLink(s.In, strings.Trim(link, "<>"), why)
	if f.At = (&result.Location{Path: y.path}); placed {
		f.At.Line, f.At.Column = lex.Atoi(line), lex.Atoi(column)
	}
	return f, ok
}
