package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cairn/agents/rpc/wire"
	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/capture"
	"cairn/internal/place"
	"cairn/result"
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

// details is a run in the format of pi's tool structured_return, for which prompts and skills were written. The log is
// the run's object, of which there is no second copy: LogPath is the command that shows it.
type details struct {
	Tool     string    `json:"tool"`
	ExitCode int       `json:"exitCode"`
	Status   string    `json:"status"` // pass, fail or error
	Summary  string    `json:"summary"`
	CWD      string    `json:"cwd"`
	Failures []failure `json:"failures"`
	More     int       `json:"moreFailures,omitempty"` // failures that are not in Failures
	Artifact string    `json:"artifact,omitempty"`
	LogPath  string    `json:"logPath"`
	RawTail  string    `json:"rawTail,omitempty"`
	Run      string    `json:"run,omitempty"`
	OID      string    `json:"oid,omitempty"`
	Bytes    int64     `json:"rawBytes"`
}

type failure struct {
	ID      string `json:"id"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message,omitempty"`
	Rule    string `json:"rule,omitempty"`
}

// Bounds of details, in entries and bytes: a host keeps them in its session for good.
const (
	maxFailures = 50
	maxMessage  = 500
	maxRawTail  = 4 << 10
)

func detailsOf(out *capture.Outcome, run, dir string) *details {
	r := out.Result
	d := &details{
		Tool: r.Tool, ExitCode: out.Status, Status: "error", Summary: summaryOf(r, out.Status), CWD: dir, Failures: []failure{},
		Run: run, OID: r.RawOID, Bytes: r.Raw.Bytes,
	}
	switch r.Status {
	case result.Passed, result.OK:
		d.Status = "pass"
	case result.Failed:
		d.Status = "fail"
	}
	if r.RawOID != "" {
		d.LogPath = "cairn recall object " + r.RawOID
	}
	for _, a := range r.Artifacts {
		d.Artifact = a.Path
		break
	}
	for i := range r.Findings {
		if len(d.Failures) == maxFailures {
			d.More = len(r.Findings) - i
			break
		}
		d.Failures = append(d.Failures, failureOf(r, &r.Findings[i]))
	}
	if len(r.Findings) == 0 && r.ParserConfidence != result.Parsed {
		d.RawTail = r.Body[max(0, len(r.Body)-maxRawTail):]
		d.RawTail = strings.ToValidUTF8(d.RawTail, "")
	}
	return d
}

func summaryOf(r *result.ToolResult, status int) string {
	if r.Summary != "" {
		return r.Summary
	}
	return fmt.Sprintf("%s: exit %d", r.Status, status)
}

// failureOf is a finding whose path is relative to CWD.
func failureOf(r *result.ToolResult, f *result.Finding) failure {
	out := failure{ID: cmp.Or(f.Select, f.ID), Message: f.Message, Rule: f.Rule}
	if len(out.Message) > maxMessage {
		out.Message = strings.ToValidUTF8(out.Message[:maxMessage], "") + "…"
	}
	if f.At != nil {
		out.File, out.Line = r.LocalFinding(*f).At.Path, f.At.Line
	}
	out.ID = cmp.Or(out.ID, f.Fingerprint)
	return out
}
