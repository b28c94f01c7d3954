package mypy

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypyTrace is a traceback. Behind an internal error it is what
// --show-traceback prints; alone, it is of an exception that mypy did not catch.
type mypyTrace struct {
	frames    []string
	exception string // the last line
	span      result.Span
}

// maxMypyTrace bounds the lines of a traceback.
const maxMypyTrace = 60

// falls takes the line that begins a traceback.
func (r *mypyReader) falls(l tool.Line) bool {
	if l.Text != "Traceback (most recent call last):" {
		return false
	}
	r.endBlock()
	r.open = &mypyTrace{span: result.Span{Start: l.Start, End: l.End}}
	return true
}

// traces takes a line of a traceback; the first that is not indented ends it.
func (r *mypyReader) traces(l tool.Line) bool {
	t := r.open
	if strings.HasPrefix(l.Text, " ") {
		if len(t.frames) == maxMypyTrace { // how it began and how it ended tell the most
			t.frames = slices.Delete(t.frames, maxMypyTrace/4, maxMypyTrace/4+1)
		}
		t.frames = append(t.frames, l.Text)
		t.span.End = l.End
		return true
	}
	_, isHead := readMypyLine(l.Text)
	ends := !isHead && l.Text != ""
	if ends {
		t.exception, t.span.End = lex.Headline(l.Text), l.End
	}
	r.endTrace()
	return ends
}

// endTrace keeps the traceback if it is mypy's.
func (r *mypyReader) endTrace() {
	t := r.open
	r.open = nil
	if t != nil && (r.direct || slices.ContainsFunc(t.frames, isMypyFrame)) {
		r.trace = t
		r.cover(t.span.Start, t.span.End)
	}
}

// isMypyFrame: the frame is in mypy's code. Where mypy is compiled, its paths begin
// with "mypy/".
func isMypyFrame(s string) bool {
	return strings.Contains(s, `File "mypy/`) || strings.Contains(s, "site-packages/mypy/") || strings.Contains(s, `site-packages\mypy\`)
}

// mypyEntries are the outermost frames of mypy: an exception that nothing catches
// passes through them.
var mypyEntries = [...]string{`mypy/main.py"`, `mypy/dmypy/client.py"`, `mypy\main.py"`, `mypy\dmypy\client.py"`}

// through: the traceback goes through all of mypy.
func (t *mypyTrace) through() bool {
	return slices.ContainsFunc(t.frames, func(frame string) bool {
		return slices.ContainsFunc(mypyEntries[:], func(entry string) bool { return strings.Contains(frame, entry) })
	})
}

// fell is the finding for an exception that mypy did not catch: there is a traceback,
// and no line that calls it an internal error. Its place is the innermost frame of the
// workspace, which is a plugin's.
func (o *mypyOutput) fell() (f result.Finding, ok bool) {
	for _, r := range o.readers {
		if r.trace == nil || r.trace.exception == "" || !r.trace.through() {
			continue
		}
		f = result.Finding{Kind: result.Panic, Severity: result.SevError, Message: internalError, RawSpan: &r.trace.span}
		for _, line := range r.trace.frames {
			if at, ok := frame.Python(line); ok && result.IsAbsolute(at.Path) {
				at.Function = ""
				if _, external := o.in.Workspace.Path(at.Path); !external {
					f.At = &at
				}
			}
		}
		return f, true
	}
	return f, false
}

// crash joins an internal error to the exception that the traceback ends with,
// which may stand on the other stream.
func (o *mypyOutput) crash(rep *tool.Report) {
	i := slices.IndexFunc(rep.Findings, func(f result.Finding) bool { return f.Kind == result.Panic })
	if i < 0 {
		return
	}
	f := &rep.Findings[i]
	rep.Meaning = result.MeansInternal
	for _, r := range o.readers {
		if t := r.trace; t != nil && t.exception != "" {
			f.Message += ": " + t.exception
			f.Rule = trace.ClassOf(t.exception)
			f.Detail = strings.Join(append([]string{f.Detail}, t.frames...), "\n")
			return
		}
	}
	for _, r := range o.readers {
		if r.blamed != "" {
			f.Message += ": " + r.blamed
			return
		}
	}
}
