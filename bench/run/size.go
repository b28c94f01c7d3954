package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// memoryBudget is in MB, and holds for any size of output, even 10 GB.
const memoryBudget = 64

// size compares ways to store an output of a given size: every command prints the same file.
func size(ctx context.Context, b *bench) error {
	type step struct {
		size   string
		rounds int
	}
	steps := []step{{"1K", 25}, {"1M", 25}, {"100M", 7}, {"1G", 5}}
	if b.quick {
		steps = []step{{"1K", 2}, {"1M", 2}}
	}
	if !b.has("git") {
		return nil
	}
	for _, s := range steps {
		jobs, err := b.sizeJobs(ctx, s.size)
		if err != nil {
			return err
		}
		samples, err := b.inTurn(ctx, s.rounds, jobs)
		if err != nil {
			return err
		}
		b.table(s.size+" of output", jobs, samples)
		if s.size == "1G" {
			n := len(jobs) - 1
			b.hold("1 GB of output, wall time against CMD | tee FILE", 1.5, ratio(samples[n], samples[1]), "×",
				fmt.Sprintf("%.2f s against %.2f s; at least %.2f s against %.2f s", samples[n].median().Seconds(), samples[1].median().Seconds(),
					samples[n].min().Seconds(), samples[1].min().Seconds()))
			b.hold("1 GB through a tapped stage, wall time against CMD | tee FILE | tail -1", 1.3, ratio(samples[n-1], samples[n-2]), "×",
				fmt.Sprintf("%.2f s against %.2f s", samples[n-1].median().Seconds(), samples[n-2].median().Seconds()))
			b.hold("memory, 1 GB through a tapped stage", memoryBudget, float64(samples[n-1].memory())/(1<<20), "MB", "")
			b.hold("memory, 1 GB of output", memoryBudget, float64(samples[n].memory())/(1<<20), "MB", "")
		}
		if err := os.Remove(b.path("log-" + s.size)); err != nil {
			return err
		}
	}
	if b.huge {
		return b.tenGB(ctx)
	}
	return nil
}

// sizeJobs returns a job for each way to store an output, cairn last. Each round first removes the objects of the round
// before, since cairn does not store the same bytes twice.
func (b *bench) sizeJobs(ctx context.Context, size string) ([]job, error) {
	file, err := b.logFile(ctx, size)
	if err != nil {
		return nil, err
	}
	dir, err := b.repo(ctx, "size-"+size)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(dir, ".git", "cairn")
	reset := func() error {
		for _, path := range []string{b.path("tee"), kept} {
			if err := removeAll(path); err != nil {
				return err
			}
		}
		loose, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "[0-9a-f][0-9a-f]"))
		for _, path := range loose {
			if err := removeAll(path); err != nil {
				return err
			}
		}
		flush(ctx)
		return err
	}
	if _, err := b.output(ctx, dir, "git", "update-ref", "-d", "HEAD"); err != nil { // no ref may name the removed objects
		return nil, err
	}
	slow := 0
	if size == "1G" { // git needs half a minute per round, and no budget depends on it
		slow = 1
	}
	return []job{
		{name: "CMD", dir: dir, argv: []string{"cat", file}, reset: reset},
		{name: "CMD | tee FILE", dir: dir, argv: []string{"sh", "-c", `cat "$1" | tee "$2"`, "sh", file, b.path("tee")}, reset: reset},
		{name: "CMD | tee FILE, and sync FILE", dir: dir, argv: []string{"sh", "-c", `cat "$1" | tee "$2" && sync "$2"`, "sh", file, b.path("tee")}, reset: reset},
		{name: "CMD | git hash-object -w --stdin", dir: dir, argv: []string{"sh", "-c", `cat "$1" | git hash-object -w --stdin`, "sh", file}, reset: reset, limit: slow},
		{name: "CMD | tee FILE | tail -1", dir: dir, argv: []string{"bash", "-c", `cat "$1" | tee "$2" | tail -1`, "sh", file, b.path("tee")}, reset: reset},
		{name: "cairn shell: CMD | tail -1", dir: dir, argv: []string{b.cairn, "shell", "-c", "cat '" + file + "' | tail -1"}, env: []string{"CLAUDECODE=1"},
			reset: func() error {
				if err := reset(); err != nil {
					return err
				}
				return b.forgetBranch(ctx, dir)
			}},
		{name: "cairn capture run -- CMD", dir: dir, argv: []string{b.cairn, "capture", "run", "--", "cat", file},
			reset: func() error {
				if err := reset(); err != nil {
					return err
				}
				return b.forgetBranch(ctx, dir)
			}},
	}, nil
}

// forgetBranch removes the branch whose objects were removed.
func (b *bench) forgetBranch(ctx context.Context, dir string) error {
	err := os.Remove(filepath.Join(dir, ".git", "refs", "heads", "cairn"))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// flush waits until earlier writes are on disk, so that no round pays for the one before it. Without the program sync,
// it does nothing.
func flush(ctx context.Context) { _ = exec.CommandContext(ctx, "sync").Run() }

// tenGB measures one run, for its memory. The log is generated while it is read, since a file of it might fill the disk
// of a small machine.
func (b *bench) tenGB(ctx context.Context) error {
	dir, err := b.repo(ctx, "huge")
	if err != nil {
		return err
	}
	jobs := []job{
		{name: "CMD", dir: dir, argv: []string{b.self, "gen", "10G"}},
		{name: "cairn capture run -- CMD", dir: dir, argv: []string{b.cairn, "capture", "run", "--", b.self, "gen", "10G"}},
	}
	samples, err := b.inTurn(ctx, 1, jobs)
	if err != nil {
		return err
	}
	b.table("10G of output", jobs, samples)
	b.hold("memory, 10 GB of output", memoryBudget, float64(samples[1].memory())/(1<<20), "MB",
		fmt.Sprintf("the command itself, which makes the log: %.1f MB", float64(samples[0].memory())/(1<<20)))
	return removeAll(dir)
}
