package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// phpmdHTML reads a section of the page, which is one line:
//
//	<section class='prb' …><a … class='indx'>#2</a> Avoid … <span>$x</span>. <a class='info-lnk' …
//	<a href='file:///p/src/A.php' …<li class='hlt'><div class='no'>3</div>
func phpmdHTML(s *read.Sink, l tool.Line) bool {
	if strings.Contains(l.Text, "<title>PHPMD Report</title>") {
		return s.Sign(l)
	}
	_, section, ok := strings.Cut(l.Text, "<section class='prb' ")
	_, text, named := strings.Cut(section, "class='indx'>")
	_, text, numbered := strings.Cut(text, "</a>")
	message, rest, linked := strings.Cut(text, " <a class='info-lnk'")
	_, path, placed := strings.Cut(rest, "href='file://")
	path, rest, closed := strings.Cut(path, "'")
	_, line, marked := strings.Cut(rest, "<li class='hlt'><div class='no'>")
	if !ok || !named || !numbered || !linked || !placed || !closed {
		return false
	}
	f := result.Finding{Severity: result.SevWarning, Message: strings.TrimSpace(shownText(message)), At: &result.Location{Path: path}}
	if marked {
		f.At.Line = lex.LeadingNumber(line)
	}
	return s.Find(l, f)
}

// shownText is what a browser shows of a text with tags in it.
func shownText(page string) string {
	var b strings.Builder
	for x := xmltext.NewScanner(strings.NewReader(page)); ; {
		switch x.Next() {
		case xmltext.End:
			return b.String()
		case xmltext.Text:
			b.WriteString(x.Content())
		}
	}
}
