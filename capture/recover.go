package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/detach"
	"cairn/internal/guard"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// Recover finishes captures whose process died. It returns how many it recorded, and
// how many captures are still running.
func Recover(ctx context.Context, s *place.Site) (n, alive int, err error) {
	f := newFinisher(s, newBackend(s))
	err = errors.Join(f.All(ctx), f.Settle(ctx))
	return f.Recorded, f.Alive, err
}

// Settler makes durable the captures that are only in journals, for the process that
// runs Manifest.Follow.
func Settler(s *place.Site) manifest.Settler { return newFinisher(s, newBackend(s)) }

// newFinisher makes a Finisher for the place that makes records with recordLeft.
func newFinisher(s *place.Site, b *backend) *recovery.Finisher {
	return &recovery.Finisher{
		Dir: s.Dir, Objects: s.Objects, Manifest: s.Manifest, Files: b.journals(), Put: b.put, Recover: b.recover, Now: b.now,
		Record: func(ctx context.Context, l *recovery.Left) error { return recordLeft(ctx, s, b, l) },
	}
}

// recordLeft makes the record of a capture from what is left of it.
func recordLeft(ctx context.Context, s *place.Site, b *backend, l *recovery.Left) (err error) {
	var red redact.Redactor
	rec := l.Record
	rec.Partial = !l.Complete()
	if l.Lost != nil {
		return recordLost(ctx, s, b, l, &red)
	}
	known := orderWithin(l.Order(), l.Output.Size)
	order := io.NewSectionReader(l.Order(), 0, known.length)
	if rec.Raw, err = keepOrder(b, l.Output, order); err != nil {
		return err
	}
	if rec.DurationMS = known.lastMS; l.Ending != nil {
		rec.DurationMS = l.Ending.DurationMS
	}
	obj, err := s.Objects.OpenObject(l.Output.ID)
	if err != nil {
		return err
	}
	defer obj.Close()
	r := resultOf(s, b, l, Kept(obj, l.Output.Size, order, known.length), &red)
	r.RawOID = rec.Raw.OID
	if err := recoverStages(s, rec); err != nil {
		return err
	}
	return appendLeft(ctx, b, rec, r, &red)
}

// recordLost makes the record of a capture that could not be finished. If its output
// has become an object, the record names it, so that gc keeps it.
func recordLost(ctx context.Context, s *place.Site, b *backend, l *recovery.Left, red *redact.Redactor) error {
	rec := l.Record
	r := resultOf(s, b, l, parsers.Bytes{}, red)
	text := "cairn: the output could not be recovered: "
	if rec.Raw = nil; l.Output.Size > 0 {
		text = "cairn: the output was kept, and could not be read: "
		rec.Raw, _ = keepOrder(b, l.Output, io.NewSectionReader(l.Order(), 0, orderWithin(l.Order(), l.Output.Size).length)) // without it the output is still complete
		r.RawOID = rec.Raw.OID
	}
	r.Body = red.String(result.Clean(text + l.Lost.Error()))
	return appendLeft(ctx, b, rec, r, red)
}

// resultOf parses the output that is left, as the capture would have.
func resultOf(s *place.Site, b *backend, l *recovery.Left, source parsers.Source, red *redact.Redactor) *result.ToolResult {
	rec, exit := l.Record, result.Exit{}
	if e := l.Ending; e != nil {
		rec.Exit, rec.Signal, rec.TimedOut = e.Exit, e.Signal, e.TimedOut
		exit = exitOfRecord(rec)
	}
	in := parsers.Input{
		Tool: rec.ParseAs, Argv: rec.Argv, Shell: rec.Shell, Workspace: workspaceOf(s, rec), Source: source,
		Truncated: rec.Partial, Redact: red.String, As: ownParser(s.Place, rec.Argv, rec.Shell, nil),
	}
	var kept []manifest.Artifact
	if l.Ending != nil {
		kept = l.Ending.Artifacts
	}
	files := reopen(s, kept, in.Workspace, red)
	defer files.close()
	in.Artifacts, rec.Artifacts = files.parsed, files.kept
	r := b.parse(in, exit)
	files.tell(r)
	r.Partial = rec.Partial
	if l.Ending != nil && l.Ending.OpenPipes {
		result.SetExtra(&r.Extra, "open_pipes", true)
	}
	rec.Key = keyOf(in.Workspace, rec)
	return r
}

// appendLeft appends a record. If a part of the result could not be kept, it returns an
// error, so that a later command tries again.
func appendLeft(ctx context.Context, b *backend, rec *manifest.Record, r *result.ToolResult, red *redact.Redactor) error {
	rec.Redacted = addRedacted(rec.Redacted, red)
	lost, err := setResult(rec, b, r)
	if err = errors.Join(err, lost); err != nil {
		return err
	}
	return b.append(ctx, rec)
}

// catchUpPatience bounds the work of a command after its answer. The next command does
// the rest.
const catchUpPatience = 10 * time.Second

// CatchUp does the work that can wait until the user has the answer: it finishes
// captures that were cut short, and brings their records into the branch. A signal ends
// it early; the next command then does the rest.
func (o *Outcome) CatchUp(ctx context.Context) (notes []string) {
	return guarded(func() []string { return o.catchUp(ctx) })
}

