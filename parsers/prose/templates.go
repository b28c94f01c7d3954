package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// djlint looks at templates of HTML, a file a group:
//
//	templates/a.html
//	───────────────────────────────────────────────────────────────────────────────
//	H013 2:0 Img tag should have an alt attribute. <img src="x.png">
//
//	Linted 3 files, found 4 errors.
//
// With --check it shows what it would change instead of the rows.
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "djlint", Kind: result.Lint, Version: 1,
		About:   "djlint 1: --lint, --check, --reformat, --statistics, --linter-output-format with path, line and rule",
		Matches: tool.Runs("djlint"), Programs: []string{"djlint"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Linted … found "}, Parse: parseDjlint},
			{Name: "text", Parse: parseDjlint},
			read.PythonTrouble("djlint"),
		},
	}
})

type djlint struct {
	path    string // of the group, "" before its rule
	before  string // the line above
	linted  bool
	differs bool // a difference was shown
}

func parseDjlint(in *tool.Input) *tool.Report {
	d := &djlint{}
	return read.Text{Line: d.line}.Parse(in)
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
	_, found, closes := strings.Cut(l.Text, ", found ")
	switch {
	case ok && isPlace && d.path != "" && d.path != "Statistics" && isDjlintRule(rule) && lex.IsDigits(line) && lex.IsDigits(column) && len(line) < 9 && len(column) < 9:
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
	case strings.HasPrefix(l.Text, "Linting "), strings.HasPrefix(l.Text, "Checking "), strings.HasPrefix(l.Text, "Reformatting "):
	default:
		return d.ownFormat(s, l)
	}
	s.Break()
	return true
}

// ownFormat reads "a.html:2:0: H013 text", as --linter-output-format is often set.
func (d *djlint) ownFormat(s *read.Sink, l tool.Line) bool {
	c, ok := read.CutDiagnostic(l.Text)
	rule, message, has := strings.Cut(c.Message, " ")
	if rule = strings.TrimSuffix(rule, ":"); !ok || !has || !isDjlintRule(rule) {
		return false
	}
	s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSuffix(message, "."), At: &c.At})
	return true
}

// isDjlintRule: a letter or two and three digits.
func isDjlintRule(word string) bool {
	name := strings.TrimRight(word, "0123456789")
	return len(word)-len(name) == 3 && len(name) > 0 && len(name) < 3 && strings.ToUpper(name) == name
}

// curlylint prints ESLint's groups; "compact" has one row a line.
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "curlylint", Kind: result.Lint, Version: 1,
		About:   "curlylint 0.12 and 0.13: stylish, compact, json",
		Matches: tool.Runs("curlylint"), Programs: []string{"curlylint"},
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": read.Item(curlylintItem)}}.Parse},
			{Name: "text", Parse: read.Text{Line: curlylintLine}.Parse},
			read.PythonTrouble("curlylint"),
		},
	}
})

func curlylintItem(s *read.Sink, v *struct {
	Path    string `json:"file_path"`
	Line    int
	Column  int
	Message string
	Code    string
}) {
	s.FindHere(result.Finding{Rule: v.Code, Message: v.Message, At: &result.Location{Path: v.Path, Line: v.Line, Column: v.Column}})
}

// curlylintLine reads a row below its path, "1:1<tab>text<tab>rule".
func curlylintLine(s *read.Sink, l tool.Line) bool {
	cells := strings.Split(l.Text, "\t")
	line, column, ok := strings.Cut(cells[0], ":")
	switch {
	case len(cells) == 3 && ok && lex.IsDigits(line) && lex.IsDigits(column) && len(line)+len(column) < 16 && s.Path != "":
		s.Find(l, result.Finding{Rule: cells[2], Message: cells[1], At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	case strings.HasSuffix(l.Text, " reported"), strings.HasPrefix(l.Text, "All done! "):
		if n := lex.LeadingNumber(l.Text); n > 0 {
			s.Claim(n)
		}
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Oh no! "):
	default:
		if d, ok := read.CutDiagnostic(l.Text); ok {
			d.Message, d.Rule = read.Parens.Cut(d.Message)
			s.Find(l, result.Finding{Rule: d.Rule, Message: d.Message, At: &d.At})
			return true
		}
		if !strings.ContainsAny(l.Text, " \t") {
			s.Path = strings.Clone(l.Text)
		}
		return false
	}
	return true
}

// j2lint draws a tree, whose rows go on in the next line:
//
//	├── j2/b.j2:2 Jinja statements should not have {%- or {%+ or -%} as delimiters
//	│   (jinja-statements-delimiter)
var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "j2lint", Kind: result.Lint, Version: 1,
		About:   "j2lint 1: the tree and --json",
		Matches: tool.Runs("j2lint"), Programs: []string{"j2lint"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/ERRORS/*": read.Item(j2lintError), "/WARNINGS/*": read.Item(j2lintWarning)}}.Parse},
			{Name: "text", Parse: read.Text{Line: j2lintLine}.Parse},
			read.PythonTrouble("j2lint"),
		},
	}
})

type j2lintItem struct {
	ID, Message, Filename string
	Line                  int `json:"line_number"`
}

func j2lintError(s *read.Sink, v *j2lintItem)   { v.find(s, result.SevError) }
func j2lintWarning(s *read.Sink, v *j2lintItem) { v.find(s, result.SevWarning) }

func (v *j2lintItem) find(s *read.Sink, severity result.Severity) {
	s.FindHere(result.Finding{Severity: severity, Rule: v.ID, Message: v.Message, At: &result.Location{Path: v.Filename, Line: v.Line}})
}

func j2lintLine(s *read.Sink, l tool.Line) bool {
	row := strings.TrimLeft(l.Text, "│├└─ ")
	branch := strings.HasPrefix(l.Text, "├── ") || strings.HasPrefix(l.Text, "└── ")
	where, message, _ := strings.Cut(row, " ")
	switch at := read.PlaceOf(where); {
	case branch && at != nil && at.Line > 0:
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: j2lintSeverity(s), Rule: rule, Message: message, At: at})
	case strings.HasPrefix(l.Text, "────") && strings.Contains(l.Text, " JINJA2 LINT "):
		s.Path = strings.Trim(l.Text, "─ ")
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Jinja2 linting finished with "):
		n := read.Counts(l.Text)
		s.Claim(n["error(s)"])
		s.Close(l)
	case s.Last() != nil && row != "" && len(row) < len(l.Text):
		f := s.Last()
		f.Message, f.Rule = read.Parens.Cut(strings.TrimRight(f.Message, " ") + " " + row)
		f.RawSpan.End = l.End
	default:
		s.Break()
		return strings.HasPrefix(l.Text, "Linting complete. No problems found")
	}
	return true
}

func j2lintSeverity(s *read.Sink) result.Severity {
	if strings.Contains(s.Path, "WARNING") {
		return result.SevWarning
	}
	return result.SevError
}
