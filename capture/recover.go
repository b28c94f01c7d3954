package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cairn/internal/place"
	"cairn/internal/redact"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// Recover finishes captures whose process died: what was read of them becomes
// a record marked partial, its duration reckoned to the last bytes that were
// read. It says how many it finished, and how many captures are in flight.
func Recover(ctx context.Context, s *place.Site) (n, alive int, err error) {
	found, alive, err := abandoned(s.Dir)
	if err != nil || len(found) == 0 {
		return 0, alive, err
	}
	spools, err := s.Objects.Abandoned()
	if err != nil {
		return 0, alive, fmt.Errorf("looking for output that was cut short: %w", err)
	}
	byName := map[string]objects.Leftover{}
	for _, l := range spools {
		byName[l.Name] = l
	}
	for _, l := range found {
		done, ferr := finishLeft(ctx, s, l, byName)
		if done {
			n++
		}
		err = errors.Join(err, ferr)
	}
	return n, alive, err
}

// finishLeft records one capture that was cut short.
func finishLeft(ctx context.Context, s *place.Site, l *left, spools map[string]objects.Leftover) (done bool, err error) {
	if l.record == nil { // torn in its first line: nothing was read yet
		l.remove()
		return false, nil
	}
	_, err = s.Manifest.Find(ctx, l.record.ID)
	if err == nil { // recorded, and died before it could tidy up
		l.remove()
		return false, nil
	}
	if !errors.Is(err, manifest.ErrNotFound) {
		l.close()
		return false, err
	}
	if err := recordLeft(ctx, s, l, spools); err != nil {
		l.close()
		return false, fmt.Errorf("finishing capture %s, which was cut short: %w", l.record.ID, err)
	}
	l.remove()
	return true, nil
}

func recordLeft(ctx context.Context, s *place.Site, l *left, spools map[string]objects.Leftover) error {
	rec := l.record
	rec.Partial = true
	info, err := recoverSpool(s.Objects, spools, rec.ID)
	if err != nil {
		return err
	}
	rec.DurationMS = lasted(l.order)
	if rec.Raw, err = keepOrder(s.Objects, info, l.order); err != nil {
		return err
	}
	obj, err := s.Objects.OpenObject(info.ID)
	if err != nil {
		return err
	}
	defer obj.Close()
	var red redact.Redactor
	in := parsers.Input{
		Argv: rec.Argv, Shell: rec.Shell, Workspace: workspaceOf(s, rec), Truncated: true, Redact: red.String,
		Source: Kept(obj, info.Size, bytes.NewReader(l.order), int64(len(l.order))),
	}
	r := parsers.Parse(in, result.Exit{})
	r.Partial, r.RawOID = true, info.ID.String()
	rec.Key = keyOf(in.Workspace, rec, "")
	argv := rec.Redacted
	setRedacted(rec, &red)
	rec.Redacted = append(argv, rec.Redacted...)
	if err := setResult(rec, s.Objects, r); err != nil {
		return err
	}
	return s.Manifest.Append(ctx, rec)
}

// recoverSpool makes an object of what was read. A capture that died before
// its first byte has no spool.
func recoverSpool(store *objects.Store, spools map[string]objects.Leftover, id string) (objects.Info, error) {
	if l, ok := spools[id]; ok {
		return l.Recover()
	}
	return store.PutBytes(nil)
}

// keepOrder keeps the stream order of an object, cut to the bytes that exist.
func keepOrder(store *objects.Store, info objects.Info, order []byte) (*manifest.Raw, error) {
	raw := &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	order = within(order, info.Size)
	if len(order) <= maxInlineOrder {
		raw.Order = streams.Inline(order)
		return raw, nil
	}
	o, err := store.PutBytes(order)
	if err != nil {
		return nil, fmt.Errorf("keeping the stream order: %w", err)
	}
	raw.Order = o.ID.String()
	return raw, nil
}

// within drops runs that begin at or behind size: their line was written, and
// their bytes were not.
func within(order []byte, size int64) []byte {
	var kept []byte
	for line := range bytes.Lines(order) {
		if r, err := streams.Parse(bytes.TrimSuffix(line, []byte{'\n'})); err == nil && r.Offset < size {
			kept = append(kept, line...)
		}
	}
	return kept
}

// lasted is when the last run began, in milliseconds: the least that is known
// of how long the command ran.
func lasted(order []byte) (ms int64) {
	for line := range bytes.Lines(order) {
		if r, err := streams.Parse(bytes.TrimSuffix(line, []byte{'\n'})); err == nil {
			ms = r.MS
		}
	}
	return ms
}

// workspaceOf is the workspace of a record's directory, in this clone.
func workspaceOf(s *place.Site, rec *manifest.Record) result.Workspace {
	w := s.Workspace
	w.Dir = filepath.Join(w.Root, filepath.FromSlash(rec.Dir))
	return w
}
