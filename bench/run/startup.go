package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// startup compares the start of several programs.
func startup(ctx context.Context, b *bench) error {
	jobs := []job{
		{name: "true", argv: []string{"true"}},
		{name: "cairn --version", argv: []string{b.cairn, "--version"}},
		{name: "bare cobra program --version", argv: []string{b.bare, "--version"}},
	}
	samples, err := b.inTurn(ctx, b.pick(41, 5), jobs)
	if err != nil {
		return err
	}
	b.table("process start", jobs, samples)
	bare := ms(samples[0].median())
	b.holdStarted("process start, cairn --version", 5, ms(samples[1].median()), bare,
		fmt.Sprintf("at least %.2f; %.2f× a bare cobra program", ms(samples[1].min()), ratio(samples[1], samples[2])))
	return b.inits(ctx, bare)
}

const (
	initShown  = 0.05 // ms; packages that take less are not listed
	initBudget = 0.3  // ms per package

	initsBudget = 0.5 // ms in all
)

// initCost is the cost of one package's initialisation, as the runtime reports it.
type initCost struct {
	pkg   string
	ms    float64
	bytes int
}

// inits lists the initialisation of packages before main, the median of several starts; bare is the time of true, in
// milliseconds.
func (b *bench) inits(ctx context.Context, bare float64) error {
	costs := map[string][]initCost{}
	for range b.pick(11, 3) {
		cmd := exec.CommandContext(ctx, b.cairn, "--version")
		cmd.Env = append(b.env[:len(b.env):len(b.env)], "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("tracing the start of cairn: %w", err)
		}
		for _, c := range parseInits(trace.Bytes()) {
			costs[c.pkg] = append(costs[c.pkg], c)
		}
	}
	var all []initCost
	sum := 0.0
	for _, of := range costs {
		slices.SortFunc(of, func(x, y initCost) int { return cmp.Compare(x.ms, y.ms) })
		all = append(all, of[(len(of)-1)/2])
		sum += of[(len(of)-1)/2].ms
	}
	slices.SortFunc(all, func(x, y initCost) int { return cmp.Compare(y.ms, x.ms) })
	fmt.Fprintf(b.out, "%d packages initialise in %.2f ms together; those over %.2f ms:\n", len(all), sum, initShown)
	for _, c := range all {
		if c.ms < initShown {
			break
		}
		flag := ""
		if c.ms > initBudget {
			flag = "  TOO MUCH"
		}
		fmt.Fprintf(b.out, "  %.3f ms  %7d bytes  %s%s\n", c.ms, c.bytes, c.pkg, flag)
		b.report.Figures = append(b.report.Figures, figure{Section: "startup", Name: "init of " + c.pkg, Rounds: len(costs[c.pkg]), MedianMS: c.ms, MinMS: costs[c.pkg][0].ms})
	}
	if len(all) == 0 {
		return fmt.Errorf("the runtime of %s reported no initialisation", b.cairn)
	}
	b.holdStarted("initialisation of all packages", initsBudget, sum, bare, fmt.Sprintf("%d packages", len(all)))
	b.holdStarted("initialisation of the slowest package", initBudget, all[0].ms, bare, all[0].pkg)
	return nil
}

// parseInits reads lines of GODEBUG=inittrace=1:
//
//	init internal/cpu @0.024 ms, 0.011 ms clock, 0 bytes, 0 allocs
func parseInits(trace []byte) (all []initCost) {
	for lines := bufio.NewScanner(bytes.NewReader(trace)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 8 || f[0] != "init" || f[6] != "clock," && f[5] != "ms" {
			continue
		}
		took, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			continue
		}
		size, _ := strconv.Atoi(f[7])
		all = append(all, initCost{f[1], took, size})
	}
	return all
}
