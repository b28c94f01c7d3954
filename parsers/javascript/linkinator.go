package javascript

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("linkinator", func(p *tool.Parser) {
	p.Is("linkinator", result.Lint, 1, "linkinator 4 to 7: text, json, csv")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: linkinatorLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(linkinatorLink, "/links/*")}.Parse})
})

// linkinatorLink reads a link of the json format.
func linkinatorLink(s *read.Sink, v *struct {
	URL, State, Parent string
	Status             int
}) {
	if v.State == "BROKEN" {
		s.FindHere(result.Finding{Message: brokenLink(v.URL, strconv.Itoa(v.Status), v.Parent)})
	}
}

// brokenLink returns the message for a broken link of a page.
func brokenLink(link, status, page string) string {
	message := "broken link " + link + ", status " + status
	if page != "" {
		message += ", in " + page
	}
	return message
}

// linkinatorRow reads a row of the csv format, "url,status,state,parent,failureDetails".
func linkinatorRow(s *read.Sink, l tool.Line) bool {
	link, rest, ok := lex.CutLast(l.Text, ",BROKEN,")
	link, status, both := lex.CutLast(link, ",")
	if !ok || !both || !lex.IsDigits(status) {
		return false
	}
	page, _, _ := strings.Cut(rest, ",")
	return s.Find(l, result.Finding{Message: brokenLink(strings.Trim(link, `"`), status, page)})
}

// linkinatorLine reads the summary: a page, and indented below it the page's links, "  [404] site/gone.html". The
// rows above the summary, which are not indented, are the same links.
func linkinatorLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	status, link, row := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	row = row && text[0] == '[' && lex.IsDigits(status)
	switch {
	case strings.HasPrefix(text, "ERROR: Detected "):
		s.Claim(lex.LeadingNumber(text[len("ERROR: Detected "):]))
		return s.Close(l)
	case strings.HasPrefix(text, "The provided glob "):
		return s.Misuse(l, text)
	case row && l.Text[0] == ' ' && (status == "0" || status[0] >= '4'):
		s.Find(l, result.Finding{Message: brokenLink(link, status, s.Path)})
		return s.Break()
	case linkinatorRow(s, l):
		return s.Break()
	case !row && text != "" && l.Text[0] != ' ':
		s.Path = strings.Clone(text)
		return false
	}
	return row
}
