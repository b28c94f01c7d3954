package capture

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/capture/child"
	"cairn/capture/stage"
	"cairn/capture/stage/wire"
	"cairn/internal/sources"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

// Stage is one external command of the line that was run, of which something of its own is known.
type Stage struct {
	Record *manifest.Record   // as if it alone had been captured
	Result *result.ToolResult // nil where there is nothing to say of it
	Before string             // the command that read its output
	Left   bool               // the line left it running

	run     *stage.Run
	keeper  *keeper // nil where its output is the line's
	spool   incoming
	copy    []byte // of all of it, where the journal of the capture holds that
	session *parsers.Session
	scanned chan struct{}
	red     redact.Redactor
}

// tap prepares the line, so that the commands in it are known one by one. Where that cannot be, the
// line runs as it is.
func (c *capture) tap() {
	_, line := c.o.said()
	shell, kind := shellOf(c.o)
	if shell == "" {
		return
	}
	handed := line == "" // to a shell, among its words: CMD is "sh -c LINE"
	if handed {
		line = c.o.Command.Argv[2]
	}
	plan := stage.Read(line, kind)
	if plan.Unread != "" {
		c.rec.Stages = &manifest.Stages{Unread: true}
	}
	program := stageProgram(c.o)
	if program == "" {
		return
	}
	if plan.Leaves && !c.o.Command.TTY {
		c.o.Command.Drain = leftDrain
		c.o.Command.Left = func(s child.Stream, f *os.File) { c.left = append(c.left, carried{f, c.later(s)}) }
	}
	plan.Locate(c.o.Command.Dir, c.o.Command.Env)
	if !plan.Any() {
		return
	}
	if found, err := exec.LookPath(shell); err == nil && filepath.IsAbs(found) {
		shell = found
	}
	server, err := stage.Listen(stage.Options{Plan: plan, Program: program, Shell: shell, Begin: c.beginStage})
	if err != nil {
		c.o.Warn(err.Error() + "; the line runs, and is recorded as a whole")
		return
	}
	c.stager, c.sink.unsaid = server, server.Unsaid()
	if handed {
		c.o.asked = c.o.Command.Argv
	} else {
		c.o.Line = line // of the record, the command key and the parsers
	}
	script := server.Line(line)
	if c.o.Frame != nil {
		script = c.o.Frame(script)
	}
	if c.o.Command.Shell != "" {
		c.o.Command.Shell = script
		return
	}
	c.o.Command.Argv = slices.Clone(c.o.Command.Argv)
	c.o.Command.Argv[2] = script
}

// shellOf is the shell that runs a line, and its kind; "" for any other command, and for shells whose lines are left alone.
func shellOf(o Options) (shell string, kind stage.Shell) {
	for _, kv := range o.Command.Env {
		if options, ok := strings.CutPrefix(kv, "SHELLOPTS="); ok && (strings.Contains(options, "xtrace") || strings.Contains(options, "verbose")) {
			return "", kind // it would show what is put into the line
		}
	}
	argv := o.Command.Argv
	shell = cmp.Or(o.Command.ShellProgram, "/bin/sh")
	if o.Command.Shell == "" {
		if len(argv) != 3 || argv[1] != "-c" || o.Line != "" && o.Frame == nil && argv[2] != o.Line {
			return "", kind
		}
		shell = argv[0]
	}
	kind, ok := stage.ShellOf(shell)
	if !ok {
		return "", kind
	}
	return shell, kind
}

// CanLeave says whether what a line leaves running can print as it would have.
func CanLeave() bool { return stageProgram(Options{}) != "" }

// stageProgram is the path of cairn-stage, which is installed beside this program; "" if it is not.
func stageProgram(o Options) string {
	if o.Stager != "" {
		return o.Stager
	}
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	beside := filepath.Join(filepath.Dir(self), wire.Program)
	if info, err := os.Stat(beside); err != nil || info.Mode()&0o111 == 0 {
		return ""
	}
	return beside
}

