package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tox matches no command: the tools that it runs have their own readers. Their reports become parts
// of the run, beside tox's report on its environments.
var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tox", result.Pipeline, 1, "tox 3.14 to 4.30: run, parallel, quiet, verbose")
	p.Files = []tool.Files{{Shared: true, Programs: []string{"tox"}}}
	p.Reads(tool.Format{
		Name:   "text",
		Starts: []string{"evaluation failed :( (", "congratulations :) (", "congratulations :)", "ROOT: HandledError|", "ERROR: … commands failed", "ERROR: unknown environment '"},
		Parse: func(in *tool.Input) *tool.Report {
			t := &toxRun{reason: map[string]toxReason{}}
			return read.Text{Line: t.line, Closes: true}.Parse(in)
		},
	})
}, tool.WritesFiles)

// toxReason is the last error in an environment, and its line.
type toxReason struct {
	says string
	at   tool.Line
}

type toxRun struct {
	reason map[string]toxReason
	usage  bool // the next line completes the message about a wrong command line
}

// maxEnvironments bounds the environments whose errors are kept for one run.
const maxEnvironments = 1000

// line reads tox's lines about a running environment, and those at the end of the run:
//
//	unit: commands[0]> pytest -q
//	unit: exit 1 (0.32 seconds) /work> pytest -q pid=6539
//	  unit: FAIL code 1 (3.42=setup[3.10]+cmd[0.32] seconds)
//	  evaluation failed :( (6.89 seconds)
func (t *toxRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	if rest, ok := strings.CutPrefix(text, "ROOT: HandledError| "); ok {
		s.Misuse(l, rest)
		s.Close(l)
		t.usage = strings.HasSuffix(rest, ":") && s.Dropped == 0
		return true
	}
	if t.usage {
		t.usage = false
		f := &s.Findings[len(s.Findings)-1]
		f.Message, f.RawSpan.End = f.Message+" "+text, max(f.RawSpan.End, l.End)
		return true
	}
	if strings.HasPrefix(text, "evaluation failed :(") || strings.HasPrefix(text, "congratulations :)") {
		return s.Close(l)
	}
	if old, ok := strings.CutPrefix(l.Text, "ERROR:   "); ok { // tox 3
		env, what, _ := strings.Cut(old, ": ")
		t.found(s, l, env, what)
		return s.Close(l)
	}
	env, what, ok := strings.Cut(text, ": ")
	if !ok || env == "" || strings.ContainsAny(env, " \t\"'") || len(env) > 80 {
		return false
	}
	return t.says(s, l, env, what, len(text) < len(l.Text))
}

// says takes a text about an environment. last is set for an indented line, which tox prints at the end of the run.
func (t *toxRun) says(s *read.Sink, l tool.Line, env, what string, last bool) bool {
	switch {
	case strings.HasPrefix(what, "commands["):
		return strings.Contains(what, "> ")
	case strings.HasPrefix(what, "exit "):
		code, rest, _ := strings.Cut(what[len("exit "):], " (")
		_, command, ok := strings.Cut(rest, "> ")
		command, _, _ = strings.Cut(command, " pid=")
		if ok && code != "0" && lex.IsDigits(strings.TrimPrefix(code, "-")) && !t.cannotRun(env, command) {
			t.note(env, "exit "+code+": "+command, l)
		}
		return ok
	case strings.HasPrefix(what, "failed with "), strings.HasPrefix(what, "Exception running subprocess "):
		t.note(env, what, l)
	case last && strings.HasPrefix(what, "FAIL "):
		t.found(s, l, env, what)
	case last && (lex.HasAnyPrefix(what, "OK (", "SKIP", "IGNORED FAIL")),
		strings.HasPrefix(what, "OK ✔ in "), strings.HasPrefix(what, "FAIL ✖ in "):
	default:
		return false
	}
	return true
}

// cannotRun reports whether the environment's last error already says why the command did not run.
func (t *toxRun) cannotRun(env, command string) bool {
	return strings.HasPrefix(t.reason[env].says, "Exception running") && strings.Contains(t.reason[env].says, "'"+command)
}

func (t *toxRun) note(env, says string, l tool.Line) {
	if len(t.reason) < maxEnvironments {
		t.reason[env] = toxReason{says, l}
	}
}

func (t *toxRun) found(s *read.Sink, l tool.Line, env, what string) {
	what, _, _ = strings.Cut(what, " (")
	f := result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: env, Message: what}
	if why, ok := t.reason[env]; ok {
		f.Message, l = why.says, why.at
	}
	covered := s.Covered
	s.Find(l, f)
	s.Covered = covered // read.Text covers each line for which line returns true
	s.Break()
}

// nox matches no command: as with tox, the tools that it runs have their own readers.
var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("nox", result.Pipeline, 1, "nox 2019.5 to 2026: sessions that failed, were aborted, or raised")
	p.Files = []tool.Files{{Shared: true, Programs: []string{"nox"}}}
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"nox > Running session ", "nox > Error while ", "nox > Failed to load ", "nox > Sessions not found", "nox > Session ", "nox: error: "},
		Parse: read.Lines((*noxRun).line),
	})
}, tool.WritesFiles)

type noxRun struct {
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
		*n = noxRun{}
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
		f.Rule, f.At = n.trace.Class(), n.trace.Own(s.Files())
	}
	s.Find(l, f)
	if last := s.Last(); last != nil {
		last.RawSpan = &result.Span{Start: at.Start, End: at.End}
	}
	*n = noxRun{}
}
