package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// nox matches no command: as with tox, the tools that it runs have their own readers.
var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("nox", result.Pipeline, 1, "nox 2019.5 to 2026: sessions that failed, were aborted, or raised")
	p.Files = []tool.Files{{Shared: true, Programs: []string{"nox"}}}
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"nox > Running session ", "nox > Error while ", "nox > Failed to load ", "nox > Sessions not found", "nox > Session ", "nox: error: "},
		Parse: func(in *tool.Input) *tool.Report {
			n := &noxRun{files: place.NewFiles(in.Workspace)}
			return read.Text{Line: n.line}.Parse(in)
		},
	})
}, tool.WritesFiles)

type noxRun struct {
	files *place.Files
	trace read.Traceback
	why   string    // the last error in the session
	at    tool.Line // the line of this error
	raise bool      // a traceback of the session follows
	first bool      // the next line is the first of what a command with silent=True printed
	usage bool      // inside the list of options that follows a usage error
}

// line reads nox's own lines, each of which begins with "nox > ":
//
//	nox > Running session lint
//	nox > Command flake8 tests failed with exit code 1
//	nox > Session lint failed.
//	nox > * lint: failed
func (n *noxRun) line(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "nox > ")
	if !ok {
		if why, has := strings.CutPrefix(l.Text, "nox: error: "); has {
			return s.Misuse(l, why)
		}
		n.usage = n.usage && strings.HasPrefix(l.Text, " ") || strings.HasPrefix(l.Text, "usage: nox ")
		return n.usage || n.raise && n.trace.Line(l.Text)
	}
	first := n.first
	n.first = strings.HasSuffix(text, ":")
	switch session, rest, _ := cutSession(text); {
	case strings.HasPrefix(text, "Running session "):
		*n = noxRun{files: n.files}
	case first && read.IsDiagnostic(text):
		d, _ := read.CutDiagnostic(text)
		f := result.Finding{Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, At: &d.At}
		f.Message, f.Rule = read.AnyRule(d.Message)
		return s.Find(l, f)
	case strings.HasPrefix(text, "Command ") && strings.Contains(text, " failed with exit code "), strings.HasPrefix(text, "Program ") && strings.HasSuffix(text, " not found."):
		n.why, n.at = strings.TrimRight(text, ".:"), l
	case session != "" && strings.HasPrefix(rest, "raised exception "):
		n.why, n.at, n.raise = rest, l, true
	case session != "" && (strings.HasPrefix(rest, "failed") || strings.HasPrefix(rest, "aborted") || rest == "interrupted."):
		n.found(s, l, session, rest)
	case lex.HasAnyPrefix(text, "Failed to load ", "Sessions not found: ", "No sessions selected"):
		s.Misuse(l, text)
	}
	return s.Sign(l)
}

// cutSession reads "Session tests(db='pg') failed."
func cutSession(text string) (session, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "Session ")
	for _, word := range [...]string{" raised exception ", " aborted", " failed.", " failed: ", " interrupted."} {
		if i := strings.Index(text, word); ok && i > 0 {
			return text[:i], text[i+1:], true
		}
	}
	return "", "", false
}

// found adds a finding for a session, with its last error and exception if it had any.
func (n *noxRun) found(s *read.Sink, l tool.Line, session, rest string) {
	rest, _, _ = strings.Cut(strings.TrimSuffix(rest, "."), " (took ")
	f := result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: session, Message: strings.TrimPrefix(rest, "failed: ")}
	at := l
	if n.why != "" {
		f.Message, at = n.why, n.at
	}
	if n.trace.Whole() {
		f.Rule, f.At = n.trace.Class(), n.trace.Own(n.files)
	}
	s.Find(l, f)
	if last := s.Last(); last != nil {
		last.RawSpan = &result.Span{Start: at.Start, End: at.End}
	}
	*n = noxRun{files: n.files}
}
