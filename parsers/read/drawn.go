package read

import (
	"strings"

	"cairn/parsers/tool"
)

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
			s.Cover(l)
			return true
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
