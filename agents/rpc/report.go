package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/own"
	"cairn/internal/place"
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
	for _, id := range formatIDs {
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
