package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

const (
	appendBudget  = 1.2 // × an empty manifest, at a million records
	newestBudget  = 20  // ms, at a million records
	historyBudget = 100 // ms, at a hundred thousand records
)

// records measures the cost of a long record: one more capture, and questions, compared with grep and jq on the same
// lines.
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

// allLines prints every line of a manifest in chronological order.
const allLines = `find "$1" -name '*.jsonl' -print0 | sort -z | xargs -0 `

// questions asks cairn, and then other programs, the same questions.
func (b *bench) questions(ctx context.Context, count int, dir string) error {
	shards := filepath.Join(dir, ".git", "cairn", "manifest")
	shell := func(name, script string, limit int) job {
		return job{name: name, dir: dir, argv: []string{"sh", "-c", allLines + script, "sh", shards, needle}, limit: limit}
	}
	recall := func(args ...string) job {
		return job{name: "cairn", dir: dir, argv: append([]string{b.cairn, "recall"}, args...)}
	}
	jq := 3
	if count >= 1_000_000 {
		jq = 1
	}
	ask := func(title string, jobs ...job) (sample, error) {
		if !b.has("jq") {
			jobs = slices.DeleteFunc(jobs, func(j job) bool { return strings.HasPrefix(j.name, "jq") })
		}
		samples, err := b.inTurn(ctx, b.pick(9, 2), jobs)
		if err != nil {
			return nil, err
		}
		b.table(fmt.Sprintf("%s of %d records", title, count), jobs, samples)
		return samples[0], nil
	}
	all := []job{recall("objects", "--limit", "20"), shell("cat | tail", `cat | tail -n 20`, jq)}
	if count < 1_000_000 { // jq takes a minute there, and the next question shows the same
		all = append(all, shell("jq | tail", `cat | jq -c '[.id,.time,.argv,.result.status]' | tail -n 20`, jq))
	}
	newest, err := ask("newest 20", all...)
	if err != nil {
		return err
	}
	_, err = ask("newest 20 failed pytest runs", recall("objects", "--status", "failed", "--tool", "pytest", "--limit", "20"),
		shell("grep | tail", `grep -hF '"tool":"pytest"' | grep -F '"status":"failed"' | tail -n 20`, jq),
		shell("jq | tail", `cat | jq -c 'select(.result.tool=="pytest" and .result.status=="failed")' | tail -n 20`, jq))
	if err != nil {
		return err
	}
	history, err := ask("history of one fingerprint", recall("finding", needle),
		shell("grep", `grep -hF "\"fingerprint\":\"$2\""`, 0),
		shell("jq", `cat | jq -c --arg fp "$2" 'select(any(.result.findings[]?; .fingerprint==$fp))'`, jq))
	if err != nil {
		return err
	}
	switch count {
	case 1_000_000:
		b.hold("newest 20 of 1,000,000 records", newestBudget, ms(newest.median()), "ms", fmt.Sprintf("at least %.2f", ms(newest.min())))
	case 100_000:
		b.hold("history of one fingerprint in 100,000 records", historyBudget, ms(history.median()), "ms", fmt.Sprintf("at least %.2f, %.2f of CPU", ms(history.min()), ms(history.cpu())))
	}
	return nil
}
