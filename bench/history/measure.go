package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/bench/rss"
	"cairn/bench/team"
)

// question is a question and its time budget; 0 means no budget.
type question struct {
	name   string
	budget time.Duration
	argv   []string
	status int // the expected exit status
}

const noText = "nowhere to be found"

// maxMemory is the budget of each process.
const maxMemory = 128 << 20

func measure(o options, tmp string) error {
	if o.cairn == "" {
		o.cairn = filepath.Join(tmp, "cairn-program")
		if out, err := exec.Command("go", "build", "-o", o.cairn, "./cmd/cairn").CombinedOutput(); err != nil {
			return fmt.Errorf("building cairn: %w\n%s", err, out)
		}
	}
	work := filepath.Join(tmp, "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	fingerprint, err := team.Fingerprint(o.dir)
	if err != nil {
		return err
	}
	commit, err := team.Match(o.dir, `"commit":"([0-9a-f]{40})"`)
	if err != nil {
		return err
	}
	a := asker{dir: work, env: append(os.Environ(), "CAIRN_DIR="+o.dir, "HOME="+tmp, "GIT_CEILING_DIRECTORIES="+tmp)}
	if err := declareChecks(a, o.cairn); err != nil {
		return err
	}
	fmt.Printf("%-34s %9s %9s %9s %9s %9s %8s\n", "", "median", "least", "p95", "processor", "budget", "memory")
	if err := a.ask(question{name: "index made or caught up (once)", argv: []string{o.cairn, "recall", "search", "--outputs", "0", "no such text"}, status: 3}, 1); err != nil {
		return err
	}
	recall := func(args ...string) []string { return append([]string{o.cairn, "recall"}, args...) }
	questions := []question{
		{"newest 20", 20 * time.Millisecond, recall("objects"), 0},
		{"failed pytest, newest 20", 50 * time.Millisecond, recall("objects", "--status", "failed", "--tool", "pytest"), 0},
		{"failed, of a tool rarely run", 0, recall("objects", "--status", "failed", "--tool", team.Tool), 0},
		{"history of a fingerprint", 100 * time.Millisecond, recall("finding", fingerprint), 0},
		{"text search", 300 * time.Millisecond, recall("search", "--outputs", "0", team.Text), 0},
		{"statistics", 500 * time.Millisecond, recall("stats"), 0},
		{"flaky", 100 * time.Millisecond, recall("flaky"), 3},
		{"blame of a fingerprint", 100 * time.Millisecond, recall("blame", fingerprint), 3},
		{"of a file", 100 * time.Millisecond, recall("objects", "--file", team.File), 3},
		{"of a directory, failed", 100 * time.Millisecond, recall("objects", "--file", "src/pkg07", "--status", "failed"), 0},
		{"of a commit", 100 * time.Millisecond, recall("objects", "--commit", commit), 0},
		{"of branches", 100 * time.Millisecond, recall("objects", "--branch", "feature/writer07-7*"), 3},
		{"grep without a hit", time.Second, recall("objects", "--grep", noText), 3},
		{"prove: four checks, one of them run", 30 * time.Millisecond, []string{o.cairn, "prove"}, 3},
		{"cairn --version (to compare)", 0, []string{o.cairn, "--version"}, 0},
	}
	if o.others {
		more, err := others(o.dir, tmp, fingerprint)
		if err != nil {
			return err
		}
		tables, err := a.database(o.dir, tmp, fingerprint)
		if err != nil {
			return err
		}
		questions = slices.Concat(questions, tables, more)
	}
	for _, q := range questions {
		if !strings.Contains(q.name, o.only) {
			continue
		}
		if _, err := exec.LookPath(q.argv[0]); err != nil {
			fmt.Printf("%-34s not installed\n", q.name)
			continue
		}
		if err := a.ask(q, o.rounds); err != nil {
			return err
		}
	}
	return nil
}

// declareChecks makes the questions' directory a repository with four checks, one of which ran on the current
// files.
func declareChecks(a asker, cairn string) error {
	checks := ""
	for name, line := range map[string]string{"unit": "sleep 0.3", "lint": "ruff check .", "types": "mypy src", "go": "go test ./..."} {
		checks += fmt.Sprintf("[[check]]\nname = %q\ncommand = %q\n", name, line)
	}
	if err := os.MkdirAll(filepath.Join(a.dir, ".cairn"), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(a.dir, ".cairn", "checks.toml"), []byte(checks), 0o666); err != nil {
		return err
	}
	for _, argv := range [][]string{
		{"git", "init", "-q"}, {"git", "add", "."}, {"git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "checks"},
		{cairn, "capture", "run", "--", "sleep", "0.3"},
	} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = a.dir, a.env
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", argv, err, out)
		}
	}
	return nil
}

