package capture

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cairn/capture/stage"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// worthTelling says whether the result of a stage says more than how the command ended.
func worthTelling(s *Stage) bool {
	told := s.Result.ParserConfidence != result.Untyped || len(s.Result.Findings) > 0
	return told && s.Result.Extra["shown"] == nil || judges(s) || s.scripted()
}

// verdicts are the kinds of tools whose exit status is a verdict.
var verdicts = []result.Kind{result.Test, result.Lint, result.Typecheck, result.Build, result.Format, result.Security, result.Package, result.Infra, result.Pipeline}

// judges says whether the exit status of a command is a verdict.
func judges(s *Stage) bool {
	p := parsers.OfCommand(s.run.Argv, "")
	return p != nil && (p.Runner || slices.Contains(verdicts, p.Kind)) || checks(s.run.Argv)
}

// checks says whether argv runs a task of the project or looks at the syntax of a file, so that its exit status is a verdict.
func checks(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	name := filepath.Base(argv[0])
	looks := len(argv) > 1 && slices.Contains(strings.Fields("php-l ruby-c perl-c node-c node--check sh-n bash-n"), name+argv[1])
	return looks || slices.Contains(strings.Fields("npm pnpm yarn bun rake invoke hatch"), name)
}

// scripted says whether a command before a pipe is a script of the project, which fails if it exits with another status
// than 0. Without a pipe, such a status may be the answer to a condition.
func (s *Stage) scripted() bool {
	return s.Before != "" && parsers.IsScript(s.run.Argv) && !slices.Contains(strings.Fields(answers), filepath.Base(s.run.Argv[0]))
}

// readerLeft says whether the reader of a stage left before everything was printed. Some tools then end
// by SIGPIPE, some with a status for failures, others with 0, so the end proves nothing.
func (s *Stage) readerLeft() bool { return s.Record.Signal == "SIGPIPE" || s.run.ReaderLeft() }

// undecided says whether a stage's exit status is a verdict, but its reader left before
// it had printed the verdict or a failure.
func (s *Stage) undecided() bool {
	return s.readerLeft() && s.Result != nil && s.Result.ParserConfidence != result.Untyped && judges(s) && !s.failed()
}

// timedOut says whether timeout(1) ended the command.
func (s *Stage) timedOut() bool {
	return s.Record.Exit != nil && *s.Record.Exit == 124 && filepath.Base(s.run.Argv[0]) == "timeout"
}

// crashes are signals that mean a crash; they are not sent to end a program.
const crashes = "SIGSEGV SIGABRT SIGBUS SIGILL SIGFPE SIGSYS SIGTRAP"

// failed says whether a stage failed, whatever the status of its line. That grep found
// nothing, or that two files differ, is an answer and no failure.
func (s *Stage) failed() bool {
	r := s.Result
	switch {
	case slices.Contains(strings.Fields(crashes), s.Record.Signal):
		return true
	case r != nil && slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevFailure }):
		return !stage.Copies(s.run.Argv[0])
	case r == nil || r.Status != result.Failed && r.Status != result.Error:
		return r != nil && s.readerLeft() && judges(s) && slices.ContainsFunc(r.Findings, saysNo)
	case r.StatusSource == result.FromFindings:
		return !stage.Copies(s.run.Argv[0])
	}
	return judges(s) || s.scripted() || r.ParserConfidence != result.Untyped && slices.Contains(verdicts, r.Kind)
}

// answers are programs whose exit status 1 is an answer, and whose output is text of others.
const answers = "cmp diff git"

// erred says whether a stage whose status is not a verdict failed and printed why: the
// status of its line stays, but a caller who does not see that text is shown it.
func (s *Stage) erred() bool {
	r := s.Result
	if r == nil || s.Record.Exit == nil || *s.Record.Exit == 0 || s.readerLeft() || stage.Copies(s.run.Argv[0]) {
		return false
	}
	if r.ParserConfidence != result.Parsed && *s.Record.Exit == 1 && slices.Contains(strings.Fields(answers), filepath.Base(s.run.Argv[0])) {
		return false
	}
	return slices.ContainsFunc(r.Findings, saysNo)
}

// name is the name of a stage for people: its tool, if known.
func (s *Stage) name() string {
	if s.Result != nil && s.Result.ParserConfidence != result.Untyped && s.Result.Tool != "" {
		return s.Result.Tool
	}
	if p := parsers.OfCommand(s.run.Argv, ""); p != nil {
		return p.Tool
	}
	return filepath.Base(s.Record.Argv[0])
}

// ended says in words how a stage ended; "" if it ended well.
func (s *Stage) ended() string {
	name := s.name()
	switch rec := s.Record; {
	case s.undecided():
		return fmt.Sprintf("%s had not printed all when %s stopped reading, so whether it passed is not known", name, s.Before)
	case s.readerLeft() && s.failed():
		return name + " says " + strings.TrimPrefix(s.Result.Summary, "exit not observed, ")
	case rec.Signal != "":
		return name + " was ended by " + rec.Signal
	case s.timedOut() && name != "timeout":
		return name + " was ended by timeout"
	case rec.Exit != nil && *rec.Exit != 0:
		return fmt.Sprintf("%s exited %d", name, *rec.Exit)
	case s.failed():
		return name + " says " + s.Result.Summary
	}
	return ""
}

