package rust

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// sanitizerReport is what a sanitizer prints before it ends a test binary
// (-Zsanitizer=address and others; LLVM's compiler-rt):
//
//	==10538==ERROR: AddressSanitizer: heap-use-after-free on address 0x7b78 at pc …
//	READ of size 4 at 0x7b78853e4010 thread T2
//	    #0 0x55c6 in core::ptr::read_volatile::<i32> /rustc/…/ptr/mod.rs:2107:9
//	    #1 0x55c6 in shop::tests::uaf /src/shop/src/lib.rs:3:104
//
// The first list of frames is where the error happened; others are about the memory.
type sanitizerReport struct {
	message string
	frames  []result.Location // frames in the workspace
	open    bool
	listed  bool // a frame was read
}

// cutSanitizer reads the first line of a report, without process ids and addresses.
func cutSanitizer(s string) (message string, ok bool) {
	message, ok = strings.CutPrefix(s, "WARNING: ThreadSanitizer: ")
	if ok {
		message, _, _ = strings.Cut(message, " (pid=")
		return "ThreadSanitizer: " + message, true
	}
	if !strings.HasPrefix(s, "==") {
		return "", false
	}
	_, message, ok = strings.Cut(s, "==ERROR: ")
	if !ok || !strings.Contains(message, "Sanitizer: ") {
		return "", false
	}
	message, _, _ = strings.Cut(message, " on address ")
	message, _, _ = strings.Cut(message, " on unknown address ")
	return message, true
}

// line takes a line; only the first report counts.
func (r *sanitizerReport) line(s string) {
	if r.message == "" {
		r.message, r.open = cutSanitizer(s)
		return
	}
	line := strings.TrimLeft(s, " ")
	if !r.open || !strings.HasPrefix(line, "#") {
		r.open = r.open && !r.listed
		return
	}
	r.listed = true
	if at, ok := frame.C(line); ok && strings.HasSuffix(at.Path, ".rs") && !frame.IsRustLibrary(at.Path) && len(r.frames) < maxRustFrames {
		at.Function = cutSymbolHash(at.Function)
		r.frames = append(r.frames, at)
	}
}

// fill makes the report the reason why a process ended. The outermost function of the workspace is the test's.
func (r *sanitizerReport) fill(f *result.Finding) (ok bool) {
	if r.message == "" {
		return false
	}
	f.Message = r.message
	if len(r.frames) == 0 {
		return true
	}
	at := r.frames[0]
	at.Function = ""
	f.At, f.Frames = &at, r.frames
	for i := len(r.frames) - 1; i >= 0; i-- {
		fn := r.frames[i].Function
		if _, test, ok := strings.Cut(fn, "::"); ok && !strings.Contains(fn, "{") && !strings.HasPrefix(fn, "<") && !strings.HasSuffix(fn, "::main") {
			f.Name = test
			break
		}
	}
	return true
}

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
		if thread, ok := strings.CutPrefix(note.Message, "this is on thread `"); ok && !strings.HasPrefix(f.Name, strings.TrimSuffix(thread, "`")) { // Linux cuts a thread's name
			f.Name = strings.TrimSuffix(thread, "`")
		}
	}
	return true
}
