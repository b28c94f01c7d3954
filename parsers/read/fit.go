package read

import (
	"cmp"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
