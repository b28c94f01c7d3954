package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cairn/bench/formats"
)

// floods are outputs of only failures, as from a missing header or a broken fixture, and at last a clean log of a program
// that fails. Each is printed by a program with the tool's name, so that the tool's own parser reads it.
var floods = []string{"gcc/text", "gcc/source", "generic/places", "generic/errors", "eslint/json", "eslint/stylish", "mypy/text", "pytest/text flood", "generic/log"}

// errorFloods compares captures of floods with tee, by wall and CPU time.
func errorFloods(ctx context.Context, b *bench) error {
	if !b.has("git") || !b.has("sh") {
		return nil
	}
	size := int64(b.pick(200<<20, 1<<20))
	for i, name := range floods {
		f := formats.All[slices.IndexFunc(formats.All, func(f formats.Format) bool { return f.Name() == name })]
		jobs, err := b.floodJobs(ctx, fmt.Sprintf("flood-%d", i), f, size)
		if err != nil {
			return err
		}
		samples, err := b.inTurn(ctx, b.pick(3, 1), jobs)
		if err != nil {
			return err
		}
		b.table(fmt.Sprintf("%d MB of failures of %s", size>>20, name), jobs, samples)
		tee, cairn := samples[0], samples[1]
		b.hold("a flood of "+name+", wall time against CMD | tee FILE", 4, ratio(cairn, tee), "×",
			fmt.Sprintf("CPU %.1f ×: %.2f s against %.2f s", cairn.cpu().Seconds()/tee.cpu().Seconds(), cairn.cpu().Seconds(), tee.cpu().Seconds()))
		b.hold("memory, a flood of "+name, memoryBudget, float64(cairn.memory())/(1<<20), "MB", "")
		if err := removeAll(b.path(fmt.Sprintf("flood-%d", i))); err != nil {
			return err
		}
	}
	return nil
}

// floodJobs makes the program that prints a flood, and a repository for captures.
func (b *bench) floodJobs(ctx context.Context, name string, f formats.Format, size int64) ([]job, error) {
	dir, err := b.repo(ctx, name)
	if err != nil {
		return nil, err
	}
	text, program := filepath.Join(dir, "text"), filepath.Join(dir, filepath.Base(f.Argv[0]))
	if _, err := f.Write(text, size); err != nil {
		return nil, fmt.Errorf("making a flood: %w", err)
	}
	if err := os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\ncat '%s'\nexit %d\n", text, f.Exit), 0o777); err != nil {
		return nil, fmt.Errorf("making a program that prints a flood: %w", err)
	}
	tee := filepath.Join(dir, "tee")
	reset := func() error {
		err := removeAll(tee)
		flush(ctx)
		return err
	}
	argv := append([]string{program}, f.Argv[1:]...)
	return []job{
		{name: "CMD | tee FILE", dir: dir, argv: append([]string{"sh", "-c", `f=$1; shift; "$@" | tee "$f"`, "sh", tee}, argv...), reset: reset},
		{name: "cairn capture run -- CMD", dir: dir, argv: append([]string{b.cairn, "capture", "run", "--"}, argv...), exit: f.Exit,
			reset: func() error {
				if err := removeAll(filepath.Join(dir, ".git", "cairn")); err != nil {
					return err
				}
				if err := b.forgetBranch(ctx, dir); err != nil {
					return err
				}
				return reset()
			}},
	}, nil
}
