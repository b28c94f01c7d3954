package javascript

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("csslint", func(p *tool.Parser) {
	p.Is("csslint", result.Lint, 1, "csslint 0.10 and 1: text, compact, lint-xml, csslint-xml, checkstyle-xml, junit-xml, json")
	p.Reads(tool.Format{Name: "text", Starts: []string{"csslint: There are ", "csslint: There is "}, Named: true, Parse: read.Rows{Rows: csslintRows, Below: csslintBelow}.Parse})
	p.Reads(tool.Format{Name: "lint-xml", Parse: read.XMLByShape("lint", nil)})
	p.Reads(tool.Format{Name: "csslint-xml", Parse: read.XMLByShape("csslint", nil)})
	p.Reads(tool.Format{Name: "json", Parse: read.JSONByShape(`"messages":`, nil)})
	p.Reads(tool.Format{Name: "checkstyle-xml", Parse: read.Checkstyle(read.BareRule("net.csslint."))})
	p.Reads(tool.Format{Name: "junit-xml", Parse: junit.Lints})
})

// csslintRows reads "csslint: There are 7 problems in F." and, for each problem, a line with its number and place and
// a line with its text; or a problem in one line, "F: line 1, col 2, Error - text (rule)".
var csslintRows = []read.Row{
	{Form: "csslint: There {} problem{} in {path}.", As: read.InPath},
	{Form: "csslint: No errors {}", As: read.Close},
	{Form: "csslint: {message}", As: read.Misuse},
	{Form: "{path}: line {line}, col {column}, {severity} - {message} ({rule})"},
	{Form: "{}: {severity} at line {line}, col {column}", Fit: func(f *result.Finding) { f.Message = f.RawSeverity }},
}

// csslintBelow takes the text of a problem and the source below the text.
func csslintBelow(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f != nil && f.Detail == "" && l.Text != "" && f.Rule == "" {
		f.Message = strings.Clone(l.Text)
	}
	return f != nil && f.Rule == "" && l.Text != ""
}

var _ = Room.Add("csstree-validator", func(p *tool.Parser) {
	p.Is("csstree-validator", result.Lint, 1, "csstree-validator 2.x to 4.x: console, json, checkstyle, gnu")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "name", Line: "line", Column: "column", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) { f.Rule = "" })})
	p.Reads(tool.Format{Name: "gnu", Parse: read.Linter{Accept: csstreeGNU}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: csstree.Parse})
})

// csstreeGNU removes the value and the expected syntax, which only gnu's lines have, from a message.
func csstreeGNU(d *read.Diagnostic) bool {
	d.Message, _, _ = strings.Cut(d.Message, ": `")
	return d.Word != ""
}

// csstree reads the blocks of the console form, which have no line numbers.
var csstree = read.Rows{
	Rows: []read.Row{
		{Form: "# {path}", As: read.InPath},
		{Form: "  * {message}"},
		{Form: "ERROR! {message}", As: read.Misuse},
	},
	Below: read.Indented,
}

var _ = Room.Add("ls-lint | ls_lint", func(p *tool.Parser) {
	p.Is("ls-lint", result.Lint, 1, "ls-lint 1.10 to 2: text, json")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: lsLintLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: map[string]func(*read.Sink, []byte) error{"": read.Item(lsLintPaths)}}.Parse)})
})

// lsLintLine reads "src/BadName.js failed for `.js` rules: kebabcase", before which older versions print the date and
// time.
func lsLintLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if len(text) > 20 && text[4] == '/' && text[19] == ' ' {
		text = text[20:]
	}
	path, rest, ok := strings.Cut(text, " failed for ")
	_, rules, told := strings.Cut(rest, "rules: ")
	switch {
	case ok && told:
		return s.Find(l, result.Finding{Rule: rules, Message: "failed for " + rest, At: &result.Location{Path: path}})
	case strings.HasPrefix(text, "open ") && strings.HasSuffix(text, ": no such file or directory"):
		return s.Misuse(l, text)
	}
	return false
}

// lsLintPaths reads the rules that each path breaks, by file ending: {"src/BadName.js": {".js": ["kebabcase"]}}.
func lsLintPaths(s *read.Sink, paths *map[string]map[string][]string) {
	for _, path := range slices.Sorted(maps.Keys(*paths)) {
		for _, ending := range slices.Sorted(maps.Keys((*paths)[path])) {
			rules := strings.Join((*paths)[path][ending], " | ")
			s.FindHere(result.Finding{Rule: rules, Message: "failed for `" + ending + "` rules: " + rules, At: &result.Location{Path: path}})
		}
	}
}

var _ = Room.Add("pug-lint", func(p *tool.Parser) {
	p.Is("pug-lint", result.Lint, 1, "pug-lint 2: console, inline")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "inline", Parse: read.Linter{Plain: true}.Parse})
	p.Reads(tool.Format{Name: "console", Parse: read.Lines((*pugLint).line)})
})

// pugLint reads a place, the source below it and, after an empty line, the message:
//
//	a.pug:4:1
//	  > 4|  span
//	-------^
//
//	Inconsistent indentation.
type pugLint struct {
	at    *result.Location // place of the message to come
	head  tool.Line
	blank bool // the line above is empty
}

func (p *pugLint) line(s *read.Sink, l tool.Line) bool {
	at := place.LastColons(l.Text)
	if path, line, ok := place.CutLineNumber(l.Text); at == nil && ok {
		at = &result.Location{Path: path, Line: line}
	}
	said := p.at != nil && p.blank && l.Text != ""
	p.blank = l.Text == ""
	switch {
	case at != nil && at.Line > 0 && place.IsFile(at.Path) && !strings.Contains(at.Path, " ") && !strings.Contains(at.Path, "node_modules/pug-lint/"): // a place in pug-lint itself belongs to the stack of its own crash
		p.at, p.head = at, l
		return true
	case said:
		p.head.End = max(p.head.End, l.End)
		s.Find(p.head, result.Finding{Message: l.Text, At: p.at})
		p.at = nil
		return s.Break()
	}
	return p.at != nil
}

var _ = Room.Add("lit-analyzer", func(p *tool.Parser) {
	p.Is("lit-analyzer", result.Lint, 1, "lit-analyzer 1 and 2: what is wrong in templates")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: litLine, Closes: true}.Parse})
})

// litLine reads the path of a file and, below it, blocks of a message, its line and its rule:
//
//	./src/my-element.ts
//
//	    Missing import for <my-element>
//	    19:  await fixture(html`<my-element></my-element>`);
//	    no-missing-import
func litLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, _, numbered := strings.Cut(text, ":")
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "./"):
		s.Path = strings.Clone(text)
		s.Break()
	case strings.HasPrefix(text, "✖ ") && strings.Contains(text, " problem"):
		s.Problems(lex.LeadingNumber(text[len("✖ "):]))
		return s.Close(l)
	case !strings.HasPrefix(l.Text, "    ") || s.Path == "":
		return text == "" && s.Path != ""
	case f != nil && f.At.Line == 0 && numbered && lex.IsDigits(number):
		f.At.Line = lex.Atoi(number)
		return s.More(l)
	case f != nil && f.At.Line > 0 && f.Rule == "":
		f.Rule = strings.Clone(text)
		s.More(l)
		s.Break()
	case f != nil && f.At.Line == 0:
		f.Message += " " + text
		return s.More(l)
	default:
		return s.Find(l, result.Finding{At: &result.Location{Path: s.Path}, Message: text})
	}
	return true
}
