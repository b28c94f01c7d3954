package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cairn/agents/mcp"
	"cairn/agents/timeline/web"
	"cairn/attest"
	"cairn/internal/build"
	"cairn/internal/racing"
	"cairn/internal/tokens"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cairn": main, "cairn-tokens": serveTokens, "cairn-timeline": serveTimeline, "cairn-mcp": serveMCP, "cairn-attest": serveAttest})
}

// serveTokens is the program cairn-tokens.
func serveTokens() { os.Exit(tokens.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// serveTimeline is the program cairn-timeline.
func serveTimeline() { os.Exit(web.Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// serveMCP is the program cairn-mcp.
func serveMCP() {
	os.Exit(mcp.Run(context.Background(), build.Version(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// serveAttest is the program cairn-attest.
func serveAttest() {
	os.Exit(attest.Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// TestScript runs testdata/script with the real binary. The first word of a
// script's name is the command that it is about.
func TestScript(t *testing.T) {
	heedSignals(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Condition:           condition(t),
	})
}

// heedSignals: under nohup this process ignores SIGHUP, and so would each that a
// script starts. A signal that is caught here is at its default there.
func heedSignals(t *testing.T) {
	caught := make(chan os.Signal, 1) // and let fall, which is to ignore it
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
		if signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	t.Cleanup(func() { signal.Stop(caught) })
}

// setupScript keeps the user's own configuration and store out of it.
func setupScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	config := "[user]\n\tname = tester\n\temail = tester@localhost\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		return err
	}
	if strings.Contains(env.WorkDir, "_stages") {
		if err := installStage(); err != nil {
			return err
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GIT_CEILING_DIRECTORIES", env.WorkDir)
	env.Setenv("CI", "true") // no process stays behind, and the branch can be looked at
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	return nil
}

// installStage puts cairn-stage beside cairn, as it is installed. It is no function of this program, since it is
// started under the name of another.
var installStage = sync.OnceValue(func() error {
	cairn, err := exec.LookPath("cairn")
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", filepath.Dir(cairn), "cairn/cmd/cairn-stage").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building cairn-stage: %w\n%s", err, out)
	}
	return nil
})

// condition knows [mount], where a process may have mounts of its own, and
// [tool:NAME]. Where CAIRN_TEST_TOOLS is "required", as in CI, a missing tool is a
// failure and not a skip.
func condition(t *testing.T) func(string) (bool, error) {
	return func(cond string) (bool, error) {
		if cond == "race" {
			return racing.Enabled, nil
		}
		if cond == "mount" {
			return exec.Command("unshare", "-rm", "sh", "-c", "mount --bind . . && mount -o remount,bind,ro .").Run() == nil, nil
		}
		name, ok := cutPrefix(cond, "tool:")
		if !ok {
			return false, nil
		}
		_, err := exec.LookPath(name)
		if err != nil && os.Getenv("CAIRN_TEST_TOOLS") == "required" {
			t.Errorf("%s is not installed, and CAIRN_TEST_TOOLS=required", name)
		}
		return err == nil, nil
	}
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return "", false
	}
	return s[len(prefix):], true
}
