package read

import (
	"cmp"

	"cairn/parsers/read/sarif"
	"cairn/parsers/tool"
	"cairn/result"
)

// SARIF reads a log of SARIF 2.1.0. fit makes of each finding what the tool's
// other formats give; it may be nil.
func SARIF(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return JSON{Items: map[string]func(*Sink, []byte) error{
		sarif.Version: Item(func(s *Sink, v *string) { s.Version = *v }),
		sarif.Result: Item(func(s *Sink, r *sarif.Record) {
			f := result.Finding{Severity: r.Severity(), RawSeverity: r.Level, Message: cmp.Or(r.Message.Text, r.Message.Markdown, r.Message.ID), Fixes: r.AllFixes()}
			if r.RuleID != nil {
				f.Rule = *r.RuleID
			}
			for i := range r.Locations {
				at := r.Locations[i].At()
				if f.At == nil {
					f.At = &at
				}
			}
			if fit != nil {
				fit(&f)
			}
			s.FindHere(f)
		}),
	}}.Parse
}
