package host

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// inTerminal runs the agent in a terminal of its own until r.Done returns true or the agent ends. Stdout is the last
// screen, and Shown all screens.
func (r *Run) inTerminal(ctx context.Context, argv []string) (*Result, error) {
	socket := filepath.Join(r.Home, "tmp", "tmux-"+strconv.FormatInt(time.Now().UnixNano(), 36)) // the socket of an earlier run that was killed may still exist
	tmux := func(ctx context.Context, args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, "tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	}
	// tmux passes on some variables of the user, which env -i removes.
	command := append(append([]string{"env", "-i", "TERM=xterm-256color"}, r.environ()...), argv...)
	began := time.Now()
	if out, err := tmux(ctx, append([]string{"new-session", "-d", "-x", "100", "-y", "45", "-c", r.Dir, "-s", "agent", "--"}, command...)...); err != nil {
		return nil, fmt.Errorf("running %s in tmux: %w\n%s", r.Host.Name, err, out)
	}
	defer tmux(context.WithoutCancel(ctx), "kill-server")
	var shown, all []byte
	for {
		if screen, err := tmux(ctx, "capture-pane", "-p", "-t", "agent"); err == nil && !bytes.Equal(screen, shown) {
			shown, all = screen, append(all, screen...)
		}
		switch _, err := tmux(ctx, "has-session", "-t", "agent"); {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("running %s in tmux: %w; its terminal shows\n%s", r.Host.Name, ctx.Err(), shown)
		case r.Done() || err != nil:
			return &Result{Stdout: shown, Shown: all, Took: time.Since(began)}, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}
