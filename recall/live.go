package recall

import (
	"context"
	"fmt"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Live gives every object that a record names, with what gc has to know of
// it. A record that cannot be read is an error: what it names must not go.
func Live(ctx context.Context, s *place.Site) (map[objects.ID]objects.Ref, error) {
	l := living{refs: map[objects.ID]objects.Ref{}, pinned: map[string]bool{}, settled: map[string]bool{}}
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Newest: true}) {
		if err == nil {
			err = l.see(rec)
		}
		if err != nil {
			return nil, fmt.Errorf("finding out what is still needed: %w", err)
		}
	}
	return l.refs, nil
}

// living goes through the records, newest first.
type living struct {
	refs    map[objects.ID]objects.Ref
	pinned  map[string]bool // by the newest pin or unpin of a run or object
	settled map[string]bool // command keys of which a newer capture accounts for everything
}

func (l *living) see(rec *manifest.Record) error {
	switch rec.Type {
	case manifest.TypePin, manifest.TypeUnpin:
		if _, newer := l.pinned[rec.Target]; !newer {
			l.pinned[rec.Target] = rec.Type == manifest.TypePin
		}
		return nil
	}
	r, err := rec.Result()
	if err != nil {
		return err
	}
	evidence := !l.settled[rec.Key] && fails(r)
	l.settled[rec.Key] = l.settled[rec.Key] || accounted(rec, r)
	for _, oid := range named(rec) {
		id, err := objects.ParseID(oid)
		if err != nil {
			return fmt.Errorf("record %s: %w", rec.ID, err)
		}
		l.add(id, rec, evidence)
	}
	return nil
}

func (l *living) add(id objects.ID, rec *manifest.Record, evidence bool) {
	ref := l.refs[id]
	if rec.Time.After(ref.Newest) {
		ref.Newest = rec.Time
	}
	ref.Pinned = ref.Pinned || l.pinned[rec.ID] || l.pinned[id.String()]
	ref.Evidence = ref.Evidence || evidence
	ref.Captures = append(ref.Captures, rec.ID)
	l.refs[id] = ref
}

// fails: the capture is evidence of something that went wrong.
func fails(r *result.ToolResult) bool {
	return r != nil && (r.Status == result.Failed || r.Status == result.Error || r.Status == result.Unknown)
}

// Pin writes down that a capture or an object is to be kept, or no longer.
// target is a run id, an object id, or the beginning of either.
func Pin(ctx context.Context, s *place.Site, target, reason string, keep bool) (string, error) {
	out, err := Find(ctx, s, target)
	if err != nil {
		return "", err
	}
	id := out.ID.String()
	if out.Record != nil && !strings.HasPrefix(id, objectPrefix+strings.ToLower(strings.TrimPrefix(target, objectPrefix))) {
		id = out.Record.ID
	}
	rec := &manifest.Record{Type: manifest.TypeUnpin, Target: id, Reason: reason}
	if keep {
		rec.Type = manifest.TypePin
	}
	return id, s.Manifest.Append(ctx, rec)
}

const objectPrefix = "sha256:"
