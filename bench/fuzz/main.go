// Command fuzz runs every fuzz target of this module, one after another, and prints how many executions each made.
//
//	go -C bench run ./fuzz                          ten minutes each, a log per target
//	go -C bench run ./fuzz -time 30s -only FuzzRuff ./parsers
//
// It promises that a target which fails is named, that its input stays where go test puts it (testdata/fuzz/TARGET of
// the package, where it is a test from then on), and that later targets run nevertheless. It does not judge how much is
// enough: the seeds are the recorded runs of package golden, and the executions are printed.
//
// Exit status: 0 nothing found, 1 a target failed, 2 it could not run.
//
// What may go in: the schedule. The properties that must hold for any input are in the targets.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"cairn/bench/tree"
)

// plan has the options of the command.
type plan struct {
	each     time.Duration
	only     *regexp.Regexp
	logs     string
	workers  int
	packages []string
}

// target is one fuzz target.
type target struct{ pkg, name string }

func main() {
	each := flag.Duration("time", 10*time.Minute, "fuzz each target so long")
	only := flag.String("only", "", "only targets that match this `PATTERN`")
	logs := flag.String("logs", filepath.Join(os.TempDir(), "cairn-fuzz"), "keep a log per target in this `DIR`")
	workers := flag.Int("parallel", 1, "processes of one target")
	flag.Parse()
	tree.Enter()
	pattern, err := regexp.Compile(*only)
	p := plan{*each, pattern, *logs, *workers, flag.Args()}
	if len(p.packages) == 0 {
		p.packages = []string{"./..."}
	}
	failed := 0
	if err == nil {
		failed, err = p.run(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run fuzzes all targets and returns how many failed.
func (p plan) run(out io.Writer) (failed int, err error) {
	if err := os.MkdirAll(p.logs, 0o755); err != nil {
		return 0, fmt.Errorf("making the directory of the logs: %w", err)
	}
	list, err := exec.Command("go", append([]string{"test", "-list", "^Fuzz"}, p.packages...)...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("listing the targets of %s: %w\n%s", strings.Join(p.packages, " "), err, list)
	}
	for _, t := range readTargets(string(list)) {
		if !p.only.MatchString(t.name) {
			continue
		}
		verdict := "nothing found"
		log, err := p.fuzz(t)
		if err != nil {
			failed++
			verdict = fmt.Sprintf("%v: see %s", err, p.log(t))
		}
		fmt.Fprintf(out, "%-28s %-16s %10s executions  %s\n", t.pkg, t.name, executions(log), verdict)
	}
	return failed, nil
}

func (p plan) log(t target) string {
	return filepath.Join(p.logs, path.Base(t.pkg)+"."+t.name)
}

// fuzz runs one target. Inputs are hardly minimised, which would take most of the time for seeds as large as whole
// runs.
func (p plan) fuzz(t target) (log string, err error) {
	cmd := exec.Command("go", "test", t.pkg, "-run", "^$", "-fuzz", "^"+t.name+"$",
		"-fuzztime", p.each.String(), "-fuzzminimizetime", "10x", "-parallel", fmt.Sprint(p.workers), "-timeout", "0")
	text, err := cmd.CombinedOutput()
	if kept := os.WriteFile(p.log(t), text, 0o644); err == nil && kept != nil {
		err = fmt.Errorf("keeping the log: %w", kept)
	}
	return string(text), err
}

// readTargets reads the output of go test -list: the names of a package's targets, then the package.
func readTargets(list string) (all []target) {
	var names []string
	for line := range strings.Lines(list) {
		switch words := strings.Fields(line); {
		case len(words) == 1 && strings.HasPrefix(words[0], "Fuzz"):
			names = append(names, words[0])
		case len(words) > 1 && words[0] == "ok":
			for _, name := range names {
				all = append(all, target{words[1], name})
			}
			names = nil
		}
	}
	return all
}

// executions returns the last count in a log, or "no".
func executions(log string) string {
	_, rest, found := cutLast(log, "execs: ")
	if !found {
		return "no"
	}
	n, _, _ := strings.Cut(rest, " ")
	return n
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
