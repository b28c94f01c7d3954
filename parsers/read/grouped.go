package read

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Grouped reads a path on a line of its own, and below it rows that begin with line and column:
//
//	src/app.yml
//	  3:7       error    too many spaces  (colons)
//
//	✖ 2 problems
type Grouped struct {
	Row    RowForm
	Head   func(text string) (path string, ok bool) // recognises the path; nil: a line that is a single word without indent, or a path
	Other  func(s *Sink, l tool.Line) bool          // takes other lines, such as closing lines; may be nil
	Usage  []string                                 // see Text
	Closes bool                                     // see Text
}

// RowForm is the form of a row behind its place.
type RowForm struct {
	Rule       RuleIn
	Ruled      bool                       // a row without a rule, and without "()" in its place, is another tool's
	LastColumn bool                       // the rule comes last, behind two or more blanks
	Marks      map[string]result.Severity // signs for severities, such as "✖"
	Default    result.Severity            // for a row without a severity
}

// Parse reads an input.
func (g Grouped) Parse(in *tool.Input) *tool.Report {
	return Text{Line: g.line, Usage: g.Usage, Closes: g.Closes}.Parse(in)
}

func (g Grouped) line(s *Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if f, ok := g.Row.cut(text); ok && s.Path != "" {
		f.At.Path = s.Path
		return s.Find(l, f)
	}
	if g.Other != nil && g.Other(s, l) {
		return true
	}
	s.Break()
	head := g.Head
	if head == nil {
		head = plainHead
	}
	if path, ok := head(text); ok {
		s.Path = path
		return false // only the rows below a path prove the form
	}
	return false
}

