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

// site opens the store of a directory; warnings about it are dropped.
func (s *Server) site(ctx context.Context, cwd string) (*place.Site, error) {
	dir, err := s.dir(cwd)
	if err != nil {
		return nil, err
	}
	return place.Open(ctx, dir, s.o.Env, func(manifest.Warning) {})
}

type putParams struct {
	Text string `json:"text"`
	Keep string `json:"keep,omitempty"` // the reason to pin the object; "" does not pin it, so the store's age rules apply
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

// keep stores text as an object, and pins it if a reason is given.
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
	Pruned   []prune.Pruned  `json:"pruned,omitempty"` // pruned earlier, as the host remembers them
	Now      bool            `json:"now,omitempty"`
	Session  string          `json:"session,omitempty"`
	CWD      string          `json:"cwd,omitempty"`
}

// prune stores the bytes of outputs before it answers that they are pruned, so that a marker never names bytes that are
// lost.
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

// inherit stores the tool outputs that the block only names.
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

// keepOutputs stores tool outputs as objects. If that fails, the block has only their size.
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
