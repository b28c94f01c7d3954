package capture

import (
	"context"
	"fmt"
	"io"
	"strings"

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

	Artifacts []string // paths of files that the run wrote
}

// Put keeps output that exists and records it as a capture, at the time of the
// putting. An error means that nothing was recorded.
func Put(ctx context.Context, s *place.Site, o PutOptions) (*Outcome, error) {
	return put(ctx, s, newBackend(s), o)
}

func put(ctx context.Context, s *place.Site, b *backend, o PutOptions) (*Outcome, error) {
	release, err := s.Objects.Hold()
	if err != nil {
		return nil, fmt.Errorf("keeping the output: %w", err)
	}
	defer release()
	info, err := b.put(o.Data)
	if err != nil {
		return nil, fmt.Errorf("keeping the output: %w", err)
	}
	c := &capture{site: s, b: b, workspace: s.Workspace}
	files, err := c.putArtifacts(o)
	if err != nil {
		return nil, err
	}
	defer files.close()
	rec := &manifest.Record{V: manifest.Version, Dir: cut(c.red.String(s.Rel), maxName), Git: gitOf(s, &c.red), By: boundBy(o.By, &c.red)}
	setArgv(rec, o.Argv, o.Shell, &c.red)
	rec.ParseAs = o.Tool
	order := ""
	if info.Size > 0 {
		order = string(streams.Run{Stream: streams.Stdout}.Append(nil))
	}
	rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	obj, err := s.Objects.OpenObject(info.ID)
	if err != nil {
		return nil, err
	}
	defer obj.Close()
	source := Kept(obj, info.Size, strings.NewReader(order), int64(len(order)))
	r := parsers.Parse(parsers.Input{
		Tool: o.Tool, Argv: o.Argv, Shell: o.Shell, Workspace: s.Workspace, Source: source, Redact: c.red.String,
		Artifacts: files.parsed, As: ownParser(s.Place, o.Argv, o.Shell, nil),
	}, o.Exit)
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
