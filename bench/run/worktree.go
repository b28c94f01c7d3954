package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// worktree measures the id of the working tree: how long a command takes to compute it, from nothing and from the last
// snapshot, compared with git; and what it adds to a captured command, during which it is computed.
func worktree(ctx context.Context, b *bench) error {
	if !b.has("git") || !b.has("sh") {
		return nil
	}
	small := sample(nil)
	for _, files := range []int{1_000, 10_000, 50_000} {
		if b.quick && files > 1_000 {
			break
		}
		dir, err := b.manyFiles(ctx, files)
		if err != nil {
			return err
		}
		snapshots := filepath.Join(dir, ".git", "cairn", "worktree")
		edits := 0
		edit := func() error {
			edits++
			return os.WriteFile(filepath.Join(dir, "d0", "f0"), fmt.Append(nil, "edit ", edits), 0o666)
		}
		forget := func() error { return removeAll(snapshots) }
		scratch := b.path("scratch-index")
		ask := []string{b.cairn, "recall", "last", "--", "true"}
		jobs := []job{
			{name: "true", dir: dir, argv: []string{"true"}},
			{name: "git status -s, after an edit", dir: dir, argv: []string{"git", "--no-optional-locks", "status", "-s"}, reset: edit},
			{name: "git add -A, git write-tree, in an index of its own", dir: dir, argv: []string{"sh", "-c", "git read-tree HEAD && git add -A && git write-tree"},
				env: []string{"GIT_INDEX_FILE=" + scratch}, reset: func() error { return removeAll(scratch) }, limit: 2},
			{name: "cairn recall last, from nothing", dir: dir, argv: ask, exit: 3, reset: forget},
			{name: "cairn recall last, after an edit", dir: dir, argv: ask, exit: 3, reset: edit},
			{name: "cairn capture run -- true, from nothing", dir: dir, argv: []string{b.cairn, "capture", "run", "--", "true"}, reset: forget},
			{name: "cairn capture run -- true, after an edit", dir: dir, argv: []string{b.cairn, "capture", "run", "--", "true"}, reset: edit},
		}
		samples, err := b.inTurn(ctx, b.pick(8, 2), jobs)
		if err != nil {
			return err
		}
		b.table(fmt.Sprintf("the id of a tree of %d files", files), jobs, samples)
		if small == nil {
			small = samples[6]
			continue
		}
		bare := ms(samples[0].median())
		b.holdStarted(fmt.Sprintf("added to a short command by the id of a tree of %d files, against one of 1000", files), 1, ms(samples[6].min()-small.min()), bare,
			fmt.Sprintf("at the least; %.1f ms by the median, %.1f ms of processor time", ms(samples[6].median()-small.median()), ms(samples[6].cpu()-small.cpu())))
	}
	return nil
}

// manyFiles makes a repository with this many committed files.
func (b *bench) manyFiles(ctx context.Context, files int) (string, error) {
	dir, err := b.repo(ctx, fmt.Sprint("files-", files))
	if err != nil {
		return "", err
	}
	for i := range files {
		path := filepath.Join(dir, fmt.Sprint("d", i%200), fmt.Sprint("f", i))
		if i < 200 {
			if err := os.Mkdir(filepath.Dir(path), 0o777); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(path, fmt.Append(nil, "file ", i, "\n"), 0o666); err != nil {
			return "", err
		}
	}
	if err := b.must(ctx, dir, "git", "add", "-A"); err != nil {
		return "", err
	}
	return dir, b.must(ctx, dir, "git", "commit", "-q", "-m", "many")
}
