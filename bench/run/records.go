package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cairn/bench/team"
)

// perDay is how many captures a busy team makes in a day.
const perDay = 2500

const (
	appendBudget  = 1.2 // × an empty manifest, at a million records
	newestBudget  = 20  // ms, at a million records
	historyBudget = 100 // ms, at a hundred thousand records
)

// records measures the cost of a long record: one more capture, and two questions.
func records(ctx context.Context, b *bench) error {
	if !b.has("git") {
		return nil
	}
	counts := []int{0, 1000, 100_000, 1_000_000}
	if b.quick {
		counts = []int{0, 3000}
	}
	var dirs []string
	for _, n := range counts {
		dir, err := b.manifestOf(ctx, n)
		if err != nil {
			return err
		}
		dirs = append(dirs, dir)
	}
	if err := b.appends(ctx, counts, dirs); err != nil {
		return err
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		if err := b.questions(ctx, n, dirs[i]); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		if err := removeAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// appends measures one more capture in each manifest. The jobs of a round pause so that each capture folds at once
// (alone).
func (b *bench) appends(ctx context.Context, counts []int, dirs []string) error {
	var jobs []job
	for i, n := range counts {
		jobs = append(jobs, job{name: fmt.Sprintf("%d records", n), dir: dirs[i], argv: []string{b.cairn, "capture", "run", "--", "true"}, pause: b.aloneOf(len(counts))})
	}
	samples, err := b.inTurn(ctx, b.pick(25, 2), jobs)
	if err != nil {
		return err
	}
	b.table("one more capture in a manifest", jobs, samples)
	if last := len(jobs) - 1; counts[last] == 1_000_000 {
		b.hold("append to 1,000,000 records against an empty manifest", appendBudget, ratio(samples[last], samples[0]), "×",
			fmt.Sprintf("of the whole of capture run -- true, %.2f of the least times; the append by itself: go test ./manifest -bench AppendRatio",
				float64(samples[last].min())/float64(samples[0].min())))
	}
	return nil
}

// questions asks for the newest records, and for the history of a fingerprint. The command history asks more, of cairn and
// of others.
func (b *bench) questions(ctx context.Context, count int, dir string) error {
	fingerprint, err := team.Fingerprint(filepath.Join(dir, ".git", "cairn"))
	if err != nil {
		return err
	}
	jobs := []job{
		{name: "newest 20", dir: dir, argv: []string{b.cairn, "recall", "objects", "--limit", "20"}},
		{name: "history of one fingerprint", dir: dir, argv: []string{b.cairn, "recall", "finding", fingerprint}},
	}
	samples, err := b.inTurn(ctx, b.pick(9, 2), jobs)
	if err != nil {
		return err
	}
	b.table(fmt.Sprintf("questions about %d records", count), jobs, samples)
	newest, history := samples[0], samples[1]
	switch count {
	case 1_000_000:
		b.hold("newest 20 of 1,000,000 records", newestBudget, ms(newest.median()), "ms", fmt.Sprintf("at least %.2f", ms(newest.min())))
	case 100_000:
		b.hold("history of one fingerprint in 100,000 records", historyBudget, ms(history.median()), "ms", fmt.Sprintf("at least %.2f, %.2f of CPU", ms(history.min()), ms(history.cpu())))
	}
	return nil
}

// manifestOf makes a repository with count records in the manifest and on the branch, as after single captures.
func (b *bench) manifestOf(ctx context.Context, count int) (string, error) {
	dir, err := b.repo(ctx, fmt.Sprintf("records-%d", count))
	if err != nil {
		return "", err
	}
	if err := b.must(ctx, dir, "git", "config", "gc.auto", "0"); err != nil {
		return "", err
	}
	if kept := filepath.Join(dir, ".git", "cairn"); count > 0 {
		alone := team.Team{Writers: 1, Days: 1 + count/perDay, Last: time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)}
		if err := errors.Join(alone.Write(kept, count), os.WriteFile(filepath.Join(kept, "writer"), []byte("writer00\n"), 0o666)); err != nil {
			return "", fmt.Errorf("writing %d records: %w", count, err)
		}
	}
	start := time.Now()
	if err := b.must(ctx, dir, b.cairn, "manifest", "fold"); err != nil {
		return "", err
	}
	b.fact(fmt.Sprintf("first fold of %d records", count), time.Since(start), "all in one commit; happens once, after a clone's shards came from elsewhere")
	got, err := b.countLines(ctx, dir)
	if err == nil && got != count {
		err = fmt.Errorf("the branch has %d records of %d", got, count)
	}
	return dir, err
}

// countLines counts the records on the branch, as git sees them.
func (b *bench) countLines(ctx context.Context, dir string) (int, error) {
	if _, err := b.output(ctx, dir, "git", "rev-parse", "-q", "--verify", "refs/heads/cairn"); err != nil {
		return 0, nil // nothing has been folded yet
	}
	cmd := exec.CommandContext(ctx, "git", "archive", "--format=tar", "cairn")
	cmd.Dir, cmd.Env = dir, b.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	n := 0
	for lines := bufio.NewReader(out); err == nil; {
		var line []byte
		line, err = lines.ReadBytes('\n')
		if bytes.Contains(line, []byte(`{"v":`)) {
			n++
		}
	}
	if err != io.EOF {
		return n, fmt.Errorf("reading the branch: %w", err)
	}
	return n, cmd.Wait()
}
