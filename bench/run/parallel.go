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

// parallel runs many captures at once in one repository and then asks whether
// all of them are there.
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
	bare, _ := b.atOnce(ctx, processes, each, dirs, nil)
	took, trouble := b.atOnce(ctx, processes, each, dirs, []string{b.cairn, "capture", "run", "--"})
	n := processes * each
	b.fact(fmt.Sprintf("%d × %d bare commands", processes, each), bare, "")
	b.fact(fmt.Sprintf("%d × %d captures in %d linked worktrees", processes, each, worktrees), took,
		fmt.Sprintf("%.1f ms each", ms(took)/float64(n)))
	for _, t := range trouble[:min(len(trouble), 5)] {
		b.note("parallel: %s", t)
	}
	b.hold(fmt.Sprintf("%d × %d in one repository: captures with an error", processes, each), 0, float64(len(trouble)), "captures", "")
	return b.allThere(ctx, dir, n)
}

// script prints what no other capture prints and exits with a code of its own.
const script = `echo "$0"; exit $1`

// atOnce runs the commands, each of the processes its own one after the other.
// A capture that exits otherwise than its command, or says anything on stderr,
// is trouble.
func (b *bench) atOnce(ctx context.Context, processes, each int, dirs, wrapper []string) (time.Duration, []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var trouble []string
	start := time.Now()
	for p := range processes {
		wg.Go(func() {
			for i := range each {
				exit := i % 3
				argv := append(slices.Clone(wrapper), "sh", "-c", script, tag(p, i), fmt.Sprint(exit))
				cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
				cmd.Dir, cmd.Env = dirs[p%len(dirs)], b.env
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				err := cmd.Run()
				if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit || stderr.Len() > 0 {
					mu.Lock()
					trouble = append(trouble, fmt.Sprintf("%s should exit %d: %v %s", tag(p, i), exit, err, firstLine(stderr.String())))
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return time.Since(start), trouble
}

func tag(process, i int) string { return fmt.Sprintf("capture-%d-%d", process, i) }

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// allThere counts the records that cairn reads and that git has, and checks
// both stores.
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
