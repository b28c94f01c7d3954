package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// testdox reads the rows of --testdox. A row names the test in words, from which
// its name cannot be made again for sure: the id is what is printed.
//
//	Parcel (Tests\Parcel)
//	 ✘ Price
//	   │
//	   │ Failed asserting that 4 is identical to 5.
//	   │
//	   │ /tmp/tests/ParcelTest.php:5
func (p *phpunit) testdox(s *read.Sink, l tool.Line) bool {
	row := strings.TrimLeft(l.Text, " ")
	switch {
	case strings.HasPrefix(row, "✘ "):
		p.endDoc(s)
		p.doc = &read.Block{Head: l, Title: strings.TrimPrefix(row, "✘ "), End: l.End}
	case lex.HasAnyPrefix(row, "✔ ", "↩ ", "∅ ", "☢ ", "⚠ "):
		p.endDoc(s)
	case lex.HasAnyPrefix(row, "│", "├", "┐", "┴", "╵", "╷", "┊"):
		if p.doc != nil && len(p.doc.Body) < 400 {
			_, text, _ := strings.Cut(row, " ")
			p.doc.Body, p.doc.End = append(p.doc.Body, strings.TrimRight(text, " ")), l.End
		}
	case l.Text != "" && l.Text[0] != ' ':
		p.endDoc(s)
		p.class = l.Text
		return false
	default:
		return false
	}
	return true
}

// endDoc adds the row that was read, unless a list has it again.
func (p *phpunit) endDoc(s *read.Sink) {
	if p.doc == nil {
		return
	}
	class := p.class
	if _, full, ok := strings.Cut(class, " ("); ok {
		class = strings.TrimSuffix(full, ")")
	}
	f := phpSaid(s.In, p.doc.Body)
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, class+"::"+p.doc.Title
	if f.Rule != "" {
		f.Severity = result.SevError
	}
	s.FindBlock(p.doc, f)
	p.doc = nil
}

// teamcity reads a service message: the start of a test says where it
// is, its failure what went wrong.
func (p *phpunit) teamcity(s *read.Sink, l tool.Line) {
	switch {
	case strings.HasPrefix(l.Text, "##teamcity[testStarted "):
		if _, id, _ := strings.Cut(teamcity.Attribute(l.Text, "locationHint"), "::"); len(p.ids) < tool.MaxFindings {
			p.ids[teamcity.Attribute(l.Text, "name")] = strings.TrimPrefix(id, `\`)
		}
	case strings.HasPrefix(l.Text, "##teamcity[testFailed "):
		body := strings.Split(teamcity.Attribute(l.Text, "message")+"\n"+teamcity.Attribute(l.Text, "details"), "\n")
		for i := range body {
			body[i] = strings.TrimSpace(body[i])
		}
		if class, rest, ok := strings.Cut(body[0], " : "); ok && isPHPClass(class) { // as only TeamCity hears it
			body[0] = class + ": " + rest
		}
		f := phpSaid(s.In, body)
		f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, teamcity.Attribute(l.Text, "name")
		f.Name = f.ID
		if f.Rule != "" {
			f.Severity = result.SevError
		}
		if v := teamcity.Attribute(l.Text, "expected"); v != "" {
			f.Expected, f.Actual = v, teamcity.Attribute(l.Text, "actual")
		}
		s.Find(l, f)
		s.Break()
	}
}
