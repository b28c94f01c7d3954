package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// rspecPage reads the html formatter: the titles of groups, the name of a failed example, and the text of its failure:
//
//	<dl style="margin-left: 0px;">
//	<dt id="example_group_1" class="passed">Tank</dt>
//	  <dd class="example failed">
//	    <span class="failed_spec_name">holds</span>
//	      <div class="message"><pre>  Failure/Error: expect(1).to eq(2)
type rspecPage struct {
	groups []string
	name   string   // the failed example's name
	body   []string // the lines of its failure so far
	open   bool     // a failure is being read
}

func (p *rspecPage) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	if p.open {
		p.more(s, l, l.Text)
		return true
	}
	if title, ok := between(t, `<dt id="example_group_`, `</dt>`); ok {
		_, title, _ = strings.Cut(title, ">")
		p.groups = append(p.groups, xmltext.Unescape(title))
		return true
	}
	if name, ok := between(t, `<span class="failed_spec_name">`, `</span>`); ok {
		p.name = xmltext.Unescape(name)
		return true
	}
	if message, ok := strings.CutPrefix(t, `<div class="message"><pre>`); ok && p.name != "" {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: fullName(append(p.groups, p.name))}
		s.Find(l, f)
		p.open, p.name = true, ""
		p.more(s, l, message)
		return true
	}
	if margin, ok := between(t, `<dl style="margin-left: `, `px;">`); ok { // 15 pixels for each group around this one
		p.groups = p.groups[:min(len(p.groups), lex.Atoi(margin)/15)]
		return true
	}
	if tally, ok := between(t, `getElementById('totals').innerHTML = "`, `"`); ok {
		tally = strings.ReplaceAll(tally, "<br />", ", ")
		rspecTally(s, tally)
		return s.Close(l)
	}
	return strings.HasPrefix(t, "<title>RSpec results")
}

// more adds a line to a failure, and completes the finding at "</pre>".
func (p *rspecPage) more(s *read.Sink, l tool.Line, text string) {
	text, _, ends := strings.Cut(text, "</pre>")
	if p.body = append(p.body, xmltext.Unescape(text)); !ends {
		return
	}
	if last := s.Last(); last != nil {
		f := rspecFailure(s.In, read.Dedent(p.body))
		f.Kind, f.Severity, f.ID, f.RawSpan = last.Kind, last.Severity, last.ID, last.RawSpan
		f.RawSpan.End = max(f.RawSpan.End, l.End)
		*last = f
	}
	p.open, p.body = false, p.body[:0]
	s.Break()
}

// between returns the text between from and to in a line; ok is false if either is missing.
func between(line, from, to string) (string, bool) {
	_, rest, ok := strings.Cut(line, from)
	inside, _, closed := strings.Cut(rest, to)
	return inside, ok && closed
}

// fullName joins titles as RSpec does: a title that begins like a method ("#add", ".new", "::") follows without a
// blank.
func fullName(titles []string) string {
	name := ""
	for _, title := range titles {
		if name != "" && !strings.HasPrefix(title, "#") && !strings.HasPrefix(title, ".") && !strings.HasPrefix(title, "::") {
			name += " "
		}
		name += title
	}
	return name
}
