package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const worktrees = 10

// parallel runs many captures at once in one repository and then checks that all of them are recorded.
func parallel(ctx context.Context, b *bench) error {
	if !b.has("git") {
		return nil
	}
	processes, each := b.pick(64, 6), b.pick(50, 3)
	dir, err := b.repo(ctx, "parallel")
	if err != nil {
		return err
	}
	dirs := []string{dir}
	for i := range worktrees {
		tree := b.path(fmt.Sprintf("tree-%d", i))
		if err := b.must(ctx, dir, "git", "worktree", "add", "-q", "--detach", tree); err != nil {
			return err
		}
		dirs = append(dirs, tree)
	}
	bare := b.atOnce(ctx, processes, each, dirs, nil)
	run := b.atOnce(ctx, processes, each, dirs, []string{b.cairn, "capture", "run", "--"})
	n := processes * each
	b.fact(fmt.Sprintf("%d × %d bare commands", processes, each), bare.took, "")
	b.fact(fmt.Sprintf("%d × %d captures in %d linked worktrees", processes, each, worktrees), run.took,
		fmt.Sprintf("%.1f ms each; %d said that they wait to be folded", ms(run.took)/float64(n), run.waiting))
	for _, t := range run.trouble[:min(len(run.trouble), 5)] {
		b.note("parallel: %s", t)
	}
	b.hold(fmt.Sprintf("%d × %d in one repository: captures with an error", processes, each), 0, float64(len(run.trouble)), "captures", "")
	return b.allThere(ctx, dir, n)
}

// script prints its own argument, so that each capture has a different output, and exits with the given status.
const script = `echo "$0"; exit $1`

// waits begins the message of a capture whose record is stored but will be folded by another process, which is no
// error.
const waits = "cairn: recorded, but not yet on the branch: "

// crowd is the result of many commands at once.
type crowd struct {
	took    time.Duration
	waiting int
	trouble []string
}

// atOnce runs the commands in several processes, each process one after the other. A capture that exits otherwise than
// its command, or prints an error on stderr, is trouble.
func (b *bench) atOnce(ctx context.Context, processes, each int, dirs, wrapper []string) (c crowd) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := time.Now()
	for p := range processes {
		wg.Go(func() {
			for i := range each {
				said, err := b.tagged(ctx, dirs[p%len(dirs)], wrapper, p, i)
				mu.Lock()
				if strings.HasPrefix(said, waits) && strings.Count(said, "\n") == 1 {
					c.waiting++
				} else if said != "" || err != nil {
					c.trouble = append(c.trouble, fmt.Sprintf("%s: %v %s", tag(p, i), err, said))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	c.took = time.Since(start)
	return c
}

// tagged runs one command of a process and returns its stderr.
func (b *bench) tagged(ctx context.Context, dir string, wrapper []string, process, i int) (said string, err error) {
	exit := i % 3
	argv := append(slices.Clone(wrapper), "sh", "-c", script, tag(process, i), fmt.Sprint(exit))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, b.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err = cmd.Run()
	switch {
	case cmd.ProcessState == nil:
		return stderr.String(), err
	case cmd.ProcessState.ExitCode() != exit:
		return stderr.String(), fmt.Errorf("exit %d, the command's is %d", cmd.ProcessState.ExitCode(), exit)
	}
	return stderr.String(), nil
}

func tag(process, i int) string { return fmt.Sprintf("capture-%d-%d", process, i) }

// allThere counts the records that cairn and git have, and checks both stores.
func (b *bench) allThere(ctx context.Context, dir string, want int) error {
	out, err := b.output(ctx, dir, b.cairn, "recall", "objects", "--limit", "0", "--format", "json")
	if err != nil {
		return err
	}
	ids, tags := map[string]bool{}, map[string]bool{}
	for line := range bytes.Lines(out) {
		var r struct {
			ID   string   `json:"id"`
			Argv []string `json:"argv"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("reading what recall printed: %w", err)
		}
		ids[r.ID] = true
		tags[strings.Join(r.Argv, " ")] = true
	}
	b.hold("  records lost", 0, float64(want-min(len(ids), len(tags))), "records", fmt.Sprintf("%d run ids, %d commands", len(ids), len(tags)))
	if err := b.must(ctx, dir, b.cairn, "manifest", "fold"); err != nil {
		b.note("parallel: %v", err)
	}
	onBranch, err := b.countLines(ctx, dir)
	if err != nil {
		return err
	}
	b.hold("  records missing on the branch", 0, float64(want-onBranch), "records", "after manifest fold")
	for _, check := range [][]string{{"git", "fsck", "--strict", "--no-dangling"}, {b.cairn, "objects", "fsck"}} {
		complaints := 0.0
		if err := b.must(ctx, dir, check[0], check[1:]...); err != nil {
			complaints = 1
			b.note("parallel: %v", err)
		}
		b.hold("  "+strings.Join(append([]string{strings.TrimSuffix(filepath.Base(check[0]), ".exe")}, check[1:]...), " "), 0, complaints, "failures", "")
	}
	return nil
}
