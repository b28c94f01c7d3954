package render

import (
	"slices"

	"cairn/result"
)

// Vim is a result for an editor: one line per finding, and the verdict if findings do not show everything that failed.
func Vim(r *result.ToolResult) string {
	text := ""
	for _, f := range local(r).Findings {
		text += VimLine(f) + "\n"
	}
	failing := func(f result.Finding) bool { return f.Severity != result.SevWarning && f.Severity != result.SevInfo }
	good := r.Status == result.Passed || r.Status == result.OK
	if !good && !slices.ContainsFunc(r.Findings, failing) || r.Truncated.FindingsTotal > len(r.Findings) {
		text += result.CleanLine("cairn: "+Verdict(r)) + "\n"
	}
	return text
}

// VimLine is a finding in the format of vim's default 'errorformat' (:help errorformat, "%f:%l:%c:%m") and of GNU
// programs, which emacs' compilation mode reads (https://www.gnu.org/prep/standards/html_node/Errors.html).
func VimLine(f result.Finding) string {
	line := "error: "
	switch f.Severity {
	case result.SevWarning:
		line = "warning: "
	case result.SevInfo:
		line = "note: "
	}
	if f.Rule != "" {
		line += f.Rule + ": "
	}
	if f.ID != "" {
		line += f.ID + ": "
	}
	line += f.Message
	if at := f.At; at != nil && at.Path != "" && at.Line > 0 {
		line = at.String() + ": " + line
	}
	if f.Expected != "" || f.Actual != "" {
		line += " (expected " + f.Expected + ", got " + f.Actual + ")"
	}
	return result.CleanLine(line)
}
