package main

import (
	"context"
	"os"
	"path/filepath"

	"cairn/agents/shell"
)

// agentShell measures what cairn adds to the shell that a coding agent starts, with the stand-in script that `cairn
// init` installs.
func agentShell(ctx context.Context, b *bench) error {
	if !b.has("git") || !b.has("bash") {
		return nil
	}
	dir, err := b.repo(ctx, "agent")
	if err != nil {
		return err
	}
	standIn := filepath.Join(dir, ".git", "cairn-shell")
	if err := os.WriteFile(standIn, []byte(shell.StandIn(b.cairn)), 0o777); err != nil {
		return err
	}
	line := func(name, program, line string) job {
		return job{name: name, dir: dir, argv: []string{program, "-c", line}, env: []string{"CLAUDECODE=1"}}
	}
	all := []job{
		line("bash, a command", "bash", "/bin/true"),
		line("cairn's shell, a command", standIn, "/bin/true"),
		line("bash, builtins", "bash", "cd . && pwd"),
		line("cairn's shell, builtins: passed through", standIn, "cd . && pwd"),
		line("bash, a pipeline", "bash", "seq 3 | tail -1"),
		line("cairn's shell, a pipeline: a stage is tapped", standIn, "seq 3 | tail -1"),
		line("bash, a command that prints", "bash", "seq 3"),
		line("cairn's shell, a command that prints", standIn, "seq 3"),
		{name: "true", dir: dir, argv: []string{"true"}},
	}
	samples, err := b.inTurn(ctx, b.pick(60, 4), all)
	if err != nil {
		return err
	}
	b.table("the shell that an agent starts", all, samples)
	bare := ms(samples[8].median())
	b.holdStarted("added by the agents' shell to a command that it captures", 8, ms(added(samples[1], samples[0])), bare, "right after another")
	b.holdStarted("added by the agents' shell to a line that it passes through", 4, ms(added(samples[3], samples[2])), bare, "")
	b.holdStarted("added by a tapped stage of a pipeline", 3, ms(added(samples[5], samples[4]))-ms(added(samples[7], samples[6])), bare, "beyond what the capture adds to a command that prints")
	return nil
}
