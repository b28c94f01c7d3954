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

// mypySays lists the beginnings of errors after which mypy or dmypy checks nothing. The text
// before "…" is not part of the message.
var mypySays = []string{
	"mypy: error: …", "dmypy: error: …", "mypy: …can't ", "mypy: …Cannot ", "mypy: …no ", "mypy: …Invalid python executable ",
	"error: …--install-types ", "error: …--non-interactive is only supported with", "error: …--local-partial-types must be",
	"error: …Can't determine which types to install", "…Can't find package '", "…There are no .py[i] files in directory '",
}

// mypySaysTo is like mypySays, for errors that other tools may print, too. The last ones are
// dmypy's, about a daemon that it cannot reach.
var mypySaysTo = []string{
	"error: …--", "error: …The exclude ", "…Package name '", "…No status file found", "…Malformed status file", "…Timed out waiting for daemon to start",
	"…Daemon has died", "…Daemon is still alive", "…Daemon crashed!", "…Daemon may be busy processing",
}

// cutMypyNotice reads an error about an option or the configuration: "mypy: error: …", "Can't find
// package 'x'", "mypy.ini: [mypy]: Unrecognized option: …". Errors that other tools may print count
// only if direct is set: the command is mypy.
func cutMypyNotice(s string, direct bool) (f result.Finding, ok bool) {
	message, ok := cutMypySays(s, mypySays)
	if !ok && (direct || strings.Contains(s, " is an invalid regular expression, because: ")) {
		message, ok = cutMypySays(s, mypySaysTo)
	}
	if ok {
		f = result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: message}
		if _, rest, named := strings.Cut(message, " file '"); named && strings.HasPrefix(message, "can't ") {
			path, _, _ := strings.Cut(rest, "'")
			f.At = &result.Location{Path: path}
		}
		return f, true
	}
	if rest, unused := strings.CutPrefix(s, "Warning: unused section(s) in "); unused { // until 1.10
		path, sections, named := strings.Cut(rest, ": ")
		return mypyWarning(path, "unused section(s): "+sections), named
	}
	return cutMypyConfig(s, direct)
}

func mypyWarning(path, message string) result.Finding {
	return result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, At: &result.Location{Path: path}, Message: message}
}

// cutMypySays returns the message in s, if s begins with one of the texts in all.
func cutMypySays(s string, all []string) (message string, ok bool) {
	for _, says := range all {
		if s == "" || s[0] != strings.TrimPrefix(says, "…")[0] {
			continue // most lines; the comparison is cheap
		}
		who, what, _ := strings.Cut(says, "…")
		if rest, is := strings.CutPrefix(s, who); is && strings.HasPrefix(rest, what) {
			return rest, true
		}
	}
	return "", false
}

// cutMypyConfig reads a warning about the configuration, "mypy.ini: [mypy]: message". Some messages
// have no blank before them.
func cutMypyConfig(s string, direct bool) (f result.Finding, ok bool) {
	path, rest, ok := strings.Cut(s, ": ")
	if !ok || !isMypyConfig(path) || strings.Contains(path, " ") {
		return f, false
	}
	f = mypyWarning(path, rest)
	section, message, ok := strings.Cut(rest, "]:")
	if ok && strings.HasPrefix(section, "[mypy") {
		f.Message = section + "]: " + strings.TrimSpace(message)
		return f, true
	}
	return f, direct && isMypyConfigTrouble(&f)
}

// isMypyConfigTrouble reports whether a warning says that the configuration file cannot be read, and sets the
// place from the end of a message about TOML: "(at line 1, column 9)".
func isMypyConfigTrouble(f *result.Finding) bool {
	_, spot, ok := strings.Cut(f.Message, "(at line ")
	if !ok { // until 0.920
		_, spot, ok = strings.Cut(f.Message, "(line ")
	}
	if _, column, two := strings.Cut(spot, " column "); ok && two {
		f.At.Line, f.At.Column = lex.LeadingNumber(spot), lex.LeadingNumber(column)
		return true
	}
	return lex.HasAnyPrefix(f.Message, "Source contains parsing errors", "File contains no section headers", "No [mypy] section in config file", "While reading from ")
}

func isMypyConfig(path string) bool {
	return strings.HasSuffix(path, ".ini") || strings.HasSuffix(path, ".toml") || strings.HasSuffix(path, ".cfg")
}

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
