package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffDiff is the diff of one file in the output of --diff.
type ruffDiff struct {
	path       string
	label      string // "cell 3" in a notebook
	start, end int64
	text       []string
	size       int
	number     int // number of the next line in the old file
	at         int // the first changed line in the old file
	old, new   int // lines of the hunk that are still to come, of either file
	opened     bool
}

// changed takes the first line of the diff of a file, "--- src/a.py".
func (r *ruff) changed(l tool.Line) bool {
	path, ok := strings.CutPrefix(l.Text, "--- ")
	if !ok || path == "" {
		return false
	}
	d := &ruffDiff{path: path, start: l.Start, end: l.End, text: []string{l.Text}}
	d.path, d.label = lex.CutCell(path)
	r.diff = d
	return true
}

// line takes a line of the diff, and returns false if the diff has ended.
func (d *ruffDiff) line(l tool.Line) bool {
	s := l.Text
	switch {
	case !d.opened:
		d.opened = strings.HasPrefix(s, "+++ ")
		if !d.opened {
			return false
		}
	case d.old > 0 || d.new > 0:
		d.changes(s)
	case strings.HasPrefix(s, "@@ -"):
		d.hunk(s)
	case strings.HasPrefix(s, `\ `):
	default:
		return false
	}
	d.end = max(d.end, l.End)
	if d.size += len(s) + 1; d.size <= result.MaxDetail {
		d.text = append(d.text, s)
	}
	return true
}

// hunk reads "@@ -1,9 +1,6 @@".
func (d *ruffDiff) hunk(s string) {
	ranges := strings.Fields(s)
	if len(ranges) < 3 {
		return
	}
	d.number, d.old = hunkRange(ranges[1])
	_, d.new = hunkRange(ranges[2])
}

// hunkRange reads "-1,9", and "+4", a range of one line.
func hunkRange(s string) (from, n int) {
	first, length, two := strings.Cut(s[1:], ",")
	if n = 1; two {
		n = lex.LeadingNumber(length)
	}
	return lex.LeadingNumber(first), n
}

func (d *ruffDiff) changes(s string) {
	removed, added := strings.HasPrefix(s, "-"), strings.HasPrefix(s, "+")
	if strings.HasPrefix(s, `\ `) {
		return
	}
	if (removed || added) && d.at == 0 {
		d.at = max(d.number, 1)
	}
	if !added {
		d.old--
		d.number++
	}
	if !removed {
		d.new--
	}
}

// finding returns the finding of the file, to which the tool that printed the difference gives rule and message.
func (d *ruffDiff) finding() result.Finding {
	return result.Finding{
		Kind: result.Diagnostic, Severity: result.SevError, ID: d.path, Diff: strings.Join(d.text, "\n"), Fixable: true,
		At:      &result.Location{Path: d.path, Line: d.at, Label: d.label},
		RawSpan: &result.Span{Start: d.start, End: d.end},
	}
}
