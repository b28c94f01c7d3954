package read

import (
	"cmp"

	"cairn/parsers/read/sarif"
	"cairn/parsers/tool"
	"cairn/result"
)

// SARIF reads a log in SARIF 2.1.0. fit changes each finding into what the tool's other formats give; it may be
// nil.
func SARIF(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		levels, bare := map[string]string{}, map[int]string{}
		return JSON{Items: map[string]func(*Sink, []byte) error{
			sarif.Version: Item(func(s *Sink, v *string) { s.Version = *v }),
			sarif.Rule:    Item(func(_ *Sink, r *sarif.RuleRecord) { levels[r.ID] = r.DefaultConfiguration.Level }),
			sarif.Result: Item(func(s *Sink, r *sarif.Record) {
				f := sarifFinding(r)
				if s.last = -1; fit != nil {
					fit(&f)
				}
				if s.FindHere(f); r.Level == "" && r.RuleID != nil && s.kept() != nil {
					bare[s.last] = *r.RuleID
				}
			}),
		}, End: func(s *Sink) {
			for i, rule := range bare { // a result without a level has the level of its rule
				if level := levels[rule]; level != "" && i < len(s.Findings) {
					s.Findings[i].Severity, s.Findings[i].RawSeverity = (&sarif.Record{Level: level}).Severity(), level
				}
			}
		}}.Parse(in)
	}
}

func sarifFinding(r *sarif.Record) result.Finding {
	f := result.Finding{Severity: r.Severity(), RawSeverity: r.Level, Message: cmp.Or(r.Message.Text, r.Message.Markdown, r.Message.ID), Fixes: r.AllFixes()}
	if r.RuleID != nil {
		f.Rule = *r.RuleID
	}
	if len(r.Locations) > 0 {
		at := r.Locations[0].At()
		f.At = &at
	}
	return f
}
