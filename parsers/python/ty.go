package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Type checkers that are written in Rust: a head with the rule, an arrow with the
// place, an excerpt; and a line a finding where that was asked for.

var _ = Room.Add("ty", func(p *tool.Parser) {
	p.Is("ty", result.Typecheck, 1, "ty 0.0: full, concise, github, gitlab")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 101: result.MeansInternal}
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(tyFit)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*framed).ty)})
})

// tyFit: GitLab's report has the rule before the message, and knows where a finding ends.
func tyFit(f *result.Finding) {
	f.Severity, f.Message = read.SeverityOf(f.RawSeverity), strings.TrimPrefix(f.Message, f.Rule+": ")
	f.At.EndLine, f.At.EndColumn = 0, 0
}

// framed reads a finding whose place stands on the next line.
type framed struct {
	placed bool // the finding has its place; further arrows are of what it tells beside
	marked bool // the label of what is marked was read
}

// ty reads both forms, and of the first the text beside the mark where the other
// has it in the message:
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
		p.placed, p.marked = false, false
		return true
	}
	return p.below(s, l, text)
}

// below takes the lines of a frame and those that end a run.
func (p *framed) below(s *read.Sink, l tool.Line, text string) bool {
	f := s.Last()
	message, isError := strings.CutPrefix(l.Text, "error: ")
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
	case f != nil && !p.marked && strings.Contains(text, "^"):
		label := strings.TrimSpace(text[strings.LastIndexByte(text, '^')+1:])
		if p.marked = true; strings.HasPrefix(label, "expected `") || strings.HasPrefix(label, "Expected `") {
			f.Message += ": " + label
		}
		return s.More(l)
	case f != nil && text != "":
		return s.More(l)
	}
	return false
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
