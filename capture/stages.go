package capture

import (
	"cmp"
	"encoding/json"
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
	"cairn/internal/place"
	"cairn/internal/sources"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// Stage is one external command of the line that was run and has facts of its own.
type Stage struct {
	Record *manifest.Record   // as if it alone had been captured
	Result *result.ToolResult // nil if nothing is known of it
	Before string             // the command that read its output
	Left   bool               // the line left it running

	run     *stage.Run
	keeper  *keeper // nil if its output is the line's
	spool   incoming
	copy    []byte // all of its output, if the capture's journal holds that
	session *parsers.Session
	scanned chan struct{}
	red     redact.Redactor
}

// tap prepares the line so that its commands are observed. If that is not possible, the
// line runs unchanged.
func (c *capture) tap() {
	_, line := c.o.said()
	shell, kind := shellOf(c.o)
	if shell == "" {
		return
	}
	handed := line == "" // the line is an argument of the command: "sh -c LINE"
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
		c.o.Line = line // for the record, the command key and the parsers
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

// shellOf is the shell that runs a line, and its kind; "" for any other command, and for shells whose lines are left
// alone.
func shellOf(o Options) (shell string, kind stage.Shell) {
	for _, kv := range o.Command.Env {
		if options, ok := strings.CutPrefix(kv, "SHELLOPTS="); ok && (strings.Contains(options, "xtrace") || strings.Contains(options, "verbose")) {
			return "", kind // the shell would print the words put into the line
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

// CanLeave says whether jobs that a line leaves running can print as they would without cairn.
func CanLeave() bool { return stageProgram(Options{}) != "" }

// stageProgram is the path of cairn-stage, which is installed beside this program; "" if it is missing.
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

// beginStage prepares for the output of a command of the line.
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
	if stage.Copies(r.Argv[0]) { // its output is others' text, so it is not parsed
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

// stageSink passes the output of one command to a keeper.
type stageSink struct{ *keeper }

func (k stageSink) Chunk(at time.Duration, p []byte) { k.keeper.Chunk(child.Stdout, at, p) }

// stageInput is the input of the parsers for a stage.
func (c *capture) stageInput(s *Stage) parsers.Input {
	in := parsers.Input{Argv: s.run.Argv, Workspace: c.workspace, Redact: s.red.String, Source: parsers.Bytes{}}
	if s.keeper != nil {
		in.Source = s.keeper.source
	}
	in.Workspace.Dir = cmp.Or(s.run.Dir, in.Workspace.Dir)
	return in
}

// endStages is called when the line and its output have ended: it finishes the result of each of its commands.
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
		rec.Dir = cut(s.red.String(relTo(c.workspace.Root, s.run.Dir)), maxName)
	}
	setArgv(rec, s.run.Argv, "", &s.red)
	exit := result.Exit{Observed: end.Known && end.Signal == "", Code: max(end.Code, 0), Signal: end.Signal}
	if code := exit.Code; exit.Observed {
		rec.Exit = &code // recorded even if it proves nothing
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
	switch {
	case s.session != nil && s.keeper.Size() > 0:
		if s.readerLeft() {
			exit = result.Exit{}
		}
		s.Result = s.session.Result(exit)
	case end.Known && (end.Code > 0 || end.Signal != "") && !s.readerLeft():
		s.Result = parsers.Parse(c.stageInput(s), exit)
	}
	if s.Result != nil && !worthTelling(s) {
		s.Result = nil
	}
	if s.Result != nil {
		sources.SeeFiles(s.Result, c.stageInput(s).Workspace)
	}
}

// relTo is a directory as a record names it. A directory outside of the root begins with "..", so that it is never
// taken for one inside.
func relTo(root, dir string) string {
	rel, err := filepath.Rel(root, dir)
	if err == nil && !filepath.IsLocal(rel) { // the root may be a link
		if real, failed := filepath.EvalSymlinks(root); failed == nil {
			rel, err = filepath.Rel(real, dir)
		}
	}
	if err != nil { // on another disk
		return ".."
	}
	return filepath.ToSlash(rel)
}

// recordStages makes objects of the stages' outputs, and puts the stages into the record.
func (c *capture) recordStages(copied bool) {
	if len(c.stages) == 0 {
		return
	}
	all := c.rec.Stages
	if all == nil {
		all = &manifest.Stages{}
		c.rec.Stages = all
	}
	all.List, c.redacted = nil, nil
	for _, s := range c.stages {
		all.List = append(all.List, c.recordStage(s, copied))
	}
	boundStages(all.List)
}

// maxStages bounds the stages of a record, in bytes of JSON, so that the record fits on a line of the manifest.
const maxStages = 24 << 10

// boundStages drops the results of stages until the rest fits, from the last: parsing the bytes again restores them.
func boundStages(all []manifest.Stage) {
	for i := len(all) - 1; i >= 0; i-- {
		if text, err := json.Marshal(all); err == nil && len(text) <= maxStages {
			return
		}
		all[i].RawResult, all[i].More = nil, nil
	}
	for i := range all {
		all[i].Argv = boundWords(all[i].Argv, maxStages/len(all)/2)
	}
}

// boundWords shortens a command line to about most bytes.
func boundWords(argv []string, most int) []string {
	for i, word := range argv {
		if most -= len(word) + 3; most < 0 {
			return append(slices.Clone(argv[:max(i, 1)]), fmt.Sprintf("[… %d more arguments]", len(argv)-max(i, 1)))
		}
	}
	return argv
}

// commitStage makes an object of a stage's output. If the journal has a copy of it, the
// object is made later.
func (c *capture) commitStage(s *Stage, copied bool) (info objects.Info) {
	switch {
	case s.spool == nil || s.spool.Size() == 0:
		return info
	case copied:
		return objects.InfoOf(s.copy)
	}
	info, err := s.spool.Commit()
	if s.spool = nil; err != nil && s.keeper.err == nil {
		c.trouble(err)
	}
	return info
}

func (c *capture) recordStage(s *Stage, copied bool) manifest.Stage {
	rec := s.Record
	rec.Raw = nil
	if info := c.commitStage(s, copied); info.Size > 0 {
		rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	}
	if s.Result != nil {
		if rec.Raw != nil {
			s.Result.RawOID = rec.Raw.OID
		}
		rec.Key = keyOf(c.workspace, rec)
		lost, err := setResult(rec, c.b, s.Result)
		c.trouble(lost)
		c.trouble(err)
	}
	c.redacted = addRedacted(c.redacted, &s.red)
	st := manifest.StageOf(rec)
	st.Before, st.Running = s.Before, s.Left
	if st.Dir == c.rec.Dir {
		st.Dir = ""
	}
	return st
}

// stageSpool is the name of the spool for a stage's output: its run, the number of the
// command, and its site in the line.
func stageSpool(id string, n, site int) string { return fmt.Sprintf("%s-%02d.%d", id, n, site) }

// recoverStages adds the stages to the record of a capture that was cut short, with the output
// that they had printed. Their words are taken from the line, as far as they are literal there.
func recoverStages(s *place.Site, rec *manifest.Record) error {
	if rec.Shell == "" {
		return nil
	}
	left, err := s.Objects.Abandoned() // sorted by name
	if err != nil {
		return err
	}
	kind, _ := stage.ShellOf(cmp.Or(rec.ShellIs, "/bin/sh"))
	sites := stage.Read(rec.Shell, kind).Sites
	place := func(l objects.Leftover) (n, site int) {
		if _, err := fmt.Sscanf(l.Name, rec.ID+"-%d.%d", &n, &site); err != nil {
			return 0, -1
		}
		return n, site
	}
	slices.SortStableFunc(left, func(a, b objects.Leftover) int {
		_, one := place(a)
		_, other := place(b)
		return cmp.Compare(one, other)
	})
	for _, l := range left {
		_, site := place(l)
		if site < 0 {
			continue
		}
		info, err := l.Recover()
		if err != nil {
			return fmt.Errorf("recovering the output of a command of the line: %w", err)
		}
		st := manifest.Stage{Partial: true, Raw: &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}, Argv: []string{""}}
		if site < len(sites) {
			st.Argv, st.Before = sites[site].Words, sites[site].Reader
		}
		rec.Stages = cmp.Or(rec.Stages, &manifest.Stages{})
		rec.Stages.List = append(rec.Stages.List, st)
	}
	return nil
}
