package read

import (
	"iter"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// opensPage reports whether a line begins an HTML page.
func opensPage(text string) bool {
	const doctype, html = "<!doctype html", "<html"
	return len(text) >= len(doctype) && strings.EqualFold(text[:len(doctype)], doctype) ||
		len(text) >= len(html) && strings.EqualFold(text[:len(html)], html)
}

// page turns HTML into the lines and rows of cells that a browser shows.
type page struct {
	*layout
	cells  []string // of the open row
	cell   strings.Builder
	inCell bool
	from   tool.Line // the line of the page where the open line or row of text begins
	source *pageSource
	aside  string // the element whose content is skipped
}

// readPage reads a page of HTML as a sheet.
func readPage(in *tool.Input, t Sheet) *tool.Report {
	s := NewSink(in)
	p := page{layout: newLayout(s, t)}
	next, stop := iter.Pull(in.LentLinesOf(tool.Stdout))
	defer stop()
	source := &pageSource{next: next}
	p.source = source
	for scanner := xmltext.NewScanner(&lineReader{next: source.line, end: "\n"}); ; {
		switch scanner.Next() {
		case xmltext.End:
			p.lineEnds()
			s.Covered = source.covered
			return p.close()
		case xmltext.Open:
			p.opens(strings.ToLower(string(scanner.Name)))
		case xmltext.Close:
			p.closes(strings.ToLower(string(scanner.Name)))
		case xmltext.Text:
			if p.aside == "" && p.cell.Len() < maxElementText {
				if p.from.End == 0 || p.cell.Len() == 0 && len(p.cells) == 0 {
					p.from = source.last
				}
				p.cell.WriteString(scanner.Content())
			}
		}
	}
}

// pageSource yields the lines of a page without its scripts and styles, which may hold text that looks like tags.
type pageSource struct {
	next    func() (tool.Line, bool)
	last    tool.Line
	inside  bool   // inside the page
	until   string // the closing tag of the open script or style
	covered []result.Span
}

func (p *pageSource) line() (tool.Line, bool) {
	for {
		l, ok := p.next()
		p.inside = p.inside || opensPage(strings.TrimLeft(l.Text, " \t\ufeff"))
		if !ok || p.inside {
			if ok {
				p.last, p.covered = l, append(p.covered, spanOf(l))
			}
			p.inside = p.inside && !strings.Contains(l.Text, "</html>")
			l.Text = p.withoutCode(l.Text)
			return l, ok
		}
	}
}

// withoutCode removes scripts and styles from a line.
func (p *pageSource) withoutCode(text string) string {
	kept := ""
	for {
		if p.until != "" {
			_, behind, ended := strings.Cut(text, p.until)
			if !ended {
				return kept
			}
			text, p.until = behind, ""
		}
		i, name := len(text), ""
		for _, n := range []string{"script", "style"} {
			if at := strings.Index(text, "<"+n); at >= 0 && at < i {
				i, name = at, n
			}
		}
		if kept += text[:i]; name == "" {
			return kept
		}
		text, p.until = text[i:], "</"+name+">"
	}
}

// lineEnds finishes a line of text, or a row of a table.
func (p *page) lineEnds() {
	p.cellEnds()
	p.from.End = max(p.from.End, p.source.last.End)
	switch cells := p.cells; {
	case len(cells) > 1:
		p.layout.cells(p.from, cells)
	case len(cells) == 1 && cells[0] != "":
		p.text(p.from, cells[0])
	}
	p.cells = p.cells[:0]
}

// cellEnds finishes a cell, if one is open.
func (p *page) cellEnds() {
	text := strings.Join(strings.Fields(p.cell.String()), " ")
	if p.cell.Reset(); p.inCell || text != "" {
		p.cells = append(p.cells, text)
	}
	p.inCell = false
}

// inlined are elements that do not begin a new line.
const inlined = "a abbr b bdi bdo cite code em font i kbd label mark q s samp small span strong sub sup time tt u var wbr"

func (p *page) opens(name string) {
	switch {
	case p.aside != "":
	case lex.IsOneOf(name, "pre svg head"):
		p.lineEnds()
		p.aside = name
	case name == "td" || name == "th":
		p.cellEnds()
		p.inCell = true
	case name == "tr":
		p.lineEnds()
	case lex.IsOneOf(name, inlined):
	case p.inCell:
		p.cell.WriteByte(' ')
	default:
		p.lineEnds()
	}
}

func (p *page) closes(name string) {
	switch {
	case p.aside != "":
		if name == p.aside {
			p.aside = ""
		}
	case name == "td" || name == "th":
		p.cellEnds()
	case lex.IsOneOf(name, inlined):
	case p.inCell && !lex.IsOneOf(name, "tr table tbody thead body"):
		p.cell.WriteByte(' ')
	default:
		p.lineEnds()
	}
}
