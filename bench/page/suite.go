package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// suite is a generated Go module with many tests. Some are flaky, some are broken by a commit and repaired by a later
// one, and one becomes slow, so that each view of the page has something to show.
const suite = `package shop

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// wait takes as long as test n takes.
func wait(n, run int) {
	ms := 10 + n%7*10
	if n == 8 && run > SLOWER {
		ms *= 9
	}
	time.Sleep(time.Duration(ms) * time.Millisecond)
}

func check(t *testing.T, n int) {
	t.Parallel()
	run, _ := strconv.Atoi(os.Getenv("BENCH_RUN"))
	wait(n, run)
	broken, _ := os.ReadFile("broken.txt")
	if slices.Contains(strings.Fields(string(broken)), strconv.Itoa(n)) {
		t.Errorf("total: got %d.50, want %d.00", n, n)
	}
	if n%100 == 17 && (n+run*7)%11 == 0 {
		t.Error("the answer of the warehouse came after 50 ms")
	}
	if n%50 == 9 {
		t.Skip("needs a printer")
	}
}

`

var areas = []string{"Cart", "Invoice", "Refund", "Shipping", "Stock", "Voucher"}

// makeSuite makes the module in a repository, and runs it until there are enough outcomes.
func makeSuite(ctx context.Context, o options, repo string) error {
	runs := max(o.outcomes/o.tests, 2)
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = repo
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
		return nil
	}
	var tests strings.Builder
	tests.WriteString(strings.Replace(suite, "SLOWER", strconv.Itoa(runs*2/3), 1))
	for n := range o.tests {
		fmt.Fprintf(&tests, "func Test%sTotalOfOrder%d(t *testing.T) { check(t, %d) }\n", areas[n%len(areas)], n, n)
	}
	if err := os.MkdirAll(repo, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.22\n", "shop_test.go": tests.String(), "broken.txt": ""} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := errors.Join(git("init", "-q", "-b", "main"), git("add", "-A"), git("commit", "-qm", "the shop")); err != nil {
		return err
	}
	for run := range runs {
		if err := breakSuite(repo, run, runs, git); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, o.cairn, "capture", "run", "--", "go", "test", "-v", "-vet=off", "-count=1", "-parallel", strconv.Itoa(o.tests), "./...")
		cmd.Dir, cmd.Env = repo, append(os.Environ(), "GOWORK=off", "BENCH_RUN="+strconv.Itoa(run))
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			return fmt.Errorf("%s: %w", o.cairn, err)
		}
	}
	return nil
}

// breakSuite commits a mistake at some runs, and its repair at others. The last mistake is not repaired.
func breakSuite(repo string, run, runs int, git func(...string) error) error {
	broken, what := "", ""
	switch run {
	case runs / 4:
		broken, what = "5 40 41\n", "round later"
	case runs * 2 / 5:
		what = "round as before"
	case runs * 5 / 6:
		broken, what = "8\n", "vouchers in cents"
	default:
		return nil
	}
	if err := os.WriteFile(filepath.Join(repo, "broken.txt"), []byte(broken), 0o644); err != nil {
		return err
	}
	return git("commit", "-qam", what)
}

// measureSuite makes the record of the suite, and measures its page.
func measureSuite(ctx context.Context, o options) (err error) {
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "cairn-suite-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	if o.cairn, err = program(o.cairn); err != nil {
		return err
	}
	o.name, o.repo, o.record = "shop", filepath.Join(o.dir, "shop"), false
	if _, missing := os.Stat(o.repo); missing != nil {
		if err := makeSuite(ctx, o, o.repo); err != nil {
			return err
		}
	}
	return measure(ctx, o)
}

// program returns the absolute path of a program.
func program(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}
