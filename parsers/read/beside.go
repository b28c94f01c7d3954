package read

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Words is a reader of lines: Rows, Blocks or Text. Text returns a reader for one output.
type Words interface{ Text() Text }

// Text returns t itself.
func (t Text) Text() Text { return t }

// Beside reads a document (JSON, SARIF, Checkstyle, WorkflowCommands, …) and, with reader, the lines around it:
// what a tool writes to stderr about a wrong configuration, or a crash behind half a document. Without a document,
// only the lines are read.
//
// The findings of both are kept, in the order of the output. Counts and claims are the document's, if it has any.
func Beside(document func(in *tool.Input) *tool.Report, reader Words) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		rep, words := document(in), reader.Text()
		if rep == nil {
			return words.Parse(in)
		}
		words.beside = slices.Clone(rep.Covered)
		slices.SortFunc(words.beside, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
		if said := words.Parse(in); said != nil {
			joinWords(rep, said)
		}
		return rep
	}
}

// isIn reports whether a byte lies in one of the sorted spans.
func isIn(spans []result.Span, at int64) bool {
	i, found := slices.BinarySearchFunc(spans, at, func(s result.Span, at int64) int { return cmp.Compare(s.Start, at) })
	return found || i > 0 && at < spans[i-1].End
}

// joinWords adds the findings of the lines around a document to the document's report.
func joinWords(rep, said *tool.Report) {
	counts := len(rep.Counts) > 0
	for _, f := range said.Findings {
		rep.Add(f)
	}
	rep.DropAll(said)
	if !counts {
		maps.Copy(rep.Counts, said.Counts)
	}
	if rep.Claimed < 0 {
		rep.Claimed, rep.Problems = said.Claimed, max(rep.Problems, said.Problems)
	} else if said.Claimed < 0 {
		rep.Claimed += said.Failures() // the document's count does not include them
	}
	slices.SortStableFunc(rep.Findings, func(a, b result.Finding) int { return cmp.Compare(start(&a), start(&b)) })
	rep.Covered = append(rep.Covered, said.Covered...)
	slices.SortFunc(rep.Covered, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
	rep.Version = cmp.Or(rep.Version, said.Version)
	rep.Meaning = cmp.Or(said.Meaning, rep.Meaning)
	rep.Doubt = cmp.Or(rep.Doubt, said.Doubt)
	rep.Signed = rep.Signed || said.Signed
}

func start(f *result.Finding) int64 {
	if f.RawSpan == nil {
		return 0
	}
	return f.RawSpan.Start
}

// BareRule returns a fit for the formats of exchange (Checkstyle, SARIF, CodeQuality): it removes the tool's name,
// which often precedes the rule there but not in the tool's own formats.
func BareRule(prefix string) func(f *result.Finding) {
	return func(f *result.Finding) { f.Rule = strings.TrimPrefix(f.Rule, prefix) }
}

// RuleStarts returns a Linter.Accept for a tool whose rules begin with one of the prefixes.
func RuleStarts(prefixes ...string) func(d *Diagnostic) bool {
	return func(d *Diagnostic) bool { return lex.HasAnyPrefix(d.Rule, prefixes...) }
}

// StyleIsNote is SeverityOf for tools in which "style" is the lowest of four levels, below info. Otherwise it means
// a warning.
func StyleIsNote(word string) result.Severity {
	if word == "style" {
		return result.SevInfo
	}
	return SeverityOf(word)
}

// Fitted applies fit to every finding of a reader, to give what the tool's other formats give. fit may be nil.
func Fitted(parse func(in *tool.Input) *tool.Report, fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		rep := parse(in)
		for i := 0; rep != nil && fit != nil && i < len(rep.Findings); i++ {
			f := &rep.Findings[i]
			fit(f)
			f.Kind, f.Severity = cmp.Or(f.Kind, result.Diagnostic), cmp.Or(f.Severity, result.SevError)
		}
		return rep
	}
}

// JSONByShape is XMLByShape for JSON; mark must occur in one of its lines.
func JSONByShape(mark string, fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return behind(mark, Fitted(shapedJSON, fit))
}

// Fresh returns a Parse function that reads each output with a new T, which holds the state between lines:
//
//	{Name: "text", Parse: read.Fresh(func(b *bats) read.Text { return read.Text{Line: b.line, End: b.end, Closes: true} })}
func Fresh[T any](text func(t *T) Text) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report { return text(new(T)).Parse(in) }
}

// Lines is Fresh for a T with a single method, which takes the lines.
func Lines[T any](line func(t *T, s *Sink, l tool.Line) bool) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		t := new(T)
		return Text{Line: func(s *Sink, l tool.Line) bool { return line(t, s, l) }}.Parse(in)
	}
}
