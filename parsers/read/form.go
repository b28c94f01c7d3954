package read

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Form describes a line as a tool prints it, with a field in braces for each part that differs from line to line:
//
//	possible bashism in {path} line {line} ({message}):
//
// The fields of a finding are path, line, column, end_line, end_column, severity, rule, rule_name, url, id,
// message, expected, actual. {place} is a path and a position in any form that place.Cut reads. {} is text that is
// not kept. {#failed} is a number that is added to the count of that name; see Rows.
//
// A number has 1 to 9 digits. A severity is a word that SeverityOf knows. A rule, a rule's name and {word} have no
// blanks. Every other field matches as little text as possible, but at least one byte; {} may be empty. One blank
// in a form is one blank; two or more match any two or more. The form describes the whole line, except for blanks
// at its end.
type Form struct {
	text  string
	parts []part
}

// part is a literal or, if field is set, a field.
type part struct {
	literal string
	field   field
	name    string // key of the count, for fieldCount
	padded  bool   // blanks may surround it
}

// isNumber reports whether a field ends where its digits end.
func (p part) isNumber() bool {
	return p.field == fieldLine || p.field == fieldColumn || p.field == fieldEndLine || p.field == fieldEndColumn || p.field == fieldCount
}

type field uint8

const (
	fieldNone  field = iota // a literal
	fieldPlace              // may be directly followed by another field
	fieldAny
	fieldWord
	fieldCount
	fieldPath
	fieldLine
	fieldColumn
	fieldEndLine
	fieldEndColumn
	fieldSeverity
	fieldRule
	fieldRuleName
	fieldURL
	fieldID
	fieldMessage
	fieldExpected
	fieldActual
	fields
)

// fieldNames is an array, because a map would be built at every start of the program.
var fieldNames = [...]struct {
	name string
	is   field
}{
	{"", fieldAny}, {"word", fieldWord}, {"place", fieldPlace}, {"path", fieldPath}, {"line", fieldLine}, {"column", fieldColumn},
	{"end_line", fieldEndLine}, {"end_column", fieldEndColumn},
	{"severity", fieldSeverity}, {"rule", fieldRule}, {"rule_name", fieldRuleName}, {"url", fieldURL}, {"id", fieldID}, {"message", fieldMessage}, {"expected", fieldExpected}, {"actual", fieldActual},
}

func namedField(name string) (is field, ok bool) {
	for _, f := range &fieldNames {
		if f.name == name {
			return f.is, true
		}
	}
	return 0, false
}

// ParseForm reads a form. It returns an error for an unknown field, one that occurs twice, and two fields of text
// with nothing between them.
func ParseForm(text string) (*Form, error) {
	f := &Form{text: text}
	var seen [fields]bool
	for rest := text; rest != ""; {
		literal, opening, opened := strings.Cut(rest, "{")
		if literal != "" {
			f.parts = append(f.parts, part{literal: literal})
		}
		if !opened {
			break
		}
		name, after, closed := strings.Cut(opening, "}")
		p, err := fieldOf(name)
		switch {
		case !closed:
			return nil, fmt.Errorf("form %q: a brace is not closed", text)
		case err != nil:
			return nil, fmt.Errorf("form %q: %w", text, err)
		case seen[p.field] && p.field > fieldCount:
			return nil, fmt.Errorf("form %q: {%s} stands twice", text, name)
		case len(f.parts) > 0 && f.parts[len(f.parts)-1].field > fieldPlace:
			return nil, fmt.Errorf("form %q: text is needed before {%s}, to tell where it begins", text, name)
		}
		seen[p.field] = true
		f.parts = append(f.parts, p)
		if rest = after; p.field == fieldPlace {
			rest = strings.TrimLeft(rest, ": ") // place.Cut takes the mark behind a place too
		}
	}
	if len(f.parts) == 0 {
		return nil, fmt.Errorf("form %q: it is empty", text)
	}
	return f, nil
}

func fieldOf(name string) (part, error) {
	if count, ok := strings.CutPrefix(name, "#"); ok && count != "" {
		return part{field: fieldCount, name: count}, nil
	}
	if known, ok := namedField(name); ok {
		return part{field: known}, nil
	}
	return part{}, fmt.Errorf("{%s} is no field: path, line, column, end_line, end_column, severity, rule, rule_name, url, id, message, expected, actual, place, word, {} and {#count} are", name)
}

