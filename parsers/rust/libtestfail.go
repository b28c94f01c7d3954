package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rustLoose is what test binaries print without capture: panics under --nocapture, the last lines before an abort.
type rustLoose struct {
	panics    []*rustPanic
	open      *rustPanic
	dead      string // "thread 'x' has overflowed its stack", without the id
	thread    string // the thread in dead
	errors    []looseError
	failed    *looseError      // the last of errors, while lines may belong to it
	cases     []result.Related // failed cases of trybuild
	stopped   *rustcDiag       // Miri's report
	stopping  bool             // the report's lines are being read
	sanitizer sanitizerReport
	fatal     string // message of the runtime or the allocator before it aborted
	last      string // the last line that is not blank
	span      result.Span
}

// looseError is the error that a test returned, or a panic in a format that does not name its thread.
type looseError struct {
	rustError
	hook *rustPanic
	span result.Span
}

const (
	maxLoosePanics = 1000
	notSaid        = "failed without saying why"
)

func (r *rustLoose) line(l tool.Line) {
	if r.open != nil {
		if r.open.line(l.Text) {
			r.open.end = max(r.open.end, l.End)
			return
		}
		r.open = nil
	}
	if r.error(l) {
		return
	}
	r.miri(l)
	r.sanitizer.line(l.Text)
	if found, ok := readRustPanic(l.Text); ok && len(r.panics)+len(r.errors) < maxLoosePanics {
		p := new(rustPanic)
		*p = found
		p.start, p.end = l.Start, l.End
		if n := len(r.errors); p.old && n > 0 && r.errors[n-1].span.End == l.Start {
			p.before, r.errors = r.errors[n-1].lines[0], r.errors[:n-1]
		}
		r.open = p
		if p.hook {
			r.errors = append(r.errors, looseError{hook: p})
			return
		}
		r.panics = append(r.panics, p)
		return
	}
	r.cases = trybuildCases(r.cases, l.Text)
	if isFatalRust(l.Text) {
		r.fatal = strings.TrimSpace(l.Text)
	}
	if dead, thread := cutOverflow(l.Text); dead != "" {
		r.dead, r.thread, r.span = dead, thread, result.Span{Start: l.Start, End: l.End}
	}
	if s := strings.TrimSpace(l.Text); s != "" && len(s) < lex.MaxLogLine {
		r.last = s
	}
}

// error takes the lines of an error that a test returned. Its last line also counts as the last line of the process.
func (r *rustLoose) error(l tool.Line) bool {
	if e := r.failed; e != nil && e.goesOn(l.Text) {
		e.add(lex.Clip(l.Text))
		e.span.End = max(e.span.End, l.End)
		return true
	}
	r.failed = nil
	if !beginsRustError(l.Text) || len(r.panics)+len(r.errors) >= maxLoosePanics {
		return false
	}
	r.errors = append(r.errors, looseError{span: result.Span{Start: l.Start, End: l.End}})
	r.failed = &r.errors[len(r.errors)-1]
	r.failed.add(lex.Clip(l.Text))
	r.last = strings.TrimSpace(lex.Clip(l.Text))
	return true
}

// isFatalRust says whether a line is the last message of the runtime, the allocator or the C library.
func isFatalRust(s string) bool {
	return lex.HasAnyPrefix(s, "memory allocation of ", "fatal runtime error: ", "free(): ", "malloc(): ", "double free or corruption", "corrupted ", "terminate called ")
}

// of returns the panics of a test's thread, and those of other threads that came directly before one.
func (r *rustLoose) of(test string, isTest func(thread string) bool) []*rustPanic {
	var all, before []*rustPanic
	for _, p := range r.panics {
		before = append(before, p)
		if p.thread == test {
			all, before = append(all, before...), nil
		} else if len(before) > maxRustcRelated || strings.Contains(p.thread, "::") || isTest(p.thread) {
			before = nil
		}
	}
	return all
}

// everyPanic lists all panics; those without a known thread are last.
func (r *rustLoose) everyPanic() []*rustPanic {
	all := slices.Clone(r.panics)
	for i := range r.errors {
		if p := r.errors[i].hook; p != nil {
			all = append(all, p)
		}
	}
	return all
}

// spanOfPanics is the smallest span around all panics, which may come from both streams.
func spanOfPanics(all []*rustPanic) *result.Span {
	span := result.Span{Start: all[0].start, End: all[0].end}
	for _, p := range all[1:] {
		span.Start, span.End = min(span.Start, p.start), max(span.End, p.end)
	}
	return &span
}

// explainRust turns a failed test's output into a finding without an id. sure is false if no line
// clearly gives the reason.
func explainRust(name string, lines []string) (f result.Finding, sure bool) {
	f = result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: name}
	sure = true
	o := readRustOutput(lines, isDocTest(name))
	f.Printed = strings.Join(slices.DeleteFunc(o.printed, func(s string) bool { return strings.TrimSpace(s) == name }), "\n") // nextest lists the name
	switch {
	case o.note != "":
		o.fillNote(&f, name)
	case len(o.panics) > 0:
		fillRustPanics(&f, o.panics, name)
		o.fillCrates(&f)
	case o.said.fill(&f):
	case o.diag != nil:
		o.fillCompile(&f)
	case len(o.failed.lines) > 0:
		o.failed.fill(&f)
	case o.verdict != "":
		f.Message = o.verdict
	case o.sanitizer.fill(&f):
		f.Name = name
	default:
		sure = false
		f.Message = notSaid
		if last := lex.Trimmed(lines); len(last) > 0 {
			f.Message, f.Detail, f.Printed = strings.TrimSpace(last[len(last)-1]), lex.JoinBounded(lines, maxRustcDetail), ""
		}
	}
	if isDocTest(name) {
		placeDocTest(&f, name)
	}
	return f, sure
}

// fillRustPanics fills in the panic that failed a test: the first of its own thread, or else the first of all. Panics
// of other threads become related notes.
func fillRustPanics(f *result.Finding, all []*rustPanic, name string) {
	own := all[0]
	for _, p := range all {
		if p.thread == name {
			own = p
			break
		}
	}
	if fillProptest(f, all) {
		return
	}
	own.fill(f)
	for _, p := range all {
		if p == own || len(f.Related) >= maxRustcRelated {
			continue
		}
		var other result.Finding
		p.fill(&other)
		who := p.who() + other.Message
		if p.explains(own) {
			who = result.CausedBy + who
		}
		if !slices.ContainsFunc(f.Related, func(r result.Related) bool { return r.Message == who }) {
			f.Related = append(f.Related, result.Related{Message: who, At: other.At})
		}
	}
}

// explains says whether p is the cause of own: a joined thread panicked, and the test only reports that it did; or a
// destructor panicked as well, because of which the process was aborted.
func (p *rustPanic) explains(own *rustPanic) bool {
	text := own.text()
	if p.thread != own.thread {
		return len(text) > 0 && strings.Contains(text[0], "`Err` value: Any { .. }")
	}
	return p.at != nil && !frame.IsRustLibrary(p.at.Path)
}
