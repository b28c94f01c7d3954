package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"cairn/bench/rss"
	"cairn/bench/tree"
)

// bench is one run of this program.
type bench struct {
	options
	answer io.Writer // for the requested output
	out    io.Writer // for tables while they are made; discarded with -json
	dir    string    // removed at the end
	self   string    // this program, for its subcommand gen
	stage  string    // cairn-stage beside cairn, unless -cairn was given
	bare   string    // a program with only cobra; "" if -cairn was given
	env    []string
	report report
}

// newBench builds the programs to measure, in a directory of its own.
func newBench(ctx context.Context, o options, out io.Writer) (b *bench, err error) {
	b = &bench{options: o, answer: out, out: out}
	if b.dir, err = os.MkdirTemp(o.tmpDir, "cairn-bench-"); err != nil {
		return nil, fmt.Errorf("making a directory to work in: %w", err)
	}
	if b.self, err = os.Executable(); err == nil {
		b.env, err = b.environment()
	}
	if err == nil {
		err = b.build(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.report.Machine = fmt.Sprintf("%s %s/%s, %d CPUs, %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load())
	if o.json {
		b.out = io.Discard
	}
	fmt.Fprintln(b.out, b.report.Machine)
	return b, nil
}

// removeAll is os.RemoveAll with retries: a helper that folds captures may still be writing for a moment after the last
// one.
func removeAll(path string) error {
	for tries := 0; ; tries++ {
		err := os.RemoveAll(path)
		if err == nil || tries == 100 {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (b *bench) close() error { return removeAll(b.dir) }

// environment returns an environment without the user's own settings.
func (b *bench) environment() ([]string, error) {
	home := filepath.Join(b.dir, "home")
	if err := os.Mkdir(home, 0o777); err != nil {
		return nil, err
	}
	env := []string{
		"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@example.com",
		"GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@example.com",
	}
	for _, kv := range os.Environ() {
		key, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(key, "CAIRN_"), strings.HasPrefix(key, "GIT_"), strings.HasPrefix(key, "XDG_"), key == "HOME", key == "GODEBUG":
		default:
			env = append(env, kv)
		}
	}
	return env, nil
}

// build builds the program as it is shipped, and the bare one.
func (b *bench) build(ctx context.Context) error {
	root, err := tree.Root()
	if err != nil {
		return err
	}
	for _, program := range []struct {
		module, pkg string
		to          *string
	}{{".", "./cmd/cairn-stage", &b.stage}, {".", "./cmd/cairn", &b.cairn}, {"bench", "./bare", &b.bare}} {
		if *program.to != "" {
			continue // named with -cairn
		}
		*program.to = b.path(filepath.Base(program.pkg) + exe())
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", *program.to, program.pkg)
		cmd.Dir = filepath.Join(root, program.module)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // the dynamic linker would take a fifth of a start
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", program.pkg, err, out)
		}
	}
	return nil
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// load returns the machine's average load of the last minute, "load 0.42", or "load unknown".
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return "load " + first
}

func (b *bench) path(elem ...string) string {
	return filepath.Join(append([]string{b.dir}, elem...)...)
}

// has says whether a tool is installed; a missing tool is noted in the report.
func (b *bench) has(tool string) bool {
	_, err := exec.LookPath(tool)
	if err != nil {
		b.note("%s is not installed: what needs it is skipped", tool)
	}
	return err == nil
}

// pick returns the first number, or the second with -quick.
func (b *bench) pick(full, quick int) int {
	if b.quick {
		return quick
	}
	return full
}

// repo makes an empty repository with one commit.
func (b *bench) repo(ctx context.Context, name string) (string, error) {
	dir := b.path(name)
	if err := b.must(ctx, b.dir, "git", "init", "-q", dir); err != nil {
		return "", err
	}
	return dir, b.must(ctx, dir, "git", "commit", "-q", "--allow-empty", "-m", "start")
}

// must runs a command that is not measured.
func (b *bench) must(ctx context.Context, dir, name string, args ...string) error {
	_, err := b.output(ctx, dir, name, args...)
	return err
}

func (b *bench) output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, b.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s: %w\n%s", strings.Join(append([]string{name}, args...), " "), err, stderr.String())
	}
	return out, nil
}

// job is a command to measure.
type job struct {
	name  string
	dir   string
	argv  []string
	env   []string      // besides the common environment
	exit  int           // the expected exit status
	limit int           // bounds the rounds of this job; 0 for no bound
	pause time.Duration // before each round
	reset func() error  // before each round, not measured
}

// took is the cost of one round of a job.
type took struct {
	wall   time.Duration
	memory int64 // peak resident bytes of the largest process in it
	cpu    time.Duration
}

// once runs a job. Its output is discarded.
func (b *bench) once(ctx context.Context, j job) (took, error) {
	if j.reset != nil {
		if err := j.reset(); err != nil {
			return took{}, fmt.Errorf("preparing %s: %w", j.name, err)
		}
	}
	time.Sleep(j.pause)
	cmd := exec.CommandContext(ctx, j.argv[0], j.argv[1:]...)
	cmd.Dir, cmd.Env = j.dir, append(b.env[:len(b.env):len(b.env)], j.env...)
	start := time.Now()
	err := cmd.Run()
	t := took{wall: time.Since(start)}
	if cmd.ProcessState == nil {
		return t, fmt.Errorf("%s: %w", j.name, err)
	}
	if code := cmd.ProcessState.ExitCode(); code != j.exit {
		return t, fmt.Errorf("%s: exit %d, expected %d", j.name, code, j.exit)
	}
	t.memory = rss.Max(cmd.ProcessState)
	t.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return t, nil
}

// inTurn runs the jobs one after the other for several rounds. Each round begins with another job, so that no job
// always follows the same one. If there are several rounds, one more precedes them and is not counted.
func (b *bench) inTurn(ctx context.Context, rounds int, jobs []job) ([]sample, error) {
	all := make([]sample, len(jobs))
	first := 0
	if rounds > 1 {
		first = -1
	}
	for round := first; round < rounds; round++ {
		for k := range jobs {
			i := (k + max(round, 0)) % len(jobs)
			j := jobs[i]
			if j.limit > 0 && (round < 0 || round >= j.limit) {
				continue
			}
			t, err := b.once(ctx, j)
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				all[i] = append(all[i], t)
			}
		}
	}
	return all, nil
}
