package rpc

import (
	"context"
	"strings"

	"cairn/agents/inherit"
	"cairn/agents/prune"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
)

// site opens the store of a directory; notes of it are not wanted here.
func (s *Server) site(ctx context.Context, cwd string) (*place.Site, error) {
	dir, err := s.dir(cwd)
	if err != nil {
		return nil, err
	}
	return place.Open(ctx, dir, s.o.Env, func(manifest.Warning) {})
}

type putParams struct {
	Text string `json:"text"`
	Keep string `json:"keep,omitempty"` // why to pin it; "" leaves it to the age rules of the store
	CWD  string `json:"cwd,omitempty"`
}

type putResult struct {
	OID   string `json:"oid"`
	Bytes int64  `json:"bytes"`
	Lines int64  `json:"lines"`
}

func (s *Server) put(ctx context.Context, p putParams, _ func(string, any)) (any, error) {
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	return keep(ctx, site, p.Text, p.Keep)
}

// keep makes an object of text, and pins it where there is a reason.
func keep(ctx context.Context, site *place.Site, text, reason string) (*putResult, error) {
	info, err := site.Objects.Put(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	out := &putResult{info.ID.String(), info.Size, info.Lines}
	if reason != "" {
		_, err = recall.Pin(ctx, site, out.OID, reason, true)
	}
	return out, err
}

type pruneParams struct {
	Messages []prune.Message `json:"messages"`
	Config   prune.Config    `json:"config,omitempty"`
	Pruned   []prune.Pruned  `json:"pruned,omitempty"` // of earlier answers, as the host remembers them
	Now      bool            `json:"now,omitempty"`
	Session  string          `json:"session,omitempty"`
	CWD      string          `json:"cwd,omitempty"`
}

// prune keeps the bytes of what it prunes before it says so: a marker never names
// something that cannot be had again.
func (s *Server) prune(ctx context.Context, p pruneParams, _ func(string, any)) (any, error) {
	if err := p.Config.Check(); err != nil {
		return nil, bad("%v", err)
	}
	d := prune.Decide(p.Messages, p.Config, p.Pruned, p.Now)
	if len(d.Keep) == 0 {
		return d, nil
	}
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	reason := "pruned from the context of an agent"
	if p.Session != "" {
		reason += ", session " + p.Session
	}
	for _, i := range d.Keep {
		if _, err := keep(ctx, site, p.Messages[i].Text, reason); err != nil {
			return nil, err
		}
	}
	return d, nil
}

type inheritParams struct {
	Messages []inherit.Message `json:"messages"`
	Config   inherit.Config    `json:"config,omitempty"`
	CWD      string            `json:"cwd,omitempty"`
}

// inherit keeps the tool outputs that the block only names.
func (s *Server) inherit(ctx context.Context, p inheritParams, _ func(string, any)) (any, error) {
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	keepOutputs(ctx, site, p.Messages)
	return struct {
		Text string `json:"text"`
	}{inherit.Block(p.Messages, p.Config)}, nil
}

// keepOutputs makes objects of tool outputs. Without an id the size still stands.
func keepOutputs(ctx context.Context, site *place.Site, messages []inherit.Message) {
	for i, m := range messages {
		if m.Role != "toolResult" || m.OID != "" || m.Text == "" {
			continue
		}
		if kept, err := keep(ctx, site, m.Text, ""); err == nil {
			messages[i].OID = kept.OID
		}
	}
}
