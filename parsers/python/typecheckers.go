package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pyrefly", func(p *tool.Parser) {
	p.Is("pyrefly", result.Typecheck, 1, "Pyrefly 0.x and 1.x: full-text, min-text, full-text-with-github, json, github, code-climate; JUnit XML and SARIF")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/errors/*"}, Path: "path", Line: "line", Column: "column", Rule: "name", Severity: "severity", Message: "description", Fit: pyreflyFit,
	}.Parse})
	p.Reads(tool.Format{Name: "code-climate", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule = strings.TrimPrefix(f.Rule, "pyrefly/") })})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*framed).pyrefly)})
})

// pyreflyFit shortens a description to its first line, which is all that the text format prints.
func pyreflyFit(f *result.Finding) {
	f.RawSeverity = ""
	f.Message, _, _ = strings.Cut(f.Message, "\n")
}

// pyrefly reads "ERROR text [rule]" with an arrow below, and "ERROR a.py:12:14-15:
// text [rule]".
func (p *framed) pyrefly(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	f := s.Last()
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "Pyrefly ") {
		message, _, _ := strings.Cut(w.Message, "\n")
		rule := strings.TrimPrefix(w.Title, "Pyrefly ")
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool {
			return f.At != nil && f.Rule == rule && f.Message == message && f.At.Line == w.At.Line && f.At.Column == w.At.Column && strings.HasSuffix(w.At.Path, f.At.Path)
		}) {
			s.Cover(l) // full-text-with-github repeats each finding in this form
			return s.Break()
		}
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: rule, Message: message, At: &w.At})
	}
	switch {
	case (word == "ERROR" || word == "WARN") && strings.HasSuffix(text, "]"):
		found := result.Finding{Severity: read.SeverityOf(word), RawSeverity: strings.ToLower(word)}
		found.Message, found.Rule = read.Brackets.Cut(strings.TrimSpace(rest))
		if at, message, ok := place.Cut(found.Message); ok {
			found.At, found.Message = &at, strings.TrimLeft(message, "-:0123456789 ")
		}
		s.Find(l, found)
		p.placed = found.At != nil
		return true
	case word == "INFO" && strings.HasSuffix(rest, " error") || strings.HasSuffix(rest, " errors"), strings.HasPrefix(text, "No `pyrefly.toml` found"), strings.HasPrefix(text, "Run `pyrefly init`"):
		s.Sign(l)
		return s.Break()
	case strings.HasPrefix(l.Text, "error: "), strings.HasPrefix(l.Text, "Path `") && strings.HasSuffix(text, " does not exist"):
		return s.Misuse(l, strings.TrimPrefix(text, "error: "))
	case f != nil && strings.HasPrefix(text, "-->") && !p.placed:
		f.At, p.placed = place.LastColons(strings.TrimSpace(strings.TrimPrefix(text, "-->"))), true
		return s.More(l)
	case f != nil && text != "":
		return s.More(l)
	}
	return false
}

// ty and pyrefly share a reader. Both print a head with the rule, an arrow with the place and an
// excerpt, or, in a short format, one line per finding.

var _ = Room.Add("ty", func(p *tool.Parser) {
	p.Is("ty", result.Typecheck, 1, "ty 0.0: full, concise, github, gitlab")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 101: result.MeansInternal}
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(tyFit)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*framed).ty)})
})

// tyFit makes a finding of GitLab's report equal to one of the text: without the rule in the message, and without an
// end.
func tyFit(f *result.Finding) {
	f.Severity, f.Message = read.SeverityOf(f.RawSeverity), strings.TrimPrefix(f.Message, f.Rule+": ")
	f.At.EndLine, f.At.EndColumn = 0, 0
}

// framed reads findings whose place is on the line below.
type framed struct {
	placed bool   // the finding has its place; further arrows show related places
	marked bool   // the label of the mark "^^^" was read
	column int    // offset of a mark whose label is on a later row
	right  string // the type of the right operand
}

// ty reads both forms. In the first, the label of the mark "^^^" is added to the message, as the second form has it:
//
//	error[invalid-return-type]: Return type does not match returned value
//	  --> a.py:36:16
//	   |
//	36 |         return str(key)
//	   |                ^^^^^^^^ expected `int`, found `str`
//
//	a.py:36:16: error[invalid-return-type] Return type does not match returned value: expected `int`, found `str`
func (p *framed) ty(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if w, ok := read.CutWorkflow(l.Text); ok && strings.HasPrefix(w.Title, "ty (") {
		rule := strings.TrimSuffix(strings.TrimPrefix(w.Title, "ty ("), ")")
		message, _, _ := strings.Cut(w.Message, "\n")
		if _, rest, has := strings.Cut(message, ": "+rule+": "); has {
			message = rest
		}
		s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: rule, Message: message, At: &w.At})
		return s.Break()
	}
	if at, rest, ok := place.Cut(l.Text); ok {
		if f, told := cutTyHead(strings.Replace(rest, "] ", "]: ", 1)); told {
			f.At = &at
			s.Find(l, f)
			p.placed, p.marked = true, true
			return true
		}
	}
	if f, ok := cutTyHead(l.Text); ok {
		s.Find(l, f)
		*p = framed{}
		return true
	}
	return p.below(s, l, text)
}

// below takes the lines below a head, and those that end a run.
func (p *framed) below(s *read.Sink, l tool.Line, text string) bool {
	f := s.Last()
	message, isError := strings.CutPrefix(l.Text, "error: ")
	p.marked = p.marked || p.column > 0 && !strings.HasPrefix(text, "|") // the excerpt is over
	switch {
	case isError:
		return s.Misuse(l, message)
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " diagnostic"), text == "All checks passed!":
		s.Sign(l)
		return s.Break()
	case f != nil && strings.HasPrefix(text, "-->"):
		if at := place.LastColons(strings.TrimSpace(strings.TrimPrefix(text, "-->"))); at != nil && !p.placed {
			f.At, p.placed = at, true
		}
		return s.More(l)
	case f != nil && !p.marked && strings.HasPrefix(text, "|"):
		p.label(f, text)
		return s.More(l)
	case f != nil && text != "":
		return s.More(l)
	}
	return false
}

// label adds to the message the text behind the mark, or on a later row at the mark's column. It leaves out two
// labels that the short form does not have in its message.
func (p *framed) label(f *result.Finding, row string) {
	if p.operands(f, row) {
		return
	}
	text := ""
	if i := strings.LastIndexByte(row, '^'); p.column == 0 && i > 0 {
		p.column = strings.IndexByte(row, '^')
		text = strings.TrimSpace(strings.TrimLeft(row[i+1:], "-"))
	} else if p.column > 0 && len(row) > p.column && row[p.column] != '|' && strings.IndexByte("| ", row[p.column-1]) >= 0 {
		text = strings.TrimSpace(row[p.column:])
	}
	if text == "" || text[0] == '-' || text[0] == '|' { // another place's mark, or the line to its label
		return
	}
	if p.marked = true; !lex.HasAnyPrefix(text, "Incompatible value of type ", "Unknown key ") {
		f.Message += ": " + text
	}
}

// operands rewords a message with the types in the labels, as the short form has it. The label of the right operand
// comes first.
func (p *framed) operands(f *result.Finding, row string) bool {
	operator, isOperator := strings.CutPrefix(f.Message, "Unsupported `")
	operator = "Operator `" + strings.TrimSuffix(operator, " operation") + " is not supported between "
	_, both, ok := strings.Cut(row, "Both operands have type ")
	_, one, has := strings.Cut(row, "Has type ")
	switch {
	case isOperator && ok:
		f.Message, p.marked = operator+"two objects of type "+both, true
	case isOperator && has && p.right != "":
		f.Message, p.marked = operator+"objects of type "+one+" and "+p.right, true
	case has && f.Message == "Unsupported class base":
		f.Message, p.marked = f.Message+" with type "+one, true
	case isOperator && has:
		p.right = one
	}
	return ok || has
}

// cutTyHead reads "error[rule]: text" and "warning[rule]: text".
func cutTyHead(text string) (f result.Finding, ok bool) {
	word, rest, _ := strings.Cut(text, "[")
	rule, message, ok := strings.Cut(rest, "]: ")
	if !ok || word != "error" && word != "warning" || strings.ContainsAny(rule, " `'\"") {
		return f, false
	}
	f = result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message}
	if rule == "io" {
		f.Kind = result.GenericFinding
	}
	return f, true
}

// stubtest compares stubs with the modules that they describe, and prints a block for each object that differs:
//
//	error: ledg.add is inconsistent, stub does not have parameter "b"
//	Stub: in file /src/stubs/ledg/__init__.pyi:1
//	Runtime: in file /src/ledg/__init__.py:3
//
// With --concise it prints the first lines alone, without "error: ".
var _ = Room.Add("stubtest | mypy.stubtest", func(p *tool.Parser) {
	p.Is("stubtest", result.Typecheck, 1, "stubtest of mypy 0.900 and later: default, --concise")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "Stub: in file {path}:{line}", As: read.Fill},
		{Form: "Stub: in file {path}", As: read.Fill},
		{Form: "{path}:{line}: error: {message} [{rule}]"}, // mypy's error about a stub that it cannot read
		{Form: "error: not checking stubs {message}", Fit: func(f *result.Finding) { f.Kind, f.Message = result.GenericFinding, "not checking stubs "+f.Message }},
		{Form: "note: unused allowlist entry {id}", Fit: func(f *result.Finding) {
			f.Rule, f.Severity, f.Message = "unused-allowlist-entry", result.SevError, "unused allowlist entry "+f.ID
		}},
		{Form: "error: {id} {message}"},
		{Form: "Found {#error} error{} (checked {}", As: read.Close},
		{Form: "Success: no issues found in {}", As: read.Close},
	}, Other: stubtestShort, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" }}.Parse})
	read.InPython(p)
})

// stubtestShort reads the form of --concise.
func stubtestShort(s *read.Sink, l tool.Line) bool {
	object, message, _ := strings.Cut(l.Text, " ")
	return isDotted(object) && stubtestSays(message) && s.Find(l, result.Finding{ID: object, Message: message})
}

// stubtestSays reports whether a text begins as stubtest's messages about an object do.
func stubtestSays(message string) bool {
	return lex.HasAnyPrefix(message, "is not ", "is inconsistent", "is a ", "variable differs", "failed to ", "cannot be ", "stub ", "runtime ")
}
