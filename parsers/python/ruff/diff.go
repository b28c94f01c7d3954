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
func (r *ruffReader) changed(l tool.Line) bool {
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

// keepDiff keeps the diff of a file until the run's end shows which tool printed it.
func (r *ruffReader) keepDiff(d *ruffDiff) {
	if !d.opened || d.at == 0 {
		return
	}
	if len(r.run.diffs) >= r.most {
		r.run.dropped++
		return
	}
	text := strings.Join(d.text, "\n")
	if r.budget -= len(text); r.budget < 0 {
		text = ""
	}
	r.run.diffs = append(r.run.diffs, result.Finding{
		Kind: result.Diagnostic, Severity: result.SevError, ID: d.path, Diff: text, Fixable: true,
		At:      &result.Location{Path: d.path, Line: d.at, Label: d.label},
		RawSpan: &result.Span{Start: d.start, End: d.end},
	})
}

// told gives the finding of a diff the message, and the rule, of the tool that printed it.
func told(f result.Finding, toolName string) result.Finding {
	f.Message = "File would be fixed"
	if toolName == ruffFormat {
		f.Rule, f.Message = ruffUnformatted, ruffReformat
	}
	return f
}
