package rpc

import (
	"context"
	"encoding/json"
	"errors"

	"cairn/agents/rpc/wire"
	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/place"
)

// timelineParams: op is start, add, end or show. add takes events of the subagent's JSON stream. Every op returns the
// current frame.
type timelineParams struct {
	Op     string            `json:"op"`
	ID     string            `json:"id"`
	TS     int64             `json:"ts"` // milliseconds
	Meta   timeline.Meta     `json:"meta,omitempty"`
	Events []json.RawMessage `json:"events,omitempty"`
	From   int               `json:"from,omitempty"`   // show: the first step wanted
	Status timeline.Status   `json:"status,omitempty"` // end
	Reason string            `json:"reason,omitempty"`
	CWD    string            `json:"cwd,omitempty"`
}

type timelineResult struct {
	Frame timeline.Details `json:"frame"`
	Steps []timeline.Entry `json:"steps,omitempty"` // show
	OID   string           `json:"oid,omitempty"`   // end: all steps, a JSON line each
	Notes []string         `json:"notes,omitempty"`
}

func (s *Server) timeline(ctx context.Context, p timelineParams, _ func(string, any)) (any, error) {
	site, err := s.site(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	s.mu.Lock() // a timeline serves one request at a time
	defer s.mu.Unlock()
	tl := s.timelines[p.ID]
	switch {
	case p.ID == "":
		return nil, bad("timeline: give an id")
	case p.Op == "start" && tl != nil:
		return nil, bad("timeline %q is there already", p.ID)
	case p.Op == "start":
		if tl, err = beginTimeline(ctx, site, p); err != nil {
			return nil, err
		}
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
	return s.step(ctx, tl, p)
}

// openTimeline is a timeline to which a caller adds events.
type openTimeline struct {
	*timeline.Timeline
	file *kept.Run
}

func beginTimeline(ctx context.Context, site *place.Site, p timelineParams) (*openTimeline, error) {
	p.Meta.AgentID = p.ID
	file, err := kept.Begin(ctx, site, p.ID)
	if err != nil {
		return nil, bad("timeline: %v", err)
	}
	return &openTimeline{timeline.New(p.Meta, nil, p.TS), file}, nil
}

func (s *Server) step(ctx context.Context, tl *openTimeline, p timelineParams) (any, error) {
	var out timelineResult
	var err error
	switch p.Op {
	case "start":
		err = tl.file.Write(tl.Timeline, nil)
	case "add":
		for _, e := range p.Events {
			err = errors.Join(err, tl.Add(e, p.TS))
		}
		err = errors.Join(err, tl.file.Write(tl.Timeline, tl.Changed()))
	case "show":
		out.Steps = tl.Entries(p.From)
	case "end":
		tl.End(p.Status, p.Reason, p.TS)
		delete(s.timelines, p.ID)
		out.OID, err = tl.file.End(ctx, tl.Timeline)
	default:
		return nil, bad("timeline: op %q is not one of start, add, show, end", p.Op)
	}
	if err != nil {
		out.Notes = append(out.Notes, err.Error())
	}
	out.Frame = tl.Frame()
	return out, nil
}