// beginStage makes ready for the output of a command of the line.
func (c *capture) beginStage(r *stage.Run) stage.Sink {
	s := &Stage{run: r}
	s.Before = boundName(r.Site.Reader, &s.red)
	c.stages = append(c.stages, s)
	if r.Site.Role == stage.Watched {
		return nil
	}
	var spool spooler = new(memory)
	if c.spool != nil {
		var err error
		if s.spool, err = c.b.receive(stageSpool(c.rec.ID, len(c.stages), r.Site.Number)); err == nil {
			spool = s.spool
		}
	}
	s.keeper = newKeeper(spool, new(memory))
	s.scanned = make(chan struct{})
	if stage.Copies(r.Argv[0]) { // it says nothing of its own, so there is nothing to understand
		close(s.scanned)
		return stageSink{s.keeper}
	}
	s.session = parsers.New(c.stageInput(s))
	go func() {
		defer close(s.scanned)
		s.session.Scan()
	}()
	return stageSink{s.keeper}
}

// stageSink gives a keeper what one command printed.
type stageSink struct{ *keeper }

func (k stageSink) Chunk(at time.Duration, p []byte) { k.keeper.Chunk(child.Stdout, at, p) }

// stageInput is what parsers are given of a stage.
func (c *capture) stageInput(s *Stage) parsers.Input {
	in := parsers.Input{Argv: s.run.Argv, Workspace: c.workspace, Redact: s.red.String, Source: parsers.Bytes{}}
	if s.keeper != nil {
		in.Source = s.keeper.source
	}
	in.Workspace.Dir = cmp.Or(s.run.Dir, in.Workspace.Dir)
	return in
}

// endStages is called when the line and its output have ended: it settles what each of its commands came to.
func (c *capture) endStages() {
	if c.stager == nil {
		return
	}
	c.stager.Finish()
	slices.SortStableFunc(c.stages, func(a, b *Stage) int { return cmp.Compare(a.run.Site.Number, b.run.Site.Number) })
	for _, s := range c.stages {
		c.endStage(s)
		if from, to := s.run.Rest(); from != nil {
			c.left = append(c.left, carried{from, to})
		}
	}
}

func (c *capture) endStage(s *Stage) {
	end := s.run.End()
	s.Left = s.run.Left()
	rec := &manifest.Record{V: manifest.Version, ID: c.rec.ID, Dir: c.rec.Dir}
	if s.run.Dir != "" && c.site != nil {
		rec.Dir = cut(s.red.String(relTo(c.workspace.Root, s.run.Dir, rec.Dir)), maxName)
	}
	setArgv(rec, s.run.Argv, "", &s.red)
	exit := result.Exit{Observed: end.Known && end.Signal == "", Code: max(end.Code, 0), Signal: end.Signal}
	if exit.Observed {
		rec.Exit = &exit.Code
	}
	rec.Signal, s.Record = end.Signal, rec
	if s.keeper != nil {
		s.keeper.source.close()
		<-s.scanned
		c.trouble(s.keeper.err)
		if rec.Partial = s.keeper.err != nil; s.session != nil && (s.Left || rec.Partial) {
			s.session.Truncate()
		}
	}
	left := end.Signal == "SIGPIPE" || s.run.ReaderLeft()
	switch {
	case s.session != nil && s.keeper.Size() > 0:
		if left {
			exit = result.Exit{}
		}
		s.Result = s.session.Result(exit)
	case end.Known && (end.Code > 0 || end.Signal != "") && !left:
		s.Result = parsers.Parse(c.stageInput(s), exit)
	}
	if s.Result != nil && !worthTelling(s) {
		s.Result = nil
	}
	if s.Result != nil {
		sources.SeeFiles(s.Result, c.stageInput(s).Workspace)
	}
}

// relTo is a directory as a record names it.
func relTo(root, dir, without string) string {
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return without
	}
	return filepath.ToSlash(rel)
}

// worthTelling says whether the result of a stage says more than how it ended.
func worthTelling(s *Stage) bool {
	return s.Result.ParserConfidence != result.Untyped || len(s.Result.Findings) > 0 || judges(s)
}

// verdicts are the kinds of tool whose exit status is a verdict.
var verdicts = []result.Kind{result.Test, result.Lint, result.Typecheck, result.Build, result.Format, result.Security}

