package report

import (
	"fmt"
	"io"

	"cairn/render"
	"cairn/result"
)

// vim writes one line per finding, as render.VimLine does. Paths are relative to the reader's directory. Findings are
// in the order of the runs: one without a place stays after its predecessor in the output.
func vim(w io.Writer, r *Report) error {
	here := &result.ToolResult{}
	if r.Rel != "." {
		here.Dir = r.Rel
	}
	for _, run := range r.Latest() {
		for _, f := range run.Findings {
			if _, err := fmt.Fprintln(w, render.VimLine(here.LocalFinding(f.Finding))); err != nil {
				return err
			}
		}
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			if _, err := fmt.Fprintln(w, result.CleanLine("cairn: "+run.Command+": "+run.Verdict)); err != nil {
				return err
			}
		}
	}
	return nil
}
