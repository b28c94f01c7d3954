package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/setup"
	"cairn/internal/build"
	"cairn/internal/diffdriver"
	"cairn/internal/place"
	"cairn/manifest"
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
