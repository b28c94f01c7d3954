package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Miri's (cargo miri test) report about a test that it stopped, which looks like a diagnostic of the compiler while
// the test binary runs:
//
//	error: Undefined Behavior: memory access failed: alloc1 has been freed
//	 --> src/lib.rs:1:42
//	…
//	  = note: this is on thread `tests::ub`
//
// A test may print similar lines: they are believed only if the process ended.

// miri takes a line that may be of a report; only the first report counts.
func (r *rustLoose) miri(l tool.Line) {
	d := r.stopped
	if d != nil && !r.stopping {
		return
	}
	level, code, message, headline := cutRustcHeadline(l.Text)
	switch {
	case d == nil:
		if headline && level == "error" && code == "" && !isRustcSummary(l.Text) {
			r.stopped, r.stopping = &rustcDiag{level: level, message: strings.TrimSuffix(message, ":"), start: l.Start, end: l.End}, true
		}
	case headline && level == "error":
		r.stopping = false
	case len(d.lines) == 0 && !strings.HasPrefix(strings.TrimLeft(l.Text, " "), "--> "):
		r.stopped, r.stopping = nil, false
	case len(d.lines) < maxRustcLines:
		d.lines, d.end = append(d.lines, lex.Clip(l.Text)), max(d.end, l.End)
	}
}

// fillStopped makes Miri's report the reason why a process ended.
func (r *rustLoose) fillStopped(f *result.Finding) (ok bool) {
	if r.stopped == nil || len(r.stopped.lines) == 0 {
		return false
	}
	d := r.stopped.finding(&rustcLints{})
	f.Message, f.At, f.Detail, f.Related, f.RawSpan = d.Message, d.At, d.Detail, d.Related, d.RawSpan
	for _, note := range d.Related {
		if thread, ok := strings.CutPrefix(note.Message, "this is on thread `"); ok {
			f.Name = strings.TrimSuffix(thread, "`")
		}
	}
	return true
}
