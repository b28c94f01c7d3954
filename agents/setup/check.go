package setup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Way is an installed connection between an agent and cairn, and whether it works.
type Way struct {
	Agent, What, Path string
	Err               error  // nil: a capture went through it
	If                string // how the agent must be started for the way to be used; "" if any way does
}

// patience bounds the trial of one way; a capture takes about ten milliseconds.
const patience = 30 * time.Second

// Check runs a capture through each way that is installed for these agents, in a store of its own that is removed
// afterwards. Ways that only agents read (skills, instructions) are compared with what was installed.
func Check(ctx context.Context, s Surroundings, names []string, environ []string) ([]Way, error) {
	st, err := s.readState()
	if err != nil {
		return nil, err
	}
	var ways []Way
	for _, h := range hosts {
		if !slices.Contains(names, h.name) {
			continue
		}
		with := s
		with.RunTool = true
		other := with.piecesOf(h, st)
		for i, p := range s.piecesOf(h, st) {
			was, installed := st.Files[p.path]
			if !installed || p.leftAt(was.Before) || !slices.Contains(was.For, s.owner(h.name)) {
				continue
			}
			err := s.check(ctx, []piece{p, other[i]}, environ)
			if p.what == packageFile && err == nil { // the package reports that it works
				continue
			}
			ways = append(ways, Way{h.name, p.what, p.path, err, s.starts(h, p)})
		}
	}
	return ways, nil
}

// leftAt says whether the setting was made by someone else before, so that nothing was installed.
func (p piece) leftAt(before []byte) bool {
	_, err := p.edit.put(before)
	return errors.Is(err, errTaken)
}

// check tries an installed piece. forms are its two possible contents: with the tool that runs commands, and without.
func (s Surroundings) check(ctx context.Context, forms []piece, environ []string) error {
	p := forms[0]
	now, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(forms, func(f piece) bool { return f.edit.in(now) }) {
		return errors.New("it is not there as this cairn installs it: run cairn init again")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	switch {
	case p.exec:
		return s.tryShell(ctx, p.path, environ)
	case p.what == "shell":
		return s.tryShell(ctx, s.StandIn(), environ)
	case p.what == "mcp":
		return s.tryServer(ctx, environ, []string{"mcp"}, mcpTalk, "capture", "run", "--", "echo", word)
	case p.what == "package":
		return s.tryServer(ctx, environ, []string{"rpc"}, rpcTalk)
	}
	return nil
}

// Piped tests whether the output of a command before a pipe is kept, and says in one line for which commands it is.
func Piped(ctx context.Context, s Surroundings, environ []string) string {
	const but = "not that of functions, of $(...), of lines for other shells than bash, or on Windows"
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dir, env, err := trial(environ)
	if err != nil {
		return "behind a pipe: not tried: " + err.Error()
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, s.Program, "capture", "run", "--format", "json", "--shell-program", "bash", "--shell", "cat /dev/null | cat")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), `"before"`) {
		return "behind a pipe: what a reader (| tail) cuts off is NOT kept here: that needs bash, and cairn-stage beside " + s.Program
	}
	return "behind a pipe: what external commands print is kept, " + but
}

// trial creates an empty store and an environment that uses it, so that nothing is recorded with
// the user's captures.
func trial(environ []string) (dir string, env []string, err error) {
	dir, err = os.MkdirTemp("", "cairn-check-")
	if err != nil {
		return "", nil, err
	}
	for _, kv := range environ {
		if key, _, _ := strings.Cut(kv, "="); key != "CAIRN_DIR" && key != "CAIRN_INSIDE" && key != "CAIRN_SHOW" {
			env = append(env, kv)
		}
	}
	return dir, append(env, "CAIRN_DIR="+filepath.Join(dir, "store")), nil
}

// word is what the trial command prints.
const word = "cairn-init-check"

func (s Surroundings) tryShell(ctx context.Context, standIn string, environ []string) error {
	dir, env, err := trial(environ)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, standIn, "-c", "cat "+word)
	cmd.Dir, cmd.Env = dir, env
	if err := os.WriteFile(filepath.Join(dir, word), []byte(word+"\n"), 0o600); err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != word+"\n" {
		return fmt.Errorf("a command run through %s printed %q: %w", standIn, out, err)
	}
	return s.recorded(ctx, dir, env)
}

// recorded checks that the capture was recorded.
func (s Surroundings) recorded(ctx context.Context, dir string, env []string) error {
	cmd := exec.CommandContext(ctx, s.Program, "recall", "objects", "--grep", word)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the command ran and was not recorded: %s", strings.TrimSpace(string(out)))
	}
	return nil
}

// tryServer starts cairn as a server, has it run a command or report one that was captured before, and looks for that
// capture in the record.
func (s Surroundings) tryServer(ctx context.Context, environ, args []string, talk []line, before ...string) (err error) {
	dir, env, err := trial(environ)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if len(before) > 0 {
		run := exec.CommandContext(ctx, s.Program, before...)
		run.Dir, run.Env = dir, env
		if out, err := run.CombinedOutput(); err != nil {
			return fmt.Errorf("cairn %s: %w %s", strings.Join(before, " "), err, out)
		}
	}
	cmd := exec.CommandContext(ctx, s.start(), args...)
	cmd.Dir, cmd.Env = dir, env
	var errs strings.Builder
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	answer, err := converse(in, out, talk)
	in.Close()
	if waitErr := cmd.Wait(); err == nil {
		err = waitErr
	}
	switch {
	case err != nil:
		return fmt.Errorf("cairn %s: %w %s", args[0], err, strings.TrimSpace(errs.String()))
	case !strings.Contains(answer, word):
		return fmt.Errorf("cairn %s answered %s", args[0], answer)
	}
	return s.recorded(ctx, dir, env)
}

// line is a request, and the id of its answer; id is "" if there is no answer.
type line struct{ id, text string }

var mcpTalk = []line{
	{"1", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"cairn init","version":"1"}}}`},
	{"", `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
	{"2", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"op":"search","grep":"` + word + `"}}}`},
}

var rpcTalk = []line{
	{"1", `{"id":"1","method":"hello","params":{"version":1,"agent":"pi"}}`},
	{"2", `{"id":"2","method":"run","params":{"command":"echo ` + word + `"}}`},
}

// converse sends each line, waits for its answer, and returns the last one.
func converse(in io.Writer, out io.Reader, talk []line) (string, error) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for _, say := range talk {
		if _, err := io.WriteString(in, say.text+"\n"); err != nil {
			return "", err
		}
		for say.id != "" {
			if !lines.Scan() {
				return "", io.ErrUnexpectedEOF
			}
			var m struct {
				ID any `json:"id"`
			}
			if json.Unmarshal(lines.Bytes(), &m) == nil && fmt.Sprint(m.ID) == say.id {
				break
			}
		}
	}
	return lines.Text(), nil
}
