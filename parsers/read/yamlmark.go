package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// YAMLMark reads the line with which PyYAML, and programs that use it, say where a document is wrong. There may be
// two such lines: the last is the place of the error, the first where the part around it began.
//
//	while parsing a block mapping
//	  in "compose.yml", line 2, column 3
//	expected <block end>, but found '<block mapping start>'
//	  in "compose.yml", line 4, column 4
//
// Python's configparser prints "file: 'setup.cfg', line: 1".
func YAMLMark(text string) (at result.Location, ok bool) {
	if rest, named := strings.CutPrefix(text, "file: '"); named {
		path, line, ok := strings.Cut(rest, "', line: ")
		return result.Location{Path: path, Line: lex.Atoi(line)}, ok && lex.IsDigits(line) && place.IsFile(path)
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), `in "`)
	if !ok {
		return at, false // true for most lines
	}
	path, rest, cut := strings.Cut(rest, `", line `)
	line, column, exact := strings.Cut(strings.TrimRight(rest, ": "), ", column ")
	if !cut || !exact || !lex.IsDigits(line) || !lex.IsDigits(column) {
		return at, false // without a column, it may be a stack frame
	}
	return result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, true
}

// YAMLMarks gives findings the places that are printed below them.
type YAMLMarks struct {
	above, before int64  // offsets of the ends of the last two lines; 0 without one
	said          []byte // text of the line above
}

// Line takes a line that holds such a place. It must be called for every line that is not empty.
func (y *YAMLMarks) Line(s *Sink, l tool.Line) bool {
	at, ok := YAMLMark(l.Text)
	if !ok || !place.IsFile(at.Path) {
		y.pass(l)
		return false
	}
	above, before, why := y.above, y.before, strings.TrimSpace(string(y.said))
	y.pass(l)
	last := s.kept()
	switch {
	case last != nil && last.RawSpan.End >= above: // the line above belongs to the finding
	case last != nil && before > 0 && last.RawSpan.End >= before:
		last.Message += ": " + why
	default:
		return s.Find(l, result.Finding{Message: why, At: &at})
	}
	last.At = &at
	return s.More(l)
}

// pass takes a line without a place.
func (y *YAMLMarks) pass(l tool.Line) {
	y.above, y.before = l.End, y.above
	y.said = append(y.said[:0], l.Text...)
}