// FormOf is ParseForm for forms that are part of the program; nil for an empty one.
func FormOf(text string) *Form {
	if text == "" {
		return nil
	}
	f, err := ParseForm(text)
	if err != nil {
		panic(err)
	}
	return f
}

// Match holds the fields of a form as matched in one line. Its texts are parts of the line.
type Match struct {
	text   [fields]string
	place  result.Location
	counts [maxCounts]struct {
		name string
		n    int
	}
	counted int
}

// maxCounts bounds the counts of one form.
const maxCounts = 8

// maxTries bounds the attempts to match one line: with several fields of text, their number could grow with a power
// of the line's length.
const maxTries = 2000

// Match reads a line; ok is false if the form does not describe it.
func (f *Form) Match(line string) (m Match, ok bool) {
	line = strings.TrimRight(line, " \t\r")
	if first := &f.parts[0]; first.field == fieldNone && (line == "" || line[0] != first.literal[0] ||
		first.literal[0] != ' ' && !strings.HasPrefix(line, first.literal) && !strings.Contains(first.literal, "  ")) {
		return m, false // true for most lines
	}
	tries := maxTries
	ok = matchParts(f.parts, line, &m, &tries)
	return m, ok
}

// matchParts matches parts with the whole of s.
func matchParts(parts []part, s string, m *Match, tries *int) bool {
	if len(parts) == 0 {
		return s == ""
	}
	p := &parts[0]
	switch p.field {
	case fieldNone:
		rest, ok := cutLiteral(s, p.literal)
		return ok && matchParts(parts[1:], rest, m, tries)
	case fieldLine, fieldColumn, fieldEndLine, fieldEndColumn, fieldCount:
		s = p.trim(s)
		n := digits(s)
		rest := s[n:]
		ok := n > 0 && matchParts(parts[1:], rest, m, tries)
		for n > 0 && !ok && p.padded && strings.HasPrefix(rest, " ") && *tries > 0 {
			rest, *tries = rest[1:], *tries-1
			ok = matchParts(parts[1:], rest, m, tries)
		}
		m.number(p, s[:n], ok)
		return ok
	case fieldPlace:
		at, rest, ok := place.Cut(s)
		if !ok || !matchParts(parts[1:], rest, m, tries) {
			return false
		}
		m.place = at
		return true
	}
	return matchText(parts, s, m, tries)
}

// matchText gives the first part the shortest text with which the other parts match the rest.
func matchText(parts []part, s string, m *Match, tries *int) bool {
	p := &parts[0]
	if len(parts) == 1 {
		return m.take(p, s)
	}
	literal := parts[1].literal // not another field: ParseForm makes sure
	for from := 0; from <= len(s) && *tries > 0; *tries-- {
		i := nextLiteral(s, literal, from)
		if i < 0 || p.isWord() && hasBlank(p.trim(s[:i])) {
			return false
		}
		if p.accepts(s[:i]) && !splitsPlace(parts, s[:i]) && matchParts(parts[1:], s[i:], m, tries) {
			m.text[p.field] = strings.TrimSpace(s[:i])
			return true
		}
		from = i + 1
	}
	return false
}

// splitsPlace reports whether a path before ":{line}" ends with a number of its own, which is the line.
func splitsPlace(parts []part, path string) bool {
	if parts[0].field != fieldPath || parts[1].literal != ":" || len(parts) == 2 || parts[2].field != fieldLine {
		return false
	}
	_, number, ok := lex.CutLast(path, ":")
	return ok && lex.IsDigits(number)
}

// nextLiteral is the next index, at or after from, at which a literal may begin. If the literal begins with several
// blanks, any run of blanks will do.
func nextLiteral(s, literal string, from int) int {
	if end := strings.Index(literal, "  "); end >= 0 {
		literal = literal[:end]
		if end == 0 {
			literal = "  "
		}
	}
	i := strings.Index(s[from:], literal)
	if i < 0 {
		return -1
	}
	return from + i
}

