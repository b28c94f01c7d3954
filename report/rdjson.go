package report

import "io"

// rdjson writes Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf.
func rdjson(w io.Writer, r *Report) error {
	type position struct {
		Line   int `json:"line,omitempty"`
		Column int `json:"column,omitempty"`
	}
	type span struct {
		Start position  `json:"start"`
		End   *position `json:"end,omitempty"`
	}
	type place struct {
		Path  string `json:"path"`
		Range *span  `json:"range,omitempty"`
	}
	type rule struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	type source struct {
		Name string `json:"name"`
		URL  string `json:"url,omitempty"`
	}
	type diagnostic struct {
		Message  string  `json:"message"`
		Location *place  `json:"location,omitempty"`
		Severity string  `json:"severity"`
		Source   *source `json:"source,omitempty"`
		Code     *rule   `json:"code,omitempty"`
	}
	all := []diagnostic{}
	for _, f := range r.Findings() {
		d := diagnostic{Message: f.Message, Severity: levelOf(f.Severity).rdjson, Source: &source{Name: f.Run.Tool}}
		if f.ID != "" {
			d.Message = f.ID + ": " + f.Message
		}
		if f.State != "" {
			d.Message = "[" + string(f.State) + "] " + d.Message
		}
		if f.Rule != "" {
			d.Code = &rule{f.Rule, f.RuleURL}
		}
		if at := f.at(); at != nil {
			d.Location = &place{Path: at.Path}
			if at.Line > 0 {
				d.Location.Range = &span{Start: position{at.Line, at.Column}}
				if at.EndLine > 0 {
					d.Location.Range.End = &position{at.EndLine, at.EndColumn}
				}
			}
		}
		all = append(all, d)
	}
	for _, run := range r.Latest() {
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			all = append(all, diagnostic{Message: run.Verdict, Severity: "ERROR", Source: &source{Name: run.Tool}})
		}
	}
	return writeJSON(w, struct {
		Source      source       `json:"source"`
		Severity    string       `json:"severity"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}{source{Name: "cairn"}, "ERROR", all})
}
