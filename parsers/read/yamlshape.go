package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// YAMLByShape is XMLByShape for YAML: fit changes each finding into what the tool's other formats give; it may be
// nil.
func YAMLByShape(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return Fitted(shapedYAML, fit)
}

// shapedYAML reads YAML in block style: lists and keys by their indentation, and texts that continue on the next
// lines. Lists and maps in brackets are skipped.
func shapedYAML(in *tool.Input) *tool.Report {
	var y *yamlShape
	rep := Text{Line: func(s *Sink, l tool.Line) bool {
		if y == nil {
			y = &yamlShape{}
			y.shape = &shape{s: s, at: &y.at}
		}
		return l.Stream == tool.Stdout && y.line(l)
	}, End: func(s *Sink) {
		if y != nil {
			y.close(-1)
		}
		shapesTold(s)
	}}.Parse(in)
	if rep == nil || len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

// yamlShape reads YAML line by line.
type yamlShape struct {
	*shape
	at    tool.Line // the line at which the open part began
	maps  []yamlMap
	key   string // key of a text that may continue
	text  string
	depth int // depth of that key
	json  bool
}

// yamlMap is an open map.
type yamlMap struct {
	column int    // column of its keys
	key    string // the last key, while it has no value
}

// line takes a line, and reports whether it is YAML.
func (y *yamlShape) line(l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	column := len(text) - len(strings.TrimLeft(text, " "))
	text = text[column:]
	if y.json = y.json || len(y.maps) == 0 && text != "" && (text[0] == '{' || text[0] == '['); y.json {
		return false // members of a map begin with a key
	}
	switch {
	case y.key != "" && (text == "" || column > y.depth):
		if len(y.text) < maxElementText {
			y.text = strings.TrimSpace(y.text + " " + text)
		}
		y.at.End = max(y.at.End, l.End)
		return true
	case text == "", text[0] == '#', text == "---":
		return len(y.maps) > 0
	}
	y.value()
	for strings.HasPrefix(text, "- ") {
		y.close(column)
		key := ""
		if n := len(y.maps); n > 0 {
			key = y.maps[n-1].key
		}
		rest := strings.TrimLeft(text[2:], " ")
		if name, _, ok := cutYAMLKey(rest); !ok || name == "" {
			return len(y.maps) > 0 // a text in a list
		}
		y.open(l, key, true, column+len(text)-len(rest))
		text, column = rest, column+len(text)-len(rest)
	}
	key, value, ok := cutYAMLKey(text)
	if !ok {
		y.close(-1)
		return false
	}
	if y.close(column); len(y.maps) == 0 || y.maps[len(y.maps)-1].column < column {
		name := ""
		if n := len(y.maps); n > 0 {
			name = y.maps[n-1].key
		}
		y.open(l, name, false, column)
	}
	y.at.End = max(y.at.End, l.End)
	y.maps[len(y.maps)-1].key = key
	y.key, y.text, y.depth = key, value, column
	if value == "" {
		y.key = ""
	}
	return true
}

// cutYAMLKey reads "key: value" and "key:".
func cutYAMLKey(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text+" ", ": ")
	key = strings.Trim(key, `"'`)
	return key, strings.TrimSpace(value), ok && key != "" && !strings.ContainsAny(key, "{}[]") && len(key) < maxLabel
}

func (y *yamlShape) open(l tool.Line, key string, item bool, column int) {
	if y.begin(key, item); y.over == 0 && (len(y.maps) == 0 || item) {
		y.at = l
	}
	y.maps = append(y.maps, yamlMap{column: column})
}

// close ends the maps whose keys are further to the right.
func (y *yamlShape) close(column int) {
	y.value()
	for n := len(y.maps); n > 0 && y.maps[n-1].column > column; n-- {
		y.maps = y.maps[:n-1]
		y.end()
	}
}

// value ends the open text.
func (y *yamlShape) value() {
	key, text := y.key, strings.TrimSpace(y.text)
	if y.key, y.text = "", ""; key == "" || text == "" || strings.IndexByte("[{", text[0]) >= 0 {
		return
	}
	switch n := len(text); {
	case n > 1 && text[0] == '\'' && text[n-1] == '\'':
		text = strings.ReplaceAll(text[1:n-1], "''", "'")
	case n > 1 && text[0] == '"' && text[n-1] == '"':
		text = jsontext.Unescape(text[1 : n-1])
	case lex.HasAnyPrefix(text, "| ", "|- ", "> ", ">- "):
		_, text, _ = strings.Cut(text, " ")
	}
	y.member(key, text)
}

// opensYAML reports whether a line begins a list of maps, with a key that findings have.
func opensYAML(text string) bool {
	key, value, ok := cutYAMLKey(strings.TrimPrefix(text, "- "))
	_, known := meanings()[plainName(key)]
	return strings.HasPrefix(text, "- ") && ok && known && value != ""
}

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
