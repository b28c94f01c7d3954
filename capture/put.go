package capture

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"cairn/internal/place"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/result"
)

// PutOptions describe output that exists already. How its command ended is
// known only if Exit says so.
type PutOptions struct {
	Tool  string // that printed it, where no command says so
	Argv  []string
	Shell string
	Exit  result.Exit
	By    *manifest.By
	Data  io.Reader // stdout, or both streams in one
}

// Put keeps output that exists and records it as a capture.
func Put(ctx context.Context, s *place.Site, o PutOptions) (*Outcome, error) {
	info, err := s.Objects.Put(o.Data)
	if err != nil {
		return nil, fmt.Errorf("keeping the output: %w", err)
	}
	c := &capture{ctx: ctx, site: s}
	rec := &manifest.Record{V: manifest.Version, By: o.By, Dir: s.Rel}
	setArgv(rec, o.Argv, o.Shell, &c.red)
	rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	order := streams.Run{Stream: streams.Stdout}.Append(nil)
	if info.Size > 0 {
		rec.Raw.Order = streams.Inline(order)
	}
	if r := s.Repo; r != nil {
		rec.Git = &manifest.Git{Commit: r.Commit, Tree: r.Tree, Branch: c.red.String(r.Branch)}
	}
	obj, err := s.Objects.OpenObject(info.ID)
	if err != nil {
		return nil, err
	}
	defer obj.Close()
	source := Kept(obj, info.Size, bytes.NewReader(order), int64(len(order)))
	r := parsers.Parse(parsers.Input{
		Tool: o.Tool, Argv: o.Argv, Shell: o.Shell, Workspace: s.Workspace, Source: source, Redact: c.red.String,
	}, o.Exit)
	r.RawOID = info.ID.String()
	if o.Exit.Observed {
		rec.Exit = &o.Exit.Code
	}
	rec.Signal, rec.TimedOut = o.Exit.Signal, o.Exit.TimedOut
	rec.Key = keyOf(s.Workspace, rec, o.Tool)
	setRedacted(rec, &c.red)
	if err := setResult(rec, s.Objects, r); err != nil {
		return nil, err
	}
	if err := s.Manifest.Append(ctx, rec); err != nil {
		return nil, err
	}
	return &Outcome{Result: r, Record: rec, site: s, Raw: shown(source, info.Size)}, nil
}