// cutLiteral removes a literal from the beginning of s; two or more blanks in it match any two or more.
func cutLiteral(s, literal string) (rest string, ok bool) {
	for {
		i := strings.Index(literal, "  ")
		if i < 0 {
			return strings.CutPrefix(s, literal)
		}
		if s, ok = strings.CutPrefix(s, literal[:i]); !ok || !strings.HasPrefix(s, "  ") {
			return "", false
		}
		s, literal = strings.TrimLeft(s, " "), strings.TrimLeft(literal[i:], " ")
	}
}

// digits is how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 9 {
		return 0
	}
	return n
}

// isWord reports whether a field has no blanks.
func (p *part) isWord() bool {
	return p.field == fieldRule || p.field == fieldRuleName || p.field == fieldWord
}

func hasBlank(text string) bool {
	return strings.IndexByte(text, ' ') >= 0 || strings.IndexByte(text, '\t') >= 0
}

// trim removes the blanks around a padded part.
func (p *part) trim(text string) string {
	if !p.padded {
		return text
	}
	return strings.Trim(text, " ")
}

// accepts reports whether a text is valid for the field.
func (p *part) accepts(text string) bool {
	switch text = p.trim(text); p.field {
	case fieldAny:
		return true
	case fieldSeverity:
		return SeverityOf(text) != ""
	case fieldRule, fieldRuleName, fieldWord:
		return text != "" && !hasBlank(text)
	case fieldPath:
		return strings.TrimSpace(text) != "" && len(text) <= place.MaxPlace
	}
	return strings.TrimSpace(text) != ""
}

func (m *Match) take(p *part, text string) bool {
	if !p.accepts(text) {
		return false
	}
	m.text[p.field] = strings.TrimSpace(text)
	return true
}

func (m *Match) number(p *part, digits string, ok bool) {
	if !ok {
		return
	}
	if p.field != fieldCount {
		m.text[p.field] = digits
	} else if m.counted < maxCounts {
		m.counts[m.counted].name, m.counts[m.counted].n = p.name, lex.Atoi(digits)
		m.counted++
	}
}

// at is the matched position; path is used if the line has none.
func (m *Match) at(path string) *result.Location {
	at := m.place
	if at.Path == "" {
		at = result.Location{
			Path: m.text[fieldPath],
			Line: lex.Atoi(m.text[fieldLine]), Column: lex.Atoi(m.text[fieldColumn]),
			EndLine: lex.Atoi(m.text[fieldEndLine]), EndColumn: lex.Atoi(m.text[fieldEndColumn]),
		}
	}
	if at.Path == "" || strings.HasSuffix(path, "/"+at.Path) { // PMD repeats the file's name below its path
		at.Path = path
	}
	if at.Path == "" {
		return nil
	}
	return &at
}

// Severity is that of the severity's word, "" if the form has none.
func (m *Match) Severity() result.Severity { return SeverityOf(m.text[fieldSeverity]) }

// Fill sets the fields of a finding that were matched. path is that of the heading above, for a line that has a
// position but no path.
func (m *Match) Fill(f *result.Finding, path string) {
	for _, to := range [...]struct {
		field field
		text  *string
	}{
		{fieldRule, &f.Rule}, {fieldRuleName, &f.RuleName}, {fieldURL, &f.RuleURL}, {fieldID, &f.ID}, {fieldMessage, &f.Message},
		{fieldExpected, &f.Expected}, {fieldActual, &f.Actual}, {fieldSeverity, &f.RawSeverity},
	} {
		if m.text[to.field] != "" {
			*to.text = m.text[to.field]
		}
	}
	if f.RawSeverity != "" {
		f.RawSeverity = strings.ToLower(f.RawSeverity)
	}
	if s := m.Severity(); s != "" {
		f.Severity = s
	}
	if f.At == nil {
		f.At = m.at(path)
		return
	}
	if at := m.at(f.At.Path); at != nil && (at.Line > 0 || at.Column > 0 || at.Path != f.At.Path) {
		if at.Line == 0 {
			at.Line, at.Column = f.At.Line, cmp.Or(at.Column, f.At.Column)
		}
		f.At = at
	}
}