// plainHead recognises a line that is a path without indent, and nothing else.
func plainHead(text string) (path string, ok bool) {
	if text == "" || text[0] == ' ' || text[0] == '\t' || strings.HasSuffix(text, ":") || strings.Contains(text, "  ") {
		return "", false
	}
	return text, strings.ContainsAny(text, `./\`)
}

// cut reads "  3:7  error  text  rule".
func (r RowForm) cut(text string) (f result.Finding, ok bool) {
	s := strings.TrimLeft(text, " \t│")
	if len(s) == len(text) {
		return f, false
	}
	place, rest, _ := strings.Cut(s, " ")
	line, column, _ := strings.Cut(strings.TrimSuffix(place, ":"), ":")
	if !lex.IsDigits(line) || column != "" && !lex.IsDigits(column) || len(line) > 9 || len(column) > 9 {
		return f, false
	}
	f.At = &result.Location{Line: lex.Atoi(line), Column: lex.Atoi(column)}
	rest = strings.TrimLeft(rest, " ")
	if column == "" && strings.Contains(rest, " potentially fixable ") { // "  1 error potentially fixable with …"
		return f, false
	}
	for mark, severity := range r.Marks {
		if after, has := strings.CutPrefix(rest, mark); has {
			f.Severity, f.RawSeverity, rest = severity, mark, strings.TrimLeft(after, " ")
		}
	}
	if f.Severity == "" {
		rest, f.Fixable = strings.CutPrefix(rest, "✓ ") // textlint's mark for what it can mend
		if f.RawSeverity, rest = CutSeverity(rest); f.RawSeverity == "" && r.Default == "" {
			return f, false
		}
		f.Severity = SeverityOf(f.RawSeverity)
		f.Severity = cmp.Or(f.Severity, r.Default)
	}
	if r.LastColumn {
		if i := strings.LastIndex(rest, "  "); i > 0 && !strings.Contains(rest[i+2:], " ") {
			f.Rule, rest = rest[i+2:], strings.TrimRight(rest[:i], " ")
			if strings.HasPrefix(f.Rule, "(") { // yamllint's form
				f.Rule = strings.Trim(f.Rule, "()")
			}
		}
		f.Message = rest
		return f, rest != ""
	}
	f.Message, f.Rule = r.Rule.Cut(rest)
	if r.Ruled && strings.ToLower(f.Rule) == strings.ToUpper(f.Rule) { // no rule is without a letter
		f.Message, ok = strings.CutSuffix(rest, " ()")
		return f, ok
	}
	return f, f.Message != ""
}

// table reads the output of an unknown linter in the form of Grouped: the path of a file, and below it rows with
// line, column, severity and text.
type table struct {
	path  string
	head  tool.Line // the line with the path
	ruled bool      // a row below the path has a rule in the last column
}

// IsRow reports whether a line is a row below the path of a file: "  3:7  error  text  rule".
func IsRow(text string) bool {
	f, ok := anyRow.cut(text)
	return ok && f.At.Column > 0 && f.Rule != ""
}

var anyRow = RowForm{LastColumn: true, Marks: map[string]result.Severity{"✖": result.SevError, "⚠": result.SevWarning, "✘": result.SevError}}

func (t *table) line(s *Sink, l tool.Line, text string) bool {
	f, ok := anyRow.cut(text)
	if !ok || f.At.Column == 0 {
		f, ok = ruleRow(text, t.ruled)
		t.ruled = t.ruled || ok
	}
	switch {
	case ok && t.path != "":
		if said, rule, _ := lex.CutLast(f.Message, " "); f.Rule == "" && isDashed(rule) && strings.Contains(said, " ") { // the longest text of a column is followed by one blank
			f.Rule, f.Message = rule, said
		}
		t.ruled = t.ruled || f.Rule != ""
		s.Cover(t.head)
		if f.Severity != result.SevInfo {
			f.At.Path = t.path
			s.Find(l, f)
		}
		return true
	case text[0] == ' ', text[0] == '\t':
		return false
	}
	t.path, t.ruled = "", false
	if text = cutTag(text); strings.HasSuffix(text, "✗") || strings.HasSuffix(text, "✖") {
		text = strings.TrimRight(text, ":✗✖ ") // without the verdict on the file
	}
	if strings.IndexByte(text, ' ') < 0 && strings.IndexByte(text, ':') < 0 && place.IsFile(text) {
		t.path, t.head = strings.Clone(text), tool.Line{Start: l.Start, End: l.End}
	}
	return false
}

// ruleRow reads a row without a severity: a position, a text and a rule.
//
//	  3    Trailing spaces are not allowed    no-trailing-spaces
//	1:22 The field `q.b_c` is not camel cased. fields-are-camel-cased
//
// The longest text of a column is followed by one blank only. Then the last word is a rule if it has several
// dashes, or one dash and either follows the end of a sentence or an earlier row had a rule.
func ruleRow(text string, below bool) (f result.Finding, ok bool) {
	indented := strings.TrimLeft(text, " \t")
	position, rest, _ := strings.Cut(indented, " ")
	line, column, both := strings.Cut(position, ":")
	rest, rule, ruled := lex.CutLast(strings.TrimLeft(rest, " "), " ")
	columns := strings.HasSuffix(rest, " ")
	rest = strings.TrimRight(rest, " ")
	switch {
	case !ruled || !lex.IsDigits(line) || both != lex.IsDigits(column) || len(position) > 12 || len(indented) == len(text) && !both:
		return f, false
	case strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789-/@_") != "" || lex.Letter(rule[0]) == 0 && rule[0] != '@' || !strings.Contains(rest, " "):
		return f, false
	case !columns && (!isDashed(rule) || !below && strings.Count(rule, "-") < 2 && lex.Letter(rest[len(rest)-1]) != 0):
		return f, false
	}
	word, message := CutSeverity(rest)
	f = result.Finding{Severity: cmp.Or(SeverityOf(word), result.SevError), RawSeverity: word, Rule: rule, Message: message, At: &result.Location{Line: lex.Atoi(line), Column: lex.Atoi(column)}}
	return f, true
}
