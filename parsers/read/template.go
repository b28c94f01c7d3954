package read

import (
	"regexp"
	"strings"
	"sync"

	"cairn/parsers/tool"
	"cairn/result"
)

// Template reads output in the form that a template on the tool's command line describes:
//
//	pylint --msg-template='{msg_id}|{path}|{line}|{msg}'
//	flake8 --format='%(code)s in %(path)s line %(row)d'
//	actionlint -format '{{range $e := .}}{{$e.Filepath}}:{{$e.Line}}: {{$e.Message}}\n{{end}}'
//
// The name of a placeholder says which part of a finding it is (see meanings). A template is used if it has a
// message or a rule, a file with a line or a rule, and text between its parts; otherwise the output is left to the
// other readers. The first line of the template that has a place gives the finding; further lines of output belong
// to it.
type Template struct {
	Names   map[string]string // parts of a Form for placeholders whose names are unusual
	Letters bool              // placeholders are letters behind "%"
	From0   bool              // columns are counted from 0
	// Fit changes a finding into what the tool's other formats give, and reports whether it is one; may be nil.
	Fit   func(f *result.Finding) bool
	Other func(s *Sink, l tool.Line) bool // takes lines that the template does not describe; may be nil
}

// Format returns a Format that reads the templates on command lines of these programs.
func (t Template) Format(programs ...string) tool.Format {
	return tool.Format{Name: "template", Parse: func(in *tool.Input) *tool.Report {
		command := in.Command()
		forms := t.formsIn(command, programs)
		if len(forms) == 0 {
			return nil
		}
		found := false
		r := Text{Line: func(s *Sink, l tool.Line) bool { return t.line(forms, s, l, &found) }}.Parse(in)
		if !found { // without findings, Other adds nothing to what the tool's text reader finds
			return nil
		}
		return r
	}}
}

// formsIn returns the forms of the templates in all commands of a line that run one of the programs, or any program
// if there are none.
func (t *Template) formsIn(c tool.Command, programs []string) (forms [][]*Form) {
	if len(programs) == 0 || len(c.Argv) > 0 && tool.Runs(programs...)(c.Argv) {
		for _, arg := range c.Argv {
			if form := t.formsOf(arg); form != nil {
				forms = append(forms, form)
				break
			}
		}
	}
	for _, l := range c.Listed {
		forms = append(forms, t.formsIn(l, programs)...)
	}
	return forms
}

// formsOf returns a form for each line of the template in an argument, the finding's first; nil if the argument
// holds no template.
func (t *Template) formsOf(arg string) (forms []*Form) {
	if !strings.ContainsAny(arg, "{%$") {
		return nil
	}
	if _, value, ok := strings.Cut(arg, "="); ok && arg[0] == '-' {
		arg = value
	} else if t.Letters && len(arg) > 2 && arg[0] == '-' {
		arg = arg[2:] // "-f%f:%l"
	}
	seen, found := [fields]bool{}, false
	for line := range strings.SplitSeq(strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "").Replace(arg), "\n") {
		form, has, ok := t.form(line, &seen)
		if !ok {
			return nil
		}
		if form == nil || !found && !has {
			continue
		}
		forms, found = append(forms, form), true
	}
	ruled := seen[fieldRule] || seen[fieldRuleName]
	placed := seen[fieldPath] && seen[fieldLine]
	if ruled {
		placed = seen[fieldPath] || seen[fieldLine]
	}
	if !placed || !ruled && !seen[fieldMessage] {
		return nil
	}
	return forms
}

// form returns the form of one line of a template. has says whether it has a place; ok is false if two of its parts
// cannot be told apart.
func (t *Template) form(line string, seen *[fields]bool) (form *Form, has, ok bool) {
	form = &Form{text: line}
	known := false
	for line != "" {
		literal, name, padded, rest := t.next(line)
		line = rest
		form.join(part{literal: literal})
		if name == "" {
			continue
		}
		for _, p := range t.parts(name) {
			if p.field > fieldCount && seen[p.field] {
				p = part{}
				p.field = fieldAny
			}
			p.padded = padded
			if !form.join(p) {
				return nil, false, false
			}
			seen[p.field] = true
			has = has || p.field == fieldPath || p.field == fieldLine
			known = known || p.field > fieldAny
		}
	}
	if !known {
		return nil, false, true
	}
	return form, has, true
}