// told is the stage in the form that the line's result has.
func (s *Stage) told() result.Stage {
	rec := s.Record
	of := result.Stage{Argv: rec.Argv, Before: s.Before, ExitCode: rec.Exit, Signal: rec.Signal, Running: s.Left}
	if rec.Raw != nil {
		of.RawOID = rec.Raw.OID
	}
	if r := s.Result; r != nil {
		of.Tool, of.Status, of.Counts, of.Summary, of.Findings = r.Tool, r.Status, r.Counts, r.Summary, r.Findings
	}
	return of
}

// heed changes a good verdict if a command of the line failed. Otherwise it says how a command ended whose status the line leaves out,
// since that may be a failure, or an answer such as "no line matches".
func (c *capture) heed(r *result.ToolResult) {
	for _, s := range c.stages {
		good := r.Status == result.OK || r.Status == result.Passed
		unheard := s.Before != "" || s.timedOut() || parsers.IsScript(s.run.Argv)
		if good && unheard && !s.failed() && !s.readerLeft() && !stage.Copies(s.run.Argv[0]) && s.ended() != "" {
			result.SetExtra(&r.Extra, "swallowed", s.ended())
		}
	}
	for _, s := range c.stages {
		good := r.Status == result.OK || r.Status == result.Passed
		if good && s.undecided() {
			r.Status, r.StatusSource = result.Unknown, result.FromNothing
		}
		told := r.StatusSource == result.FromFindings && slices.Contains(strings.Fields(crashes), s.Record.Signal) // by the shell
		switch {
		case !s.failed() || !good && !told && r.Status != result.Unknown:
		case good && retried(c.rec, s.Record.Argv, s.Record.Exit):
			result.SetExtra(&r.Extra, "swallowed", s.ended()+", and 0 when run again")
		default:
			r.Status, r.StatusSource = result.Failed, result.FromStage
			if !told && (s.Record.Signal != "" && !s.readerLeft() || s.Result.Status == result.Error) {
				r.Status = result.Error
			}
			result.SetExtra(&r.Extra, "swallowed", s.ended())
		}
	}
}

// retried reports whether a command of the line of a record failed, and the line ran it until it succeeded.
func retried(rec *manifest.Record, argv []string, exit *int) bool {
	return (exit == nil || *exit != 0) && parsers.Retried(rec.Argv, rec.Shell, argv)
}

// Swallowed says how a command ended whose failure the line's exit status does not show; "" if none exists.
func (o *Outcome) Swallowed() string {
	if o.Result == nil || o.Result.StatusSource != result.FromStage {
		return ""
	}
	why, _ := o.Result.Extra["swallowed"].(string)
	return why
}

// maxSearched bounds the bytes of output that are searched for a stage's findings.
const maxSearched = 1 << 20

// hidden are those findings of stages that the line's output does not show.
func (c *capture) hidden() string {
	var b, seen strings.Builder
	for n, s := range c.stages {
		if s.keeper == nil || !s.failed() && !s.erred() && !s.undecided() {
			continue
		}
		if seen.Len() == 0 {
			for chunk := range c.sink.source.Chunks() {
				if seen.Write(chunk.Data); seen.Len() > maxSearched {
					break
				}
			}
		}
		var r result.ToolResult // a crash may have no result
		if s.Result != nil {
			r = *s.Result
		}
		all, alike := r.Findings, map[string]int{}
		for _, f := range all {
			alike[f.Message]++
		}
		r.Findings = slices.DeleteFunc(slices.Clone(all), func(f result.Finding) bool {
			return !saysNo(f) || shows(seen.String(), f, alike[f.Message], slices.Contains([]string{"head", "tail"}, filepath.Base(s.Before)))
		})
		same := c.rec.Raw != nil && s.told().RawOID == c.rec.Raw.OID // its reader left nothing out
		if (same || len(r.Findings) == 0) && slices.ContainsFunc(all, saysNo) {
			continue // the output shows all of them
		}
		where := ""
		if len(c.errs) == 0 {
			where = fmt.Sprintf("%s --stage %d", c.rec.ID, n+1)
		}
		if s.readerLeft() && r.Summary != "" {
			r.Summary = strings.TrimPrefix(r.Summary, "exit not observed, ") + " when " + s.Before + " stopped reading"
		}
		b.WriteString(render.Hidden(s.name(), s.Before, s.ended(), &r, where))
	}
	return b.String()
}

// saysNo says whether a finding is a failure.
func saysNo(f result.Finding) bool {
	return f.Severity == result.SevFailure || f.Severity == result.SevError
}

// shows says whether a text contains a finding's name or message. Of an output that was cut, a list of names at its end does not say why
// they failed: the message must begin in it. A message that several have must stand there as often.
func shows(text string, f result.Finding, alike int, cut bool) bool {
	message, _, _ := strings.Cut(f.Message, "\n")
	begins := message[:min(len(message), 24)]
	has := func(what string) bool { return len(what) > 3 && strings.Contains(text, what) }
	if alike > 1 && cut && strings.Count(text, begins) < alike && !has(cmp.Or(f.Name, f.ID)) {
		return false
	}
	return has(message) || cut && has(begins) || has(f.Name) && (!cut || len(message) <= 3 || strings.HasPrefix(message, "failed"))
}
