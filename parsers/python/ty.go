package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
