package report

import (
	"fmt"
	"io"
	"path/filepath"

	"cairn/result"
)

// vim writes a line a finding as vim's own 'errorformat' takes it (:help errorformat, "%f:%l:%c:%m"), and GNU programs
// print it, which is what emacs' compilation mode reads (https://www.gnu.org/prep/standards/html_node/Errors.html).
// Paths open from where the reader stands. Findings are in the order of the runs: one without a place follows the
// one that it follows in the output.
func vim(w io.Writer, r *Report) error {
	for _, run := range r.Latest() {
		for _, f := range run.Findings {
			line := levelOf(f.Severity).gnu + ": "
			if f.Rule != "" {
				line += f.Rule + ": "
			}
			if f.ID != "" {
				line += f.ID + ": "
			}
			line += f.Message
			if at := f.at(); at != nil && at.Line > 0 {
				line = r.local(*at).String() + ": " + line
			}
			if f.Expected != "" || f.Actual != "" {
				line += " (expected " + f.Expected + ", got " + f.Actual + ")"
			}
			if _, err := fmt.Fprintln(w, result.CleanLine(line)); err != nil {
				return err
			}
		}
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			if _, err := fmt.Fprintln(w, "cairn: "+run.Command+": "+run.Verdict); err != nil {
				return err
			}
		}
	}
	return nil
}

// local is a place as it opens from where the reader stands.
func (r *Report) local(at result.Location) result.Location {
	if rel, err := filepath.Rel(filepath.FromSlash("/"+r.Rel), filepath.FromSlash("/"+at.Path)); err == nil && !result.IsAbsolute(at.Path) {
		at.Path = filepath.ToSlash(rel)
	}
	return at
}