// guarded runs work. If it panics, guarded adds a note that says so, and the command's
// answer stays as it is.
func guarded(work func() []string) (notes []string) {
	if err := guard.Do("bringing the record up to date", func() { notes = work() }); err != nil {
		notes = append(notes, err.Error())
	}
	return notes
}

func (o *Outcome) catchUp(ctx context.Context) (notes []string) {
	defer o.shield.lower()
	o.carry()
	if o.site == nil {
		return nil
	}
	defer o.site.Close()
	if o.site.Check() != nil {
		return nil // reported already, or the command that removed the repository was recorded before
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpPatience)
	defer cancel()
	defer o.shield.ends(cancel)()
	if o.cancel != nil {
		defer o.cancel()
		defer context.AfterFunc(ctx, o.cancel)() // so that a git that hangs is not waited for
	}
	f := newFinisher(o.site, o.b)
	if f.Healthy = o.Trouble == nil; !f.Healthy && o.Record != nil {
		f.Except = o.Record.ID
	}
	if o.Trouble != nil {
		catchUp(ctx, o.site, f, o.helper(ctx))
		return nil // the user knows enough already
	}
	notes = SweepAndTell(ctx, o.site, o.env)
	return append(notes, catchUp(ctx, o.site, f, o.helper(ctx))...)
}

// helper is Later, or nil if the configuration wants the branch to follow at once.
func (o *Outcome) helper(ctx context.Context) Later {
	if o.Later != nil && FoldsNow(ctx, o.site) {
		return nil
	}
	return o.Later
}

// CatchUp finishes captures that were cut short and brings all waiting records into the
// branch, with the process that later starts, if it can. Before a question it takes the
// time it needs, so that the answer is complete; otherwise at most catchUpPatience. The
// notes are for the user; there are none if all is well.
func CatchUp(ctx context.Context, s *place.Site, question bool, later Later) (notes []string) {
	if !question {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, catchUpPatience)
		defer cancel()
	}
	if question && s.Branch != nil && s.Manifest.Lost() {
		notes = guarded(func() []string { return heal(ctx, s) })
	}
	return append(notes, guarded(func() []string { return catchUp(ctx, s, newFinisher(s, newBackend(s)), later) })...)
}

// heal restores the lost lines of shards, so that a question's answer includes them.
func heal(ctx context.Context, s *place.Site) []string {
	switch n, err := s.Manifest.Heal(ctx); {
	case err != nil:
		return []string{fmt.Sprintf("records may be missing, since shards are gone, and the branch could not be compared with them: %v", err)}
	case n > 0:
		return []string{fmt.Sprintf("shards were gone; records that the branch gave back: %d", n)}
	}
	return nil
}

// Later starts a process that brings the pending records of a place into the branch: it
// calls Manifest.Follow with the lock.
type Later func(s *place.Site, lock *os.File) error

// Following returns a Later that starts the program cairn, by its path. The first
// records of a repository are folded at once instead, so that there is a branch to look
// at. It is nil in CI, where the next step may push.
func Following(program string, environ []string) Later {
	if ci := strings.ToLower(os.Getenv("CI")); ci != "" && ci != "false" && ci != "0" {
		return nil
	}
	return func(s *place.Site, lock *os.File) error {
		if s.Manifest.First() {
			return errors.New("the first capture folds itself") // so that the caller folds
		}
		args := []string{program, "manifest", "follow", "--dir", s.Workspace.Dir, "--store", s.Dir, "--lock", strconv.Itoa(detach.Extra)}
		return detach.Start(args, environ, lock)
	}
}

func catchUp(ctx context.Context, s *place.Site, f *recovery.Finisher, later Later) (notes []string) {
	if err := f.All(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	if f.Recorded > 0 {
		notes = append(notes, fmt.Sprintf("recorded what was read of earlier captures that had been cut short: %d (see: cairn recall objects --status unknown)", f.Recorded))
	}
	if s.Branch == nil {
		return append(notes, settle(ctx, f)...) // there is no branch to fold into, because it is off or git is missing
	}
	report, err := fold(ctx, s, f, later)
	if err != nil {
		return append(notes, err.Error())
	}
	if report.Trouble {
		notes = append(notes, fmt.Sprintf("recorded, but not yet on the branch: %s", report.Why))
	}
	return notes
}

func settle(ctx context.Context, f *recovery.Finisher) (notes []string) {
	if err := f.Settle(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	return notes
}

// fold leaves settling and folding to the process that later starts. If it cannot be
// started, fold does the work itself.
func fold(ctx context.Context, s *place.Site, f *recovery.Finisher, later Later) (manifest.Report, error) {
	if later != nil {
		report, err := s.Manifest.FoldLater(func(lock *os.File) error { return later(s, lock) })
		if err == nil {
			return report, nil
		}
	}
	unsettled := f.Settle(ctx)
	report, err := s.Manifest.Fold(ctx, manifest.FoldOptions{Wait: true})
	return report, errors.Join(unsettled, err)
}

// FoldsNow says whether git config cairn.fold is "now": then every capture is on the
// branch when it ends.
func FoldsNow(ctx context.Context, s *place.Site) bool {
	if s == nil || s.Home == nil {
		return false
	}
	when, err := s.Home.Config(ctx, "cairn.fold")
	return err == nil && strings.EqualFold(when, "now")
}
