package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// alone is how long to wait after a capture until the next one counts as single: one within a second of a fold may be
// part of a burst and is folded later.
const alone = 1100 * time.Millisecond

// aloneOf returns the pause before each of n jobs of a round, so long that no two captures of one job are a burst; 0
// with -quick.
func (b *bench) aloneOf(n int) time.Duration {
	if b.quick {
		return 0
	}
	return 2 * alone / time.Duration(n)
}

// short measures the time that cairn adds to a command that does nothing.
func short(ctx context.Context, b *bench) error {
	if !b.has("git") {
		return nil
	}
	dir, err := b.smallRepo(ctx)
	if err != nil {
		return err
	}
	outside := b.path("outside")
	if err := os.Mkdir(outside, 0o777); err != nil {
		return err
	}
	capture := []string{b.cairn, "capture", "run", "--", "true"}
	crowded := []job{
		{name: "true", dir: dir, argv: []string{"true"}},
		{name: "capture, small repository, right after another", dir: dir, argv: capture},
		{name: "capture, no repository, right after another", dir: outside, argv: capture},
	}
	samples, err := b.inTurn(ctx, b.pick(40, 4), crowded)
	if err != nil {
		return err
	}
	b.table("capture run -- true", crowded, samples)
	pause := b.aloneOf(len(crowded))
	lone := []job{
		{name: "true", dir: dir, argv: []string{"true"}, pause: pause},
		{name: "capture, small repository, alone", dir: dir, argv: capture, pause: pause},
		{name: "capture, no repository, alone", dir: outside, argv: capture, pause: pause},
	}
	aloneSamples, err := b.inTurn(ctx, b.pick(25, 2), lone)
	if err != nil {
		return err
	}
	b.table("capture run -- true", lone, aloneSamples)
	for k, where := range []string{"a small repository", "no repository"} {
		i := k + 1 // the first job is the bare command
		for _, of := range []struct {
			when    string
			samples []sample
		}{{"right after another", samples}, {"alone", aloneSamples}} {
			b.holdStarted("added to a short command in "+where+", "+of.when, 5, ms(added(of.samples[i], of.samples[0])), ms(of.samples[0].median()),
				fmt.Sprintf("at least %.2f", ms(of.samples[i].min()-of.samples[0].min())))
		}
	}
	return nil
}

// smallRepo makes a repository with a few hundred tracked files, so that asking git for changes takes a realistic time.
func (b *bench) smallRepo(ctx context.Context) (string, error) {
	dir, err := b.repo(ctx, "small")
	if err != nil {
		return "", err
	}
	for i := range 300 {
		sub := fmt.Sprintf("%s/pkg%02d", dir, i%20)
		if err := os.MkdirAll(sub, 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(fmt.Sprintf("%s/file%03d.go", sub, i), fmt.Appendf(nil, "package pkg%02d\n\nconst n%d = %d\n", i%20, i, i), 0o666); err != nil {
			return "", err
		}
	}
	if err := b.must(ctx, dir, "git", "add", "."); err != nil {
		return "", err
	}
	return dir, b.must(ctx, dir, "git", "commit", "-q", "-m", "files")
}
