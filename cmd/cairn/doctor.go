package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/setup"
	"cairn/agents/shell"
	"cairn/internal/build"
	"cairn/internal/diffdriver"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/render"
	"cairn/result"
)

const doctorLong = `Look at everything that a capture relies on, and say what is not in order and what to do
about it: this program and those beside it, git and the branch, every byte of the store
(as "cairn objects fsck"), and each way in for agents (as "cairn init --check", for the
user and for the project of the working directory).`

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "whether program, store, branch and agents are in order",
		Long:    doctorLong + exitHelp("all is in order", "something is not: the line begins with PROBLEM"),
		Example: "  cairn doctor",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(a, cmd) },
	}
}

// problems are errors that doctor found.
type problems []error

func (p *problems) add(err error) {
	if err != nil {
		*p = append(*p, err)
	}
}

func runDoctor(a *app, cmd *cobra.Command) error {
	found := 0
	for _, part := range []struct {
		name string
		look func(*app, *cobra.Command) problems
	}{{"program", (*app).doctorProgram}, {"branch", (*app).doctorBranch}, {"store", (*app).doctorStore}, {"agents", (*app).doctorAgents}} {
		fmt.Fprintf(a.out, "== %s\n", part.name)
		for _, err := range part.look(a, cmd) {
			var none notFound
			if errors.As(err, &none) { // a missing thing is no problem
				fmt.Fprintln(a.out, err)
				continue
			}
			found++
			fmt.Fprintln(a.out, "PROBLEM: "+strings.ReplaceAll(err.Error(), "\n", "\n  "))
		}
	}
	if found > 0 {
		return fmt.Errorf("%s found", result.Count(found, "problem"))
	}
	fmt.Fprintln(a.out, "all is in order")
	return nil
}

func (a *app) doctorProgram(cmd *cobra.Command) (found problems) {
	s, err := a.surroundings(cmd, false)
	if err != nil {
		return problems{err}
	}
	fmt.Fprintf(a.out, "cairn %s, %s\n", build.Version(), s.Short(s.Program))
	found.add(s.Stays())
	for _, name := range []string{"cairn-attest", "cairn-mcp", "cairn-timeline", "cairn-tokens"} {
		path, err := build.Companion(name)
		if err != nil {
			found.add(err)
			continue
		}
		out, err := exec.CommandContext(cmd.Context(), path, "--version").Output()
		if got, want := strings.TrimSpace(string(out)), name+" "+build.Version(); err != nil || got != want {
			found.add(fmt.Errorf("%s is of another build than cairn: it says %q, not %q; install all of them:\n%s", path, got, want, build.Install()))
		}
	}
	if path, err := exec.LookPath("cairn"); err != nil {
		found.add(fmt.Errorf("cairn is not on your PATH, where hooks and project files start it: add %s", filepath.Dir(s.Program)))
	} else if real, err := filepath.EvalSymlinks(path); err == nil && !sameProgram(real, s.Program) {
		found.add(fmt.Errorf("on your PATH cairn is %s, and this is %s", path, s.Program))
	}
	found.add(gitIsNew(cmd.Context()))
	return found
}

// gitIsNew returns an error if git cannot be run or is too old.
func gitIsNew(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if err != nil {
		return fmt.Errorf("git cannot be run, so records come into no branch: %w", err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); err == nil && (major < 2 || major == 2 && minor < 31) {
		return fmt.Errorf("%s is too old: cairn needs 2.31", strings.TrimSpace(string(out)))
	}
	return nil
}

func sameProgram(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// doctorBranch brings pending records into the branch, and reports what prevents it.
func (a *app) doctorBranch(cmd *cobra.Command) (found problems) {
	site, err := place.OpenToRead(cmd.Context(), a.dir, a.env, func(w manifest.Warning) { found.add(errors.New(w.String())) })
	if err != nil {
		return problems{err}
	}
	defer site.Close()
	fmt.Fprintf(a.out, "captures are kept in %s\n", site.Dir)
	if site.Note != "" {
		found.add(errors.New(site.Note))
	}
	if site.ReadOnly {
		found.add(errors.New("it cannot be written to from here: captures wait elsewhere until it can"))
		return found
	}
	if site.Branch == nil {
		return append(found, notFound{errors.New("there is no repository whose branch could carry the record")})
	}
	r, err := site.Manifest.Fold(cmd.Context(), manifest.FoldOptions{Wait: true})
	found.add(err)
	if r.Why != "" {
		found.add(fmt.Errorf("%s not in the branch yet: %s", result.Count(r.Pending, "record"), r.Why))
	}
	tip, err := site.Branch.Tip(cmd.Context())
	found.add(err)
	if tip == "" {
		return append(found, notFound{fmt.Errorf("the branch %s is not there yet: the first capture makes it", site.Branch.Name())})
	}
	fmt.Fprintf(a.out, "the branch %s is at %s\n", site.Branch.Name(), tip[:min(len(tip), 12)])
	if site.Repo == nil {
		return found
	}
	if todo, err := diffdriver.Plan(cmd.Context(), site.Repo); err != nil {
		found.add(err)
	} else if len(todo) > 0 {
		fmt.Fprintf(a.out, "git log -p %s shows lines of JSON in this clone: cairn init has it show captures\n", site.Branch.Name())
	}
	return found
}

func (a *app) doctorStore(cmd *cobra.Command) (found problems) {
	found.add(a.onSite(a.fsck)(cmd, nil))
	return found
}

// doctorAgents checks the agents' configuration of the user and, in a repository, of the project.
func (a *app) doctorAgents(cmd *cobra.Command) (found problems) {
	for _, project := range []bool{false, true} {
		s, err := a.surroundings(cmd, project)
		if err == nil {
			err = a.checkInit(cmd, s, setup.Names())
		}
		if none := (notFound{}); project && errors.As(err, &none) {
			continue // reported for the user already
		}
		found.add(err)
	}
	return found
}

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
