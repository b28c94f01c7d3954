package attest

import (
	"context"
	"encoding/json"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// attestations are the envelopes recorded for a run, oldest first.
func attestations(ctx context.Context, s *place.Site, run string) (all []json.RawMessage, err error) {
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Contains: [][]byte{manifest.Literal("target", run)}}) {
		if err != nil {
			return nil, err
		}
		if rec.Type == manifest.TypeAttestation && rec.Target == run && len(rec.Envelope) > 0 {
			all = append(all, rec.Envelope)
		}
	}
	return all, nil
}

// keep records an envelope.
func keep(ctx context.Context, s *place.Site, run, why string, e *Envelope) error {
	text, err := result.Marshal(e)
	if err != nil {
		return err
	}
	return s.Manifest.Append(ctx, &manifest.Record{Type: manifest.TypeAttestation, Target: run, Reason: why, Envelope: text})
}

// commitTree is the tree of a record's commit; "" if git does not have the commit.
func commitTree(ctx context.Context, s *place.Site, rec *manifest.Record) string {
	if s.Repo == nil || rec.Git == nil || rec.Git.Commit == "" {
		return ""
	}
	if s.Repo.Commit == rec.Git.Commit {
		return s.Repo.Tree
	}
	tree, err := s.Repo.TreeNamed(ctx, rec.Git.Commit)
	if err != nil {
		return ""
	}
	return tree
}
