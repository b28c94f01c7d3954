package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/agents/inherit"
	"cairn/agents/prune"
	"cairn/internal/own"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/result"
)

type reportParams struct {
	Op      string `json:"op"` // parsers, stats
	CWD     string `json:"cwd,omitempty"`
	Session string `json:"session,omitempty"` // stats: show this session's figures first
}

// report answers with text that is shown to a person as it is.
func (s *Server) report(ctx context.Context, p reportParams, _ func(string, any)) (any, error) {
	dir, err := s.dir(p.CWD)
	if err != nil {
		return nil, err
	}
	var text string
	switch p.Op {
	case "parsers":
		text = s.parsersText(ctx, dir)
	case "stats":
		text, err = s.statsText(ctx, dir, p.Session)
	default:
		err = bad("report: op %q is neither parsers nor stats", p.Op)
	}
	return struct {
		Text string `json:"text"`
	}{text}, err
}

func (s *Server) parsersText(ctx context.Context, dir string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "parseAs takes these ids, or any tool of \"cairn parsers\"; without it the command and the output decide.")
	for _, id := range formatIDs() {
		tool := toolOfFormat(id)
		if slices.Contains(byContents, id) {
			tool = "by the contents"
		}
		fmt.Fprintf(&b, "  %s: %s\n", id, tool)
	}
	p, err := place.Find(ctx, dir, s.o.Env)
	if err != nil {
		return b.String()
	}
	rules := own.Load(p.Workspace.Root)
	switch {
	case rules == nil:
		return b.String()
	case rules.Err != nil:
		fmt.Fprintf(&b, "The project's own parsers are not used: %s\n", result.CleanLine(rules.Err.Error()))
		return b.String()
	case own.Trust{Dir: p.Dir}.Approved(rules.Hash):
		fmt.Fprintln(&b, "Of this project, approved:")
	default:
		fmt.Fprintln(&b, "Of this project, not approved yet. Nothing of it is run before you have looked at it: cairn parsers trust")
	}
	for _, r := range rules.Rules {
		fmt.Fprintf(&b, "  %s: %s\n", r.Name, r.Says())
	}
	return b.String()
}

// statsText is how much the short form saved, in this session and in this repository.
func (s *Server) statsText(ctx context.Context, dir, session string) (string, error) {
	site, err := s.site(ctx, dir)
	if err != nil {
		return "", err
	}
	defer site.Close()
	var b strings.Builder
	if session != "" {
		c, err := recall.SessionOf(ctx, site, session)
		if err != nil {
			return "", err
		}
		b.WriteString("This session: " + saved(c))
	}
	all, err := recall.StatsOf(ctx, site, recall.Filters{})
	if err != nil && !errors.Is(err, context.Canceled) {
		return "", err
	}
	b.WriteString("This repository, all sessions: " + saved(all.Total))
	for _, c := range all.Tools[:min(len(all.Tools), maxTools)] {
		b.WriteString("  " + c.Name + ": " + saved(c))
	}
	b.WriteString("Tokens are estimates, a quarter of the bytes. More: cairn recall stats --tokens\n")
	return result.Clean(b.String()), nil
}

// maxTools bounds the tools that statsText lists.
const maxTools = 5

// saved is a line about captures: the bytes they printed, and the bytes that were shown.
func saved(c recall.Counted) string {
	if c.Captures == 0 {
		return "nothing was run on the record.\n"
	}
	spared := "nothing saved" // a short output gets one more line from cairn
	if c.Shown < c.Raw {
		spared = fmt.Sprintf("%d %% saved", 100*(c.Raw-c.Shown)/c.Raw)
	}
	return fmt.Sprintf("%s, %d failed; ~%d tokens printed, ~%d shown: %s\n",
		result.Count(c.Captures, "run"), c.Captures-c.Good, (c.Raw+3)/4, (c.Shown+3)/4, spared)
}

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
