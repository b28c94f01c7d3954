package capture

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cairn/capture/child"
	"cairn/capture/recovery"
	"cairn/capture/stage/wire"
	"cairn/internal/place"
	"cairn/internal/sources"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// PutOptions describe output that exists already. How its command ended is known only
// if Exit is set.
type PutOptions struct {
	Tool  string // the tool that printed it, if no command is given
	Argv  []string
	Shell string
	Exit  result.Exit
	By    *manifest.By
	Data  io.Reader // standard output, or both streams in one
	// From is the kind of file that is imported: one of ImportKinds. The same bytes are
	// imported once, and the record names no tree.
	From string

	Artifacts []string // paths of files that the run wrote
}

// Put keeps output that exists already and records it as a capture whose time is now.
// After an error nothing was recorded.
func Put(ctx context.Context, s *place.Site, o PutOptions) (*Outcome, error) {
	return put(ctx, s, newBackend(s), o)
}

func put(ctx context.Context, s *place.Site, b *backend, o PutOptions) (*Outcome, error) {
	release, err := s.Objects.Hold()
	if err != nil {
		return nil, fmt.Errorf("keeping the output: %w", err)
	}
	defer release()
	of, unlock, err := beginImport(ctx, s, &o)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	defer unlock()
	info, err := b.put(o.Data)
	if err != nil {
		return nil, fmt.Errorf("keeping the output: %w", err)
	}
	obj, err := s.Objects.OpenObject(info.ID)
	if err != nil {
		return nil, err
	}
	defer obj.Close()
	source := onStdout(obj, info.Size)
	if o.From != "" {
		if rec, err := importOf(ctx, s, o.From, info.ID.String()); err != nil || rec != nil {
			return b.known(s, rec, source, info.Size, err)
		}
	}
	c := &capture{site: s, b: b, workspace: s.Workspace}
	files, err := c.putArtifacts(o)
	if err != nil {
		return nil, err
	}
	defer files.close()
	rec := &manifest.Record{V: manifest.Version, Dir: cut(c.red.String(s.Rel), maxName), By: boundBy(o.By, &c.red), From: o.From}
	if o.From == "" {
		rec.Git = gitOf(s, "", &c.red)
	}
	setArgv(rec, o.Argv, o.Shell, &c.red)
	rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	in := parsers.Input{
		Tool: o.Tool, Argv: o.Argv, Shell: o.Shell, Workspace: s.Workspace, Source: source, Redact: c.red.String,
		Artifacts: files.parsed, As: ownParser(s.Place, o.Argv, o.Shell, nil),
	}
	r := of.parse(&in, o.Exit)
	rec.ParseAs = boundName(in.Tool, &c.red)
	sources.SeePaths(r, s.Workspace)
	files.tell(r)
	rec.Artifacts = files.kept
	r.RawOID = info.ID.String()
	if o.Exit.Observed {
		rec.Exit = &o.Exit.Code
	}
	rec.Signal, rec.TimedOut = o.Exit.Signal, o.Exit.TimedOut
	rec.Key = keyOf(s.Workspace, rec)
	rec.Redacted = addRedacted(nil, &c.red)
	lost, err := setResult(rec, b, r)
	if err != nil {
		return nil, err
	}
	if err := b.append(ctx, rec); err != nil {
		return nil, err
	}
	return &Outcome{Result: r, Record: rec, Trouble: lost, site: s, b: b, Raw: shown(source, info.Size)}, nil
}

// onStdout is the source of an output that came on stdout, all at once.
func onStdout(data io.ReaderAt, size int64) parsers.Source {
	order := ""
	if size > 0 {
		order = string(streams.Run{Stream: streams.Stdout}.Append(nil))
	}
	return Kept(data, size, strings.NewReader(order), int64(len(order)))
}

// putArtifacts keeps the files that the user named. A file that cannot be kept is an
// error, since it was asked for.
func (c *capture) putArtifacts(o PutOptions) (*artifacts, error) {
	a := &artifacts{b: c.b, open: c.site.Objects.OpenObject, workspace: c.workspace, red: &c.red, seen: map[[sha256.Size]byte]bool{}}
	var missing error
	for _, name := range o.Artifacts {
		f := foundAs(name, o.Argv, o.Shell, c.workspace)
		if err := a.take(&search{}, f, time.Time{}, time.Now()); err != nil && !errors.Is(err, errNoReport) {
			missing = errors.Join(missing, fmt.Errorf("keeping %s: %w", name, err))
		}
	}
	a.pack()
	if missing == nil && a.failed {
		missing = errors.New(strings.Join(a.missed, "\n"))
	}
	return a, missing
}

// foundAs is the entry of a file that the user named. Its role follows from the command line.
func foundAs(name string, argv []string, shell string, w result.Workspace) found {
	f := found{path: name, role: parsers.RoleReport, named: true, given: true}
	if abs, err := filepath.Abs(name); err == nil {
		f.path = abs
	}
	names := []string{name, f.path}
	if rel, err := filepath.Rel(filepath.FromSlash(w.Dir), f.path); err == nil {
		names = append(names, rel)
	}
	for _, as := range names {
		if role := parsers.RoleOf(argv, shell, filepath.ToSlash(as)); role != parsers.RoleReport {
			f.role = role
		}
	}
	return f
}

