package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/shell"
	"cairn/internal/place"
	"cairn/render"
)

const configLong = `Show every switch that is set once and for all: its value here, where the value comes
from, and where it can be set. The environment goes before git's configuration, and a
command's own flags, which its --help lists, before both.

A switch of git's configuration is set as any other: git config cairn.show compact`

// setting is one setting of cairn.
type setting struct {
	name      string
	variables []string // environment variables; the first that is set counts
	keys      []string // keys of git's configuration
	value     string   // the default
	values    []string // possible values; nil for any
	what      string
}

// settings are all settings. TestSettings compares them with the source.
func (a *app) settings(p *place.Place) []setting {
	agent, session := "", ""
	if who := a.by("", ""); who != nil { // from the environment of the agent's host
		agent, session = who.Agent, who.Session
	}
	return []setting{
		{"branch", nil, []string{"cairn.branch"}, place.DefaultBranch, nil, "the branch that carries the record"},
		{"show", []string{"CAIRN_SHOW"}, []string{"cairn.show"}, "auto", []string{"auto", "compact", "raw"}, "what an agent's captured shell shows: auto, compact or raw"},
		{"fold", []string{"CI"}, []string{"cairn.fold"}, "later", nil, "when a record comes into the branch: later, or now (also wherever CI=true)"},
		{"pack", nil, []string{"cairn.pack"}, "on", []string{"on", "true", "off", "false"}, "whether old outputs are packed once a day: on or off"},
		{"remote", nil, []string{"cairn.remote"}, "", nil, "where objects are pushed: see cairn remote list"},
		{"identity", nil, []string{"cairn.identity"}, "", nil, "a file with the secret key that reads what was pushed; else the keys of SSH"},
		{"store", []string{"CAIRN_DIR"}, nil, p.Dir, nil, "where bytes and records are kept"},
		{"shell", []string{"CAIRN_SHELL"}, nil, shell.Real(a.environ), nil, "the shell that runs an agent's lines and those of --shell, an absolute path"},
		{"agent", []string{"CAIRN_AGENT"}, nil, agent, nil, "who runs commands, for the record; else what the agent's host says"},
		{"session", []string{"CAIRN_SESSION"}, nil, session, nil, "the session that runs belong to, for the record; else as the host says"},
		{"pager", []string{"GIT_PAGER", "PAGER"}, []string{"core.pager"}, "less", nil, "what lists are read with on a terminal"},
		{"color", []string{"NO_COLOR"}, nil, "auto", nil, "colours on a terminal; NO_COLOR turns them off"},
	}
}

// switched is a setting and its value, as printed.
type switched struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	From  string   `json:"from"` // default, or the variable or key that sets it
	Note  string   `json:"note,omitempty"`
	Set   []string `json:"set_by"`
	What  string   `json:"what"`
}

func newConfig(a *app) *cobra.Command {
	var format render.Format
	cmd := &cobra.Command{
		Use:   "config",
		Short: "every switch, its value and where it comes from",
		Long:  configLong + exitHelp("shown", "git's configuration could not be read"),
		Example: `  cairn config
  git config cairn.show compact && cairn config --format json | jq 'select(.from != "default")'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runConfig(a, cmd, format) },
	}
	formatFlag(cmd, &format)
	return cmd
}

func runConfig(a *app, cmd *cobra.Command, format render.Format) error {
	p, err := place.FindToRead(cmd.Context(), a.dir, a.env)
	if err != nil {
		return err
	}
	for _, s := range a.settings(p) {
		now, err := s.now(cmd.Context(), a, p)
		if err != nil {
			return err
		}
		text := now.Name + " = " + cmp.Or(now.Value, "(none)") + " (" + now.From + ")"
		if now.Note != "" {
			text += ": " + now.Note
		}
		text += "\n    " + now.What + "\n    set by " + strings.Join(now.Set, ", ") + "\n"
		if err := a.print(format, now, text); err != nil {
			return err
		}
	}
	return nil
}

// now is the present value of a setting here.
func (s setting) now(ctx context.Context, a *app, p *place.Place) (switched, error) {
	out := switched{Name: s.name, Value: s.value, From: "default", Set: slices.Clone(s.variables), What: s.what}
	repo := cmp.Or(p.Home, p.Repo)
	for _, key := range s.keys {
		out.Set = append(out.Set, "git config "+key)
		if repo == nil {
			continue
		}
		value, err := repo.Config(ctx, key)
		if err != nil {
			return out, err
		}
		if value != "" {
			out.Value, out.From = value, "git config "+key
		}
	}
	for _, name := range slices.Backward(s.variables) {
		value := os.Getenv(name)
		switch {
		case value == "", name == "PAGER" && out.From != "default", name == "CI" && a.later(false) != nil: // another source counts
		case name == "CI":
			out.Value, out.From = "now", "environment, CI"
		case name == "NO_COLOR":
			out.Value, out.From = "never", "environment, NO_COLOR"
		case name == "CAIRN_SHELL" && value != s.value:
			out.Note = "CAIRN_SHELL is no shell that could be run, so the default counts"
		default:
			out.Value, out.From = value, "environment, "+name
		}
	}
	if s.values != nil && !slices.Contains(s.values, out.Value) {
		out.Note = "not one of " + strings.Join(s.values, ", ") + ", so the default counts"
	}
	return out, nil
}
