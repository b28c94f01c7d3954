package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"cairn/agents/inherit"
	"cairn/agents/prune"
	"cairn/agents/rpc/wire"
	"cairn/agents/timeline"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
)

// site opens the store of a directory; notes of it are nobody's here.
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

func (s *Server) put(ctx context.Context, raw json.RawMessage, _ func(string, any)) (any, error) {
	var p putParams
	if err := strict(raw, &p); err != nil {
		return nil, err
	}
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

// prune keeps the bytes of what is pruned before it says so: a marker never
// names what cannot be had again.
func (s *Server) prune(ctx context.Context, raw json.RawMessage, _ func(string, any)) (any, error) {
	var p pruneParams
	if err := strict(raw, &p); err != nil {
		return nil, err
	}
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
func (s *Server) inherit(ctx context.Context, raw json.RawMessage, _ func(string, any)) (any, error) {
	var p inheritParams
	if err := strict(raw, &p); err != nil {
		return nil, err
	}
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	for i, m := range p.Messages {
		if m.Role != "toolResult" || m.OID != "" || m.Text == "" {
			continue
		}
		if kept, err := keep(ctx, site, m.Text, ""); err == nil { // without an id the size still stands
			p.Messages[i].OID = kept.OID
		}
	}
	return struct {
		Text string `json:"text"`
	}{inherit.Block(p.Messages, p.Config)}, nil
}

// timelineParams: op is start, add, end or show. add takes events of the
// subagent's JSON stream; every op answers the frame as it then is.
type timelineParams struct {
	Op     string            `json:"op"`
	ID     string            `json:"id"`
	TS     int64             `json:"ts"` // milliseconds
	Meta   timeline.Meta     `json:"meta,omitempty"`
	Events []json.RawMessage `json:"events,omitempty"`
	From   int               `json:"from,omitempty"`   // show: the first step wanted
	Status string            `json:"status,omitempty"` // end
	Reason string            `json:"reason,omitempty"`
	CWD    string            `json:"cwd,omitempty"`
}

type timelineResult struct {
	Frame timeline.Frame   `json:"frame"`
	Steps []timeline.Entry `json:"steps,omitempty"` // show
	OID   string           `json:"oid,omitempty"`   // end: all steps, a JSON line each
	Notes []string         `json:"notes,omitempty"`
}

func (s *Server) timeline(ctx context.Context, raw json.RawMessage, _ func(string, any)) (any, error) {
	var p timelineParams
	if err := strict(raw, &p); err != nil {
		return nil, err
	}
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	s.mu.Lock() // a timeline is one request's at a time
	defer s.mu.Unlock()
	tl := s.timelines[p.ID]
	switch {
	case p.ID == "":
		return nil, bad("timeline: give an id")
	case p.Op == "start" && tl != nil:
		return nil, bad("timeline %q is there already", p.ID)
	case p.Op == "start":
		p.Meta.AgentID = p.ID
		tl = timeline.New(p.Meta, nil, p.TS)
		s.timelines[p.ID] = tl
	case tl == nil:
		return nil, &wire.Error{Code: wire.NotFound, Message: "there is no timeline " + p.ID}
	}
	tl.Keep(func(text string) (string, error) {
		kept, err := keep(ctx, site, text, "")
		if err != nil {
			return "", err
		}
		return kept.OID, nil
	})
	return s.step(ctx, site, tl, p)
}

func (s *Server) step(ctx context.Context, site *place.Site, tl *timeline.Timeline, p timelineParams) (any, error) {
	var out timelineResult
	switch p.Op {
	case "start":
	case "add":
		var errs error
		for _, e := range p.Events {
			errs = errors.Join(errs, tl.Add(e, p.TS))
		}
		if errs != nil {
			out.Notes = append(out.Notes, errs.Error())
		}
	case "show":
		out.Steps = tl.Entries(p.From)
	case "end":
		tl.End(p.Status, p.Reason, p.TS)
		delete(s.timelines, p.ID)
		doc, err := tl.Document()
		if err != nil {
			return nil, err
		}
		if kept, err := keep(ctx, site, doc, "timeline of subagent "+p.ID); err != nil {
			out.Notes = append(out.Notes, err.Error())
		} else {
			out.OID = kept.OID
		}
	default:
		return nil, bad("timeline: op %q is not one of start, add, show, end", p.Op)
	}
	out.Frame = tl.Frame()
	return out, nil
}