// OpenArtifacts opens files that a run wrote, for a parser. The caller must call
// CloseArtifacts.
func OpenArtifacts(names, argv []string, shell string, w result.Workspace) (list []parsers.Artifact, err error) {
	a := &artifacts{workspace: w}
	for _, name := range names {
		f := foundAs(name, argv, shell, w)
		file, err := a.openFile(f)
		if err != nil {
			CloseArtifacts(list)
			return nil, fmt.Errorf("reading a file that the run wrote: %w", err)
		}
		if f.path = a.show(f.path); filepath.IsAbs(f.path) {
			f.path = filepath.ToSlash(name) // a copy that is kept elsewhere
		}
		p := parsers.Artifact{Path: f.path, Role: f.role, Named: true, Data: file}
		info, err := file.Stat()
		if list = append(list, p); err != nil || !info.Mode().IsRegular() {
			CloseArtifacts(list)
			return nil, fmt.Errorf("reading a file that the run wrote: %s is %w", name, errNoFile)
		}
		list[len(list)-1].Size = info.Size()
	}
	return list, nil
}

// CloseArtifacts closes what OpenArtifacts opened.
func CloseArtifacts(list []parsers.Artifact) {
	for _, a := range list {
		if file, ok := a.Data.(io.Closer); ok {
			file.Close()
		}
	}
}

// recordCopied records a capture with one wait for the disk instead of three: a copy of
// the record and of the output goes into the journal and is synced, and object and line
// are written without a sync. The process that brings the record into the branch, or a
// question before that, makes them durable and removes the journal. If copied is false,
// this was not possible and nothing was changed.
func (c *capture) recordCopied(r *result.ToolResult, exit child.Exit) (copied bool, err error) {
	if !c.canCopy(exit) {
		return false, nil
	}
	output := make([]byte, c.spool.Size())
	if _, err := c.spool.ReadAt(output, 0); err != nil && err != io.EOF {
		return false, nil
	}
	stages, ok := c.copyStages(recovery.MaxCopied - len(output))
	if !ok {
		return false, nil
	}
	info := objects.InfoOf(output)
	c.rec.Raw, err = keepOrder(c.b, info, io.NewSectionReader(c.sink.order, 0, c.sink.order.Size()))
	if err != nil {
		return false, nil
	}
	r.RawOID = c.rec.Raw.OID
	lost, err := c.complete(r, true)
	if err != nil || lost != nil {
		return false, nil
	}
	if err := c.journal.Copy(c.rec, output, stages...); err != nil {
		return false, nil
	}
	for _, s := range c.stages {
		if s.spool != nil {
			if _, err := s.spool.CommitUnsynced(); err != nil {
				return true, err
			}
		}
	}
	if _, err := c.spool.CommitUnsynced(); err != nil {
		return true, err
	}
	return true, c.b.add(c.ctx, c.rec)
}

// copyStages are the outputs of the line's commands; ok is false if they do not fit into room bytes.
func (c *capture) copyStages(room int) (outputs [][]byte, ok bool) {
	for _, s := range c.stages {
		if s.spool == nil || s.spool.Size() == 0 {
			continue
		}
		if room -= int(s.spool.Size()); room < 0 || s.keeper.err != nil {
			return nil, false
		}
		s.copy = make([]byte, s.spool.Size())
		if _, err := s.spool.ReadAt(s.copy, 0); err != nil && err != io.EOF {
			return nil, false
		}
		outputs = append(outputs, s.copy)
	}
	return outputs, true
}

// canCopy says whether the output is complete and short, and whether another process
// will settle the capture. Without output there is only one wait for the disk anyway.
func (c *capture) canCopy(exit child.Exit) bool {
	if c.o.Later == nil || c.journal == nil || c.spool == nil || c.site.Branch == nil {
		return false
	}
	size := c.spool.Size()
	whole := exit.StartErr == nil && exit.ReadErr == nil && c.sink.err == nil && !c.rec.Partial
	return whole && size > 0 && size <= recovery.MaxCopied && c.sink.order.Size() <= maxInlineOrder && !FoldsNow(c.gitCtx, c.site)
}

// leftDrain is how long the output of a line that may leave jobs running is waited for.
// Those jobs can print on afterwards, so nothing is lost.
const leftDrain = 20 * time.Millisecond

// carried is an output that jobs hold open which the line has left running: the end to read, and where to write.
type carried struct{ from, to *os.File }

// later is the file for the output of jobs that outlive the line.
func (c *capture) later(s child.Stream) *os.File {
	if s == child.Stderr {
		return c.o.Err
	}
	return c.o.Out
}

// carry starts a process that passes on the output of jobs which the line has left running,
// until they have ended. That output is not in the record, which was made when the line ended.
func (o *Outcome) carry() {
	if len(o.left) == 0 {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	cmd := exec.Command(o.stager, wire.Carry)
	cmd.Stdin, cmd.Dir, cmd.SysProcAttr = null, "/", ownSession()
	add := func(f *os.File) int {
		if f == nil {
			f = null
		}
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		return 2 + len(cmd.ExtraFiles)
	}
	for _, l := range o.left {
		cmd.Args = append(cmd.Args, fmt.Sprintf("%d:%d", add(l.from), add(l.to)))
	}
	if cmd.Start() == nil {
		cmd.Process.Release()
	}
	for _, l := range o.left {
		l.from.Close()
	}
	o.left = nil
}
