// Command throughput measures how fast, and with how much memory, cairn parses the output of each tool: 100 MB of every
// format, on one core.
//
//	go -C bench run ./throughput                       every format, some five minutes
//	go -C bench run ./throughput -only ruff,mypy       some tools
//	go -C bench run ./throughput -size 10 -rounds 1    smaller and rougher
//	go -C bench run ./throughput -profile CPU.out -only tsc/plain
//
// It promises that each output is parsed in a process of its own with GOMAXPROCS=1, that the output comes from a file
// in pieces as after a capture, and that all of it is read: there must be as many findings as the output has failures.
// A figure is the best of its rounds, in MB per second of CPU time, including garbage collection and the start of the
// process, next to grep on the same file in the same round, which one would use instead (`grep -c` for the words of
// failures; jq, if installed, for JSON).
//
// The output is generated, not recorded (see bench/formats): it has the tool's format, with other names and numbers in
// each piece.
//
// Exit status: 0 all formats meet the budget, 3 some do not, 1 it could not run.
//
// What may go in: measurements of parsers.Parse on large outputs.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"cairn/bench/formats"
	"cairn/bench/rss"
	"cairn/bench/tree"
)

const (
	budget       = 100 // MB/s on one core
	memoryBudget = 64  // MB, whatever the size
)

type options struct {
	size, rounds  int
	only, profile string
	keep          string
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "read" { // this program is also the one that is measured
		exitOn(read(os.Args[2:], os.Stdout))
		return
	}
	var o options
	flag.IntVar(&o.size, "size", 100, "make so many `MB` of each output")
	flag.IntVar(&o.rounds, "rounds", 3, "take the best of so many")
	flag.StringVar(&o.only, "only", "", "measure these `TOOLS` or tool/format pairs only")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the last reading to this `FILE`")
	flag.StringVar(&o.keep, "keep", "", "leave the made outputs in this `DIR`")
	flag.Parse()
	tree.Enter()
	missed, err := run(context.Background(), o, os.Stdout)
	exitOn(err)
	if missed > 0 {
		os.Exit(3)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "throughput:", err)
		os.Exit(1)
	}
}

// run measures the chosen formats, and counts missed budgets.
func run(ctx context.Context, o options, out io.Writer) (missed int, err error) {
	dir, err := os.MkdirTemp("", "cairn-throughput-")
	if err != nil {
		return 0, fmt.Errorf("making a directory to work in: %w", err)
	}
	defer os.RemoveAll(dir)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "output\tMB\tcairn MB/s\tpeak MB\tfindings\tgrep MB/s\tjq MB/s\t")
	for _, f := range formats.All {
		if !chosen(o.only, f) {
			continue
		}
		m, err := measure(ctx, dir, f, o)
		if err != nil {
			return 0, fmt.Errorf("measuring %s: %w", f.Name(), err)
		}
		if !m.met() {
			missed++
		}
		fmt.Fprintln(table, m.row())
	}
	table.Flush()
	fmt.Fprintf(out, "%d below %d MB/s, above %d MB, or without all findings\n", missed, budget, memoryBudget)
	return missed, nil
}

func chosen(only string, f formats.Format) bool {
	if only == "" {
		return true
	}
	for want := range strings.SplitSeq(only, ",") {
		if f.Name() == want || f.Tool == want || strings.HasPrefix(f.Name(), want+" ") {
			return true
		}
	}
	return false
}

// measured is a format with its best figures. Speeds are in MB/s, 0 if not measured.
type measured struct {
	formats.Format
	size            int64
	speed, grep, jq float64
	peak            int64 // MB
	findings        int
	failures        int // failures in the output
}

func (m measured) met() bool {
	return m.speed >= budget && m.peak <= memoryBudget && m.findings == m.failures
}

func (m measured) row() string {
	mark := ""
	switch {
	case m.findings != m.failures:
		mark = fmt.Sprintf("of %d!", m.failures)
	case !m.met():
		mark = "<"
	}
	jq := "-"
	if m.jq > 0 {
		jq = fmt.Sprintf("%.0f", m.jq)
	}
	return fmt.Sprintf("%s\t%d\t%.0f\t%d\t%d\t%.0f\t%s\t%s", m.Name(), m.size>>20, m.speed, m.peak, m.findings, m.grep, jq, mark)
}

func measure(ctx context.Context, dir string, f formats.Format, o options) (measured, error) {
	m := measured{Format: f}
	file := filepath.Join(cmp.Or(o.keep, dir), strings.NewReplacer("/", "-", " ", "-").Replace(f.Name()))
	made, err := f.Write(file, int64(o.size)<<20)
	if err != nil {
		return m, err
	}
	if o.keep == "" {
		defer os.Remove(file)
	}
	m.size = made.Size
	for range o.rounds {
		got, err := m.round(ctx, file, o)
		if err != nil {
			return m, err
		}
		m.findings, m.failures = got.Findings, made.Failures
	}
	return m, nil
}

// round reads the file once with each program.
func (m *measured) round(ctx context.Context, file string, o options) (reading, error) {
	var got reading
	self, err := os.Executable()
	if err != nil {
		return got, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"read", file, fmt.Sprint(m.Exit), o.profile}, m.Argv...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return got, err
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return got, err
	}
	m.speed = max(m.speed, m.rate(cmd.ProcessState))
	m.peak = max(m.peak, rss.Max(cmd.ProcessState)>>20)
	m.grep = max(m.grep, m.other(ctx, "grep", "-cE", "error|Error|FAIL|failed", file))
	if m.JSON {
		m.jq = max(m.jq, m.other(ctx, "jq", "-c", "[..|strings|select(test(\"error\"))]|length", file))
	}
	return got, nil
}

// other returns the speed of another program on the file, in MB per second; 0 if the program is not installed.
func (m *measured) other(ctx context.Context, name string, args ...string) float64 {
	if _, err := exec.LookPath(name); err != nil {
		return 0
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout = new(bytes.Buffer) // grep stops early if its output is discarded
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() > 1 {
		return 0
	}
	return m.rate(cmd.ProcessState)
}

// rate returns the speed in MB per second of CPU time, which hardly depends on other load.
func (m *measured) rate(p *os.ProcessState) float64 {
	return float64(m.size) / 1e6 / (p.UserTime() + p.SystemTime()).Seconds()
}