// join appends a part to a form; it returns false if the beginning of the part could not be recognised.
func (f *Form) join(p part) bool {
	if p.field == fieldNone && p.literal == "" {
		return true
	}
	if n := len(f.parts); n > 0 {
		last := &f.parts[n-1]
		switch {
		case p.field == fieldNone && last.field == fieldNone:
			last.literal += p.literal
			return true
		case p.field == fieldAny && last.field == fieldAny:
			return true
		case p.field != fieldNone && last.field > fieldPlace && !last.isNumber():
			return false
		}
	}
	f.parts = append(f.parts, p)
	return true
}

// parts are the parts of a form for a placeholder.
func (t *Template) parts(name string) []part {
	if fragment, ok := t.Names[name]; ok {
		return FormOf(fragment).parts
	}
	p := part{field: fieldAny}
	if field, ok := namedField(name); ok && field > fieldCount {
		p.field = field
	} else {
		p.field = fieldNamed(name)
	}
	if p.field == fieldSeverity {
		p.field = fieldWord // SeverityOf may not know the word, so any word is accepted
	}
	return []part{p}
}

// rolesOfFields maps the parts of a finding to fields of a Form.
var rolesOfFields = map[role]field{
	rolePath: fieldPath, roleRule: fieldRule, roleURL: fieldURL, roleSeverity: fieldSeverity, roleMessage: fieldMessage, roleLine: fieldLine,
	roleColumn: fieldColumn, roleEndLine: fieldEndLine, roleEndColumn: fieldEndColumn,
}

// fieldNamed is the field that a placeholder's name means.
func fieldNamed(name string) field {
	best, rank := fieldAny, uint8(3)
	for _, m := range meanings()[plainName(name)] {
		if f, ok := rolesOfFields[m.role]; ok && m.rank < rank {
			best, rank = f, m.rank
		}
	}
	return best
}

// placeholders matches "{{ .Name }}" and "{{end}}" of Go, "{name:<30}" and "{name!r}" of Python, "%(name)-10s" and
// "$name".
var placeholders = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{[^{}]*?\.([A-Za-z_]\w*)[^{}]*\}\}|\{\{[^{}]*\}\}|\{([A-Za-z_]\w*)(?:[!:][^{}]*)?\}|%\(([A-Za-z_]\w*)\)[-+ 0-9.]*[a-z]|\$\{?([A-Za-z_]\w*)\}?`)
})

// letters matches "%f" and "%-20f", as in printf.
var letters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ 0-9.]*([A-Za-z%])`) })

// next splits a template at its next placeholder; padded says that the placeholder has a width. A placeholder that
// prints nothing has no name.
func (t *Template) next(s string) (literal, name string, padded bool, rest string) {
	marks := placeholders()
	if t.Letters {
		marks = letters()
	}
	m := marks.FindStringSubmatchIndex(s)
	if m == nil {
		return s, "", false, ""
	}
	literal, rest = s[:m[0]], s[m[1]:]
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			name = s[m[i]:m[i+1]]
		}
	}
	if name == "%" {
		return literal + "%", "", false, rest
	}
	mark := s[m[0]:m[1]]
	if inside := strings.Trim(mark, "{ -}"); strings.HasPrefix(inside, "range ") || strings.HasPrefix(inside, "if ") {
		name = "" // a Go placeholder that prints nothing
	}
	return literal, name, strings.ContainsAny(strings.Replace(mark, name, "", 1), "0123456789"), rest
}

// line takes a line of the output.
func (t *Template) line(forms [][]*Form, s *Sink, l tool.Line, found *bool) bool {
	for _, lines := range forms {
		if m, ok := lines[0].Match(l.Text); ok {
			f := result.Finding{}
			m.Fill(&f, s.Path)
			t.fit(&m, &f)
			if t.Fit == nil || t.Fit(&f) {
				s.Find(l, f)
				*found = true
				return true
			}
		}
	}
	for _, lines := range forms {
		for _, form := range lines[1:] {
			if m, ok := form.Match(l.Text); ok && s.kept() != nil {
				m.Fill(s.kept(), "")
				return s.More(l)
			}
		}
	}
	return t.Other != nil && t.Other(s, l)
}

// fit completes a finding with what the form alone does not give.
func (t *Template) fit(m *Match, f *result.Finding) {
	if word := m.text[fieldWord]; word != "" {
		f.RawSeverity = strings.ToLower(word)
		f.Severity = SeverityOf(word)
	}
	if t.From0 && f.At != nil && m.text[fieldColumn] != "" {
		f.At.Column++
	}
}
