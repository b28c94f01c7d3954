// Command run measures cairn on this machine, compared with alternatives and with the budgets of the design.
//
// It promises that things compared with each other ran in turn, in one run, so that other load on the machine affected
// them alike; that the program measured is built from this tree; and that it leaves nothing behind: all of it happens
// in a temporary directory. Figures of two runs cannot be compared: trust the ratios.
//
//	go -C bench run ./run                      everything, about ten minutes
//	go -C bench run ./run -quick               the same at small sizes, in seconds
//	go -C bench run ./run -only startup,size   some sections
//	go -C bench run ./run -huge                10 GB as well
//	go -C bench run ./run -json                one JSON document instead of tables
//
// What may go in: measurements of the built program. Measurements of one package are benchmarks in that package.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"cairn/bench/tree"
)

// sections are all sections, in the order in which they run.
var sections = []struct {
	name string
	run  func(context.Context, *bench) error
}{
	{"startup", startup},
	{"short", short},
	{"shell", agentShell},
	{"worktree", worktree},
	{"size", size},
	{"floods", errorFloods},
	{"records", records},
	{"parallel", parallel},
}

type options struct {
	only          string
	quick, huge   bool
	json          bool
	cairn, tmpDir string
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "gen" { // this program is also the command that prints a log
		exitOn(generate(os.Stdout, os.Args[2]))
		return
	}
	var o options
	flag.StringVar(&o.only, "only", "", "run these `SECTIONS` only: startup,short,shell,worktree,size,floods,records,parallel")
	flag.BoolVar(&o.quick, "quick", false, "small sizes and few rounds: to see that it works, not to measure")
	flag.BoolVar(&o.huge, "huge", false, "measure 10 GB of output, too")
	flag.BoolVar(&o.json, "json", false, "print one JSON document at the end instead of tables")
	flag.StringVar(&o.cairn, "cairn", "", "measure this `PROGRAM` instead of building one")
	flag.StringVar(&o.tmpDir, "dir", "", "work below this `DIR` (default: the system's temporary directory); it must not be in memory")
	flag.Parse()
	tree.Enter()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	missed, err := run(ctx, o, os.Stdout)
	stop()
	exitOn(err)
	if missed && !o.quick {
		os.Exit(3)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// run measures and prints; missed says that a budget was missed.
func run(ctx context.Context, o options, out io.Writer) (missed bool, err error) {
	chosen, err := choose(o.only)
	if err != nil {
		return false, err
	}
	b, err := newBench(ctx, o, out)
	if err != nil {
		return false, err
	}
	defer b.close()
	for _, s := range sections {
		if !chosen[s.name] {
			continue
		}
		b.section(s.name)
		if err := s.run(ctx, b); err != nil {
			return false, fmt.Errorf("measuring %s: %w", s.name, err)
		}
	}
	return b.finish()
}

// choose reads the value of -only; "" selects all sections.
func choose(only string) (map[string]bool, error) {
	chosen := map[string]bool{}
	for _, s := range sections {
		chosen[s.name] = only == ""
	}
	for name := range strings.SplitSeq(only, ",") {
		if _, ok := chosen[name]; !ok && name != "" {
			return nil, fmt.Errorf("there is no section %q", name)
		}
		if name != "" {
			chosen[name] = true
		}
	}
	return chosen, nil
}