// others returns the commands of other tools that answer the same questions on the same lines.
func others(dir, tmp, fingerprint string) ([]question, error) {
	repo := filepath.Join(tmp, "history.git")
	sh := func(line string) []string {
		return []string{"sh", "-c", line, "sh", dir + "/manifest", fingerprint, repo}
	}
	// One commit per month: with one per capture, as on the branch, git would take longer.
	months := exec.Command("sh", sh(`git init -q --bare "$3" && cd "$1" && for month in */*; do
	git --git-dir="$3" --work-tree=. -c gc.auto=0 add "$month" && git --git-dir="$3" --work-tree=. -c gc.auto=0 commit -q -m "$month" || exit 1
done`)[1:]...)
	months.Env = append(os.Environ(), "HOME="+tmp, "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@localhost", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@localhost")
	if out, err := months.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("committing the records for git log: %w\n%s", err, out)
	}
	return []question{
		{"git log -S: a fingerprint", 0, sh(`git --git-dir="$3" log --oneline -S "$2" | wc -l`), 0},
		{"grep: a fingerprint", 0, sh(`grep -rhF "$2" "$1" | wc -l`), 0},
		{"rg: text without a hit", 0, []string{"rg", "-c", "--no-ignore", "--hidden", noText, dir + "/manifest"}, 1},
		{"grep: text", 0, sh(`grep -rhF "` + team.Text + `" "$1" | wc -l`), 0},
		{"cat and jq: one day in a hundred", 0, sh(`find "$1" -path '*/07/1[15]/*.jsonl' -exec cat {} + | jq -c 'select(.says | startswith("` + team.Tool + ` failed")) | .id' | wc -l`), 0},
	}, nil
}

type asker struct {
	dir string
	env []string
}

// ask runs a question several times, each in a new process.
func (a asker) ask(q question, rounds int) error {
	var walls, busy []time.Duration
	var memory int64
	for range rounds {
		cmd := exec.Command(q.argv[0], q.argv[1:]...)
		cmd.Dir, cmd.Env = a.dir, a.env
		var errs bytes.Buffer
		cmd.Stderr = &errs
		begun := time.Now()
		cmd.Run()
		walls = append(walls, time.Since(begun))
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != q.status && cmd.ProcessState.ExitCode() != 0 {
			return fmt.Errorf("%s: %v\n%s", q.name, cmd.ProcessState, errs.String())
		}
		memory = max(memory, rss.Max(cmd.ProcessState))
		busy = append(busy, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	slices.Sort(walls)
	slices.Sort(busy)
	budget, missed := "", ""
	if q.budget > 0 {
		budget = q.budget.String()
		if walls[len(walls)/2] > q.budget || memory > maxMemory {
			missed = "  MISSED"
		}
	}
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	fmt.Printf("%-34s %9s %9s %9s %9s %9s %5d MB%s\n", q.name, round(walls[len(walls)/2]), round(walls[0]), round(walls[len(walls)*95/100]), round(busy[len(busy)/2]), budget, memory>>20, missed)
	return nil
}
