package read

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Framed reads a form that many programs took from rustc: a message, below it an arrow to the place, and the source
// in a frame.
//
//	warning[artipacked]: credentials are kept
//	 --> .github/workflows/z.yml:6:9
//	  |
//	6 |       - uses: actions/checkout@v3
//	  |         ^^^^^^^^^^^^^^^^^^^^^^^^^ does not set persist-credentials
//
// The arrow may also be "╭▸ ", "┌─ ", "╭─[" or ",-[". The message may begin with "[CODE] " or "[CODE] Error: ", or
// with a mark: "× text", "⚠ text". All lines may follow the bar of a dialogue, "│  ". A message without an arrow is
// not of this form.
type Framed struct {
	head  result.Finding // the message, until the arrow comes
	at    tool.Line
	wait  int  // how many more lines may hold the arrow
	frame bool // inside the frame of the last finding
}

// Line takes a line; it returns false if the line has none of these forms.
func (p *Framed) Line(s *Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if p.wait > 0 {
		if where, ok := cutArrow(strings.TrimLeft(text, "│ ")); ok {
			p.found(s, where)
			s.More(l)
			p.wait, p.frame = 0, true
			return true
		}
	}
	p.wait--
	if f, ok := cutFrameHead(strings.TrimPrefix(l.Text, "│  ")); ok {
		if s.counts() { // the text may be lent, and is not needed
			f.Message, f.Rule, f.RawSeverity = "", "", ""
		}
		p.head, p.at, p.wait, p.frame = f, l, 2, false
		return false // only the arrow proves the form
	}
	if p.frame = p.frame && text != "" && isFrameLine(l.Text); p.frame {
		return s.More(l)
	}
	return false
}

// found adds the message with its place, or adds the place if another reader has taken the message already.
func (p *Framed) found(s *Sink, where result.Location) {
	p.head.At = &where
	last := s.kept()
	if last == nil && s.retold(p.at, p.head.Severity) {
		return
	}
	if last == nil || last.RawSpan == nil || last.RawSpan.Start != p.at.Start {
		s.Find(p.at, p.head)
		return
	}
	last.Kind, last.Severity, last.RawSeverity = result.Diagnostic, p.head.Severity, p.head.RawSeverity
	last.Rule, last.Message, last.At = p.head.Rule, p.head.Message, p.head.At
}

// cutFrameHead reads "error[rule]: text", "Error (7576): text", "ParserError: text" and
// "warning: text".
func cutFrameHead(line string) (f result.Finding, ok bool) {
	if line == "" || isSentence(line) {
		return f, false
	}
	head, message, ok := strings.Cut(line, ": ")
	word, rule, _ := strings.Cut(strings.TrimSuffix(head, "]"), "[")
	f.Rule, f.Message = rule, message
	if name, code, is := strings.Cut(word, " ("); is && strings.HasSuffix(code, ")") {
		word, f.Rule = name, strings.TrimSuffix(code, ")")
	}
	if f.Severity = SeverityOf(word); f.Severity == "" && strings.HasSuffix(word, "Error") && !strings.Contains(word, " ") {
		f.Severity, f.RawSeverity, f.Rule = result.SevError, "", word
	} else if f.Severity != "" {
		f.RawSeverity = strings.ToLower(word)
	}
	if ok && f.Severity != "" && !strings.Contains(f.Rule, " ") && message != "" {
		return f, true
	}
	return cutMarkedHead(line)
}

// isSentence reports whether the first word cannot begin such a head.
func isSentence(line string) bool {
	switch c := line[0]; {
	case c == ' ', c == '[', c >= utf8.RuneSelf, strings.IndexByte("fis", c|0x20) >= 0: // marks, "[CODE] text", "fatal error: text" and the like
		return false
	}
	i := strings.IndexByte(line, ' ')
	return i < 0 || i > 0 && line[i-1] != ':' && !strings.HasPrefix(line[i:], " (")
}

// cutMarkedHead reads "  × text", "  ⚠ text", "[CODE] text" and "[CODE] Error: text".
func cutMarkedHead(line string) (f result.Finding, ok bool) {
	for _, m := range frameMarks {
		if message, is := strings.CutPrefix(line, m.mark); is && message != "" && message[0] != ' ' {
			return result.Finding{Severity: m.severity, Message: message}, true
		}
	}
	code, message, ok := strings.Cut(strings.TrimPrefix(line, "["), "] ")
	if !ok || line[0] != '[' || code == "" || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" {
		return f, false
	}
	f.Rule, f.Severity = code, result.SevError
	if word, rest := CutSeverity(message); word != "" {
		f.Severity, f.RawSeverity, message = SeverityOf(word), word, rest
	}
	f.Message = message
	return f, message != ""
}

