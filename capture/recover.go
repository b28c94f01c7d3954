package capture

import (
	"context"
	"errors"
	"io"

	"cairn/capture/recovery"
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
