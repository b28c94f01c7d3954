package mypy

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypyTrace is a traceback: of an internal error with --show-traceback, or of an exception that mypy did not catch.
type mypyTrace struct {
	frames    []string
	exception string // the last line: the exception's class and message
	span      result.Span
}

// maxMypyTrace bounds the lines of a traceback.
const maxMypyTrace = 60

// traces takes a line of a traceback. The first line that is not indented ends the traceback.
func (m *mypy) traces(s *read.Sink, l tool.Line) bool {
	t := m.open
	if strings.HasPrefix(l.Text, " ") {
		if len(t.frames) == maxMypyTrace { // drop a frame from the middle: the outermost and innermost frames tell the most
			t.frames = slices.Delete(t.frames, maxMypyTrace/4, maxMypyTrace/4+1)
		}
		t.frames, t.span.End = append(t.frames, l.Text), l.End
		return true
	}
	_, isHead := cutMypyLine(l.Text)
	ends := !isHead && l.Text != ""
	if ends {
		t.exception, t.span.End = lex.Headline(l.Text), l.End
	}
	m.endTrace(s)
	return ends
}

// endTrace keeps the traceback if it is mypy's. The paths of a compiled mypy begin with "mypy/".
func (m *mypy) endTrace(s *read.Sink) {
	t := m.open
	m.open = nil
	if t != nil && (m.direct || t.goesThrough(`File "mypy/`, "site-packages/mypy/", `site-packages\mypy\`)) {
		m.trace = t
		s.CoverSpan(t.span.Start, t.span.End)
	}
}

// goesThrough reports whether a frame contains one of the texts.
func (t *mypyTrace) goesThrough(places ...string) bool {
	return slices.ContainsFunc(t.frames, func(frame string) bool {
		return slices.ContainsFunc(places, func(place string) bool { return strings.Contains(frame, place) })
	})
}

// mypyEntries lists the files of mypy's outermost frames, through which an uncaught exception passes.
var mypyEntries = []string{`mypy/main.py"`, `mypy/dmypy/client.py"`, `mypy\main.py"`, `mypy\dmypy\client.py"`}

// fell adds a finding for an exception that mypy did not catch, which has a traceback but no line
// "INTERNAL ERROR". The place is the innermost frame in the workspace, which is a plugin's.
func (m *mypy) fell(s *read.Sink) {
	t := m.trace
	if t == nil || t.exception == "" || !t.goesThrough(mypyEntries...) || slices.ContainsFunc(s.Findings, isPanic) {
		return
	}
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Message: internalError, RawSpan: &t.span}
	for _, line := range t.frames {
		if at, ok := frame.Python(line); ok && result.IsAbsolute(at.Path) {
			at.Function = ""
			if _, external := m.in.Workspace.Path(at.Path); !external {
				f.At = &at
			}
		}
	}
	s.Add(f)
	m.certain = true
}

func isPanic(f result.Finding) bool { return f.Kind == result.Panic }

// crash adds the traceback's exception to the finding of an internal error. The traceback may be on the other stream.
func (m *mypy) crash(s *read.Sink) {
	i := slices.IndexFunc(s.Findings, isPanic)
	if i < 0 {
		return
	}
	s.Meaning = result.MeansInternal
	f, t := &s.Findings[i], m.trace
	if t != nil && t.exception != "" {
		f.Message += ": " + t.exception
		f.Rule = trace.ClassOf(t.exception)
		f.Detail = strings.TrimLeft(f.Detail+"\n"+strings.Join(t.frames, "\n"), "\n")
	} else if m.blamed != "" {
		f.Message += ": " + m.blamed
	}
}
