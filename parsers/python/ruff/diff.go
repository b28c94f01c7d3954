package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffDiff is the diff of one file in the output of --diff. It becomes a finding, at the first changed line, whose rule
// and message the tool gives that printed it.
type ruffDiff struct {
	result.Finding
	text     strings.Builder
	number   int // number of the next line in the old file
	old, new int // lines of the hunk that are still to come, of either file
	opened   bool
}

// changed takes the first line of the diff of a file, "--- src/a.py".
func (r *ruff) changed(l tool.Line) bool {
	path, ok := strings.CutPrefix(l.Text, "--- ")
	if !ok || path == "" {
		return false
	}
	path, cell := lex.CutCell(path)
	r.diff = &ruffDiff{Finding: result.Finding{
		Kind: result.Diagnostic, Severity: result.SevError, ID: path, Fixable: true,
		At: &result.Location{Path: path, Label: cell}, RawSpan: &result.Span{Start: l.Start, End: l.End},
	}}
	r.diff.keep(l)
	return true
}

func (d *ruffDiff) keep(l tool.Line) {
	d.RawSpan.End = max(d.RawSpan.End, l.End)
	if d.text.Len()+len(l.Text) < result.MaxDetail {
		d.text.WriteString(l.Text + "\n")
	}
}

// finding returns the finding of a diff that has ended; ok is false if it has no changed line.
func (d *ruffDiff) finding() (f result.Finding, ok bool) {
	d.Diff = strings.TrimSuffix(d.text.String(), "\n")
	return d.Finding, d.At.Line > 0
}

// line takes a line of the diff, and returns false if the diff has ended.
func (d *ruffDiff) line(l tool.Line) bool {
	added, hunk := strings.HasPrefix(l.Text, "+++ "), strings.HasPrefix(l.Text, "@@ -")
	switch ranges := strings.Fields(l.Text); {
	case !d.opened && added:
		d.opened = true
	case !d.opened:
		return false
	case d.old > 0 || d.new > 0:
		d.changes(l.Text)
	case hunk && len(ranges) > 2:
		d.number, d.old = hunkRange(ranges[1])
		_, d.new = hunkRange(ranges[2])
	case !strings.HasPrefix(l.Text, `\ `):
		return false
	}
	d.keep(l)
	return true
}

// hunkRange reads "-1,9", and "+4", a range of one line.
func hunkRange(s string) (from, n int) {
	first, length, two := strings.Cut(s[1:], ",")
	if n = 1; two {
		n = lex.LeadingNumber(length)
	}
	return lex.LeadingNumber(first), n
}

// changes counts a line of a hunk.
func (d *ruffDiff) changes(s string) {
	removed, added := strings.HasPrefix(s, "-"), strings.HasPrefix(s, "+")
	if strings.HasPrefix(s, `\ `) {
		return
	}
	if (removed || added) && d.At.Line == 0 {
		d.At.Line = max(d.number, 1)
	}
	if !added {
		d.old--
		d.number++
	}
	if !removed {
		d.new--
	}
}
