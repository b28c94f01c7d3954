package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// djlint checks templates of HTML, and groups problems by file:
//
//	templates/a.html
//	───────────────────────────────────────────────────────────────────────────────
//	H013 2:0 Img tag should have an alt attribute. <img src="x.png">
//
//	Linted 3 files, found 4 errors.
//
// With --check it prints differences instead of the rows.
var _ = Room.Add("djlint", func(p *tool.Parser) {
	p.Is("djlint", result.Lint, 1, "djlint 1: --lint, --check, --reformat, --statistics, --linter-output-format with path, line and rule")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(djlintTemplate.Format("djlint"))
	p.Reads(tool.Format{Name: "text", Starts: []string{"Linted … found "}, Named: true, Parse: read.Lines((*djlint).line)})
	p.Reads(read.PythonTrouble("djlint"))
})

// djlintTemplate reads --linter-output-format, in which a line is "3:7".
var djlintTemplate = read.Template{
	Names: map[string]string{"line": "{line}:{column}"},
	Fit: func(f *result.Finding) bool {
		f.Message, _, _ = strings.Cut(f.Message, ". <")
		f.Message = strings.TrimSuffix(f.Message, ".")
		return isDjlintRule(f.Rule)
	},
}

type djlint struct {
	path    string // the group's file; "" until the rule "────" below the path is read
	before  string // the line above
	differs bool   // a difference was shown
}

func (d *djlint) line(s *read.Sink, l tool.Line) bool {
	before := d.before
	d.before = l.Text
	if strings.HasPrefix(l.Text, "────") && strings.Trim(l.Text, "─") == "" {
		d.path, d.differs = strings.Clone(before), false
		return true
	}
	number := lex.LeadingNumber(l.Text)
	rule, rest, _ := strings.Cut(l.Text, " ")
	where, message, ok := strings.Cut(rest, " ")
	line, column, isPlace := strings.Cut(where, ":")
	isPlace = isPlace && lex.IsDigits(line) && lex.IsDigits(column) && len(line) < 9 && len(column) < 9
	_, found, closes := strings.Cut(l.Text, ", found ")
	switch {
	case ok && isPlace && d.path != "" && d.path != "Statistics" && isDjlintRule(rule):
		message, _, _ = strings.Cut(message, ". <")
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSuffix(message, "."), At: &result.Location{Path: d.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	case closes && strings.HasPrefix(l.Text, "Linted "):
		s.Claim(lex.LeadingNumber(found))
		s.Sign(l)
	case strings.HasPrefix(l.Text, "@@ -") && d.path != "" && !d.differs:
		d.differs = true
		s.Find(l, result.Finding{Rule: "unformatted", Message: "would be updated", At: &result.Location{Path: d.path}, Fixable: true})
	case number > 0 && (strings.HasSuffix(l.Text, " would be updated.") || strings.HasSuffix(l.Text, " updated.")):
		s.Sign(l)
	case lex.HasAnyPrefix(l.Text, "Linting ", "Checking ", "Reformatting "):
	default:
		return d.ownFormat(s, l)
	}
	return s.Break()
}

// ownFormat reads "a.html:2:0: H013 text", as --linter-output-format is often set.
func (d *djlint) ownFormat(s *read.Sink, l tool.Line) bool {
	c, ok := read.CutDiagnostic(l.Text)
	rule, message, has := strings.Cut(c.Message, " ")
	if rule = strings.TrimSuffix(rule, ":"); !ok || !has || !isDjlintRule(rule) {
		return false
	}
	return s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSuffix(message, "."), At: &c.At})
}

// isDjlintRule reports whether word is one or two capitals and three digits: "H013".
func isDjlintRule(word string) bool {
	name := strings.TrimRight(word, "0123456789")
	return len(word)-len(name) == 3 && len(name) > 0 && len(name) < 3 && strings.ToUpper(name) == name
}
