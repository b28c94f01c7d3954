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
