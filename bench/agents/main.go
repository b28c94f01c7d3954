// Command agents runs real coding agents from npm, headless and in a terminal, with a scripted model on loopback, with
// cairn installed by "cairn init" and without it.
//
// It promises that what it reports was seen in the requests that the agent sent to the model, and that everything
// happens in temporary directories. The tests of this package make the same checks, for the agents installed below
// CAIRN_AGENTS.
//
//	go -C bench run ./agents -install DIR      install the agents there
//	go -C bench run ./agents -dir DIR          every check, for every agent
//	go -C bench run ./agents -dir DIR -only claude -check deny,cd
//	go -C bench run ./agents -dir DIR -tokens  tokens the model sees, with and without cairn
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"cairn/bench/agents/host"
	"cairn/bench/tree"
)

func main() {
	var install, dir, only, names string
	var tokens bool
	flag.StringVar(&install, "install", "", "install the agents below this `DIR`, by npm")
	flag.StringVar(&dir, "dir", os.Getenv("CAIRN_AGENTS"), "where the agents are installed")
	flag.StringVar(&only, "only", "", "these `AGENTS` only: claude,codex,gemini,opencode,copilot,qwen")
	flag.StringVar(&names, "check", "", "these `CHECKS` only")
	flag.BoolVar(&tokens, "tokens", false, "count what the model sees, with and without cairn")
	flag.Parse()
	tree.Enter()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, install, dir, split(only), split(names), tokens); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func run(ctx context.Context, install, dir string, only, names []string, tokens bool) error {
	if install != "" {
		for _, h := range chosen(only) {
			if err := h.Install(ctx, install); err != nil {
				return err
			}
			fmt.Println("installed", h.Package)
		}
		return nil
	}
	work, err := os.MkdirTemp("", "cairn-agents-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	bin, err := build(ctx, filepath.Join(work, "bin"))
	if err != nil {
		return err
	}
	if tokens {
		return countTokens(ctx, os.Stdout, chosen(only), dir, bin, work)
	}
	failed := 0
	for _, h := range chosen(only) {
		for _, c := range checks {
			if len(names) > 0 && !slices.Contains(names, c.name) || !c.about(h) {
				continue
			}
			verdict := "ok"
			switch why, err := runCheck(ctx, c, h, dir, bin, filepath.Join(work, h.Name+"-"+c.name)); {
			case err != nil:
				verdict = "FAILED: " + err.Error()
				failed++
			case why != "":
				verdict = "cannot run here: " + why
			}
			fmt.Printf("%-9s %-11s %s\n", h.Name, c.name, verdict)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d checks failed", failed)
	}
	return nil
}

func chosen(only []string) (all []*host.Host) {
	for _, h := range host.All {
		if len(only) == 0 || slices.Contains(only, h.Name) {
			all = append(all, h)
		}
	}
	return all
}