// frameMarks are signs of severities above a frame, behind two blanks.
var frameMarks = [...]struct {
	mark     string
	severity result.Severity
}{{"  × ", result.SevError}, {"  x ", result.SevError}, {"  ⚠ ", result.SevWarning}, {"  ! ", result.SevWarning}}

// cutArrow reads "--> path:6:9" in each of its drawings.
func cutArrow(text string) (at result.Location, ok bool) {
	for _, arrow := range [...]string{"--> ", "╭▸ ", "┌─ ", "╭─[", ",-[", "╭─ ", "-->"} {
		rest, is := strings.CutPrefix(text, arrow)
		if !is {
			continue
		}
		rest, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(rest), ":"), "]")
		rest = strings.TrimSpace(rest)
		if arrow == "--> " && place.IsFile(rest) && !strings.ContainsAny(rest, ": ") { // a place without a line: the whole file
			return result.Location{Path: rest}, true
		}
		at, after, ok := place.Cut(rest + ":")
		return at, ok && after == ""
	}
	return at, false
}

// isFrameLine reports whether a line belongs to the frame: numbered source, marks, notes.
func isFrameLine(line string) bool {
	text := strings.TrimLeft(line, " 0123456789")
	return line[0] == ' ' || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "│") || strings.HasPrefix(text, "╰") || strings.HasPrefix(text, "───╯") || strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
}

// isDrawn reports whether a line is the first row of a table, with the names of the columns, drawn with lines or
// written in Markdown.
func isDrawn(text string) bool {
	o := layout{path: "above"}
	cells := drawnCells(text)
	return len(cells) > 1 && o.headOf(cells) != nil
}

// borders are the characters between the cells of a table.
const borders = "|│║┃"

// drawnCells returns the cells of a row; nil for other lines. A table without outer lines must have at least three
// columns.
func drawnCells(line string) []string {
	text := strings.TrimSpace(line)
	first := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(borders, r) })
	var cells []string
	switch {
	case first < 0 || len(text) > maxRow:
		return nil
	case first == 0:
		cells = strings.FieldsFunc(strings.ReplaceAll(text, `\|`, "\x00")+" ", func(r rune) bool { return strings.ContainsRune(borders, r) })
		cells = cells[:len(cells)-1] // nothing follows the last border
	case strings.Count(text, " | ") > 1:
		cells = strings.Split(text, " | ") // a table without outer lines
	}
	for i := range cells {
		cells[i] = unmarked(strings.TrimSpace(strings.ReplaceAll(cells[i], "\x00", "|")))
	}
	return cells
}

// maxRow bounds the length of lines that may be rows of a table, in bytes.
const maxRow = 8 << 10

// unmarked is a text without Markdown's links, escapes, emphasis and code marks.
func unmarked(text string) string {
	if name, url, ok := strings.Cut(text, "]("); ok && strings.HasPrefix(name, "[") && strings.HasSuffix(url, ")") && !strings.Contains(url, " ") {
		text = name[1:]
	}
	if inner := strings.Trim(text, "`*"); len(inner) == len(text)-2 || len(inner) == len(text)-4 {
		text = inner
	}
	for _, mark := range "/._-*#[]()$~" {
		text = strings.ReplaceAll(text, `\`+string(mark), string(mark))
	}
	return text
}

// isRuled reports whether a line only separates rows.
func isRuled(text string) bool {
	return text != "" && strings.Trim(text, " -=+:|─━═╔╗╚╝╠╣╟╢╤╧╪┼├┤┬┴┌┐└┘╭╮╰╯┏┓┗┛┣┫┳┻╋║│┃╫╬╥╨") == ""
}

// readDrawn reads tables that are drawn or written in Markdown, and the lines around them.
func readDrawn(in *tool.Input, t Sheet) *tool.Report {
	var o *layout
	return Text{Line: func(s *Sink, l tool.Line) bool {
		if o == nil {
			o = newLayout(s, t)
		}
		text := strings.TrimSpace(l.Text)
		if isRuled(text) {
			o.whole = o.whole || text[0] == '|' && strings.Contains(text, "-") && strings.Trim(text, "|-: ") == ""
			return o.names != nil
		}
		if cells := drawnCells(l.Text); len(cells) > 1 {
			before := len(s.Findings)
			o.cells(l, cells)
			if len(s.Findings) == before && o.row == nil {
				return o.names != nil
			}
			return s.Cover(l)
		}
		o.rowEnds()
		if path := headedFile(text); path != "" {
			o.path, o.names = path, nil
		}
		return false
	}, End: func(s *Sink) {
		if o != nil {
			o.close()
		}
	}}.Parse(in)
}