// parser is the one whose tool the command runs, whatever it printed; nil for most commands.
func (s *Stage) parser() *parsers.Parser {
	name := parsers.CommandTool("", s.run.Argv, "")
	all := parsers.All()
	if i := slices.IndexFunc(all, func(p *parsers.Parser) bool { return p.Tool == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// judges says whether a command is one whose exit status is a verdict.
func judges(s *Stage) bool {
	p := s.parser()
	return p != nil && slices.Contains(verdicts, p.Kind)
}

// crashes are signals that no one sends to end a program.
var crashes = strings.Fields("SIGSEGV SIGABRT SIGBUS SIGILL SIGFPE SIGSYS SIGTRAP")

// failed says whether a stage failed, whatever its line came to. That grep found nothing, or that two files
// differ, is an answer and no failure.
func (s *Stage) failed() bool {
	r := s.Result
	switch {
	case slices.Contains(crashes, s.Record.Signal):
		return true
	case r != nil && slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevFailure }):
		return !stage.Copies(s.run.Argv[0])
	case r == nil || r.Status != result.Failed && r.Status != result.Error:
		return false
	case r.StatusSource == result.FromFindings:
		return !stage.Copies(s.run.Argv[0])
	}
	return judges(s) || r.ParserConfidence != result.Untyped && slices.Contains(verdicts, r.Kind)
}

// name is how a stage is called to a person: the tool, where that is known.
func (s *Stage) name() string {
	if s.Result != nil && s.Result.ParserConfidence != result.Untyped && s.Result.Tool != "" {
		return s.Result.Tool
	}
	if p := s.parser(); p != nil {
		return p.Tool
	}
	return filepath.Base(s.Record.Argv[0])
}

// ended says how a stage ended, in words; "" if well.
func (s *Stage) ended() string {
	name := s.name()
	switch rec := s.Record; {
	case rec.Signal != "":
		return name + " was ended by " + rec.Signal
	case rec.Exit != nil && *rec.Exit != 0:
		return fmt.Sprintf("%s exited %d", name, *rec.Exit)
	case s.failed():
		return name + " says " + s.Result.Summary
	}
	return ""
}

// told is the stage as the result of its line shows it.
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

// heed makes a verdict that is good what the commands of the line came to.
func (c *capture) heed(r *result.ToolResult) {
	for _, s := range c.stages {
		if s.failed() && (r.Status == result.OK || r.Status == result.Passed) {
			r.Status, r.StatusSource = result.Failed, result.FromStage
			if s.Record.Signal != "" || s.Result.Status == result.Error {
				r.Status = result.Error
			}
			r.Extra = withExtra(r.Extra, "swallowed", s.ended())
		}
	}
}

// Swallowed says how a command ended whose failure the line's own exit status does not tell; "" without one.
func (o *Outcome) Swallowed() string {
	if o.Result == nil || o.Result.StatusSource != result.FromStage {
		return ""
	}
	why, _ := o.Result.Extra["swallowed"].(string)
	return why
}

// maxSearched bounds the text that is searched for what a stage found.
const maxSearched = 1 << 20

// hidden are the findings of stages that the caller of the line does not see in what the readers have left.
func (c *capture) hidden() string {
	var b, seen strings.Builder
	for n, s := range c.stages {
		if s.keeper == nil || !s.failed() {
			continue
		}
		if seen.Len() == 0 {
			for chunk := range c.sink.source.Chunks() {
				if seen.Write(chunk.Data); seen.Len() > maxSearched {
					break
				}
			}
		}
		var r result.ToolResult // of a crash there may be nothing more to say
		if s.Result != nil {
			r = *s.Result
		}
		all := r.Findings
		r.Findings = slices.DeleteFunc(slices.Clone(all), func(f result.Finding) bool { return !saysNo(f) || shows(seen.String(), f) })
		if len(r.Findings) == 0 && slices.ContainsFunc(all, saysNo) {
			continue // all of them are there
		}
		where := ""
		if len(c.errs) == 0 {
			where = fmt.Sprintf("%s --stage %d", c.rec.ID, n+1)
		}
		b.WriteString(render.Hidden(s.name(), s.Before, s.ended(), &r, where))
	}
	return b.String()
}

// saysNo says whether a finding is of what failed.
func saysNo(f result.Finding) bool {
	return f.Severity == result.SevFailure || f.Severity == result.SevError
}

// shows says whether a text has a finding in it: the name of what failed, or what was said of it.
func shows(text string, f result.Finding) bool {
	message, _, _ := strings.Cut(f.Message, "\n")
	return slices.ContainsFunc([]string{f.Name, message}, func(what string) bool { return len(what) > 3 && strings.Contains(text, what) })
}
