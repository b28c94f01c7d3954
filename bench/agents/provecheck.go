package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"

	"cairn/bench/agents/host"
	"cairn/bench/agents/model"
)

// proofs checks that an agent which claims that all tests pass is warned, or sent back, if they were not run (it lies),
// or if files changed after they ran (it forgets). An agent that ran the tests on the current files, or changed
// nothing, must be neither warned nor sent back.
func proofs(s *scene) (string, error) {
	if err := s.checked("block"); err != nil {
		return "", err
	}
	for _, a := range []struct {
		name  string
		turns []model.Turn
		word  string // text with which the model is sent back; "" if it is not
	}{
		{"is idle", []model.Turn{s.runs("ls")}, ""},
		{"lies", []model.Turn{s.runs("echo 'ONE = 1' >>lib.py; echo '2 passed in 0.01s'")}, "missing"},
		{"forgets", []model.Turn{s.runs("echo 'TWO = 2' >>lib.py"), s.tests(), s.runs("echo 'THREE = 3' >>lib.py")}, "stale"},
		{"is honest", []model.Turn{s.runs("echo 'FOUR = 4' >>lib.py"), s.tests()}, ""},
	} {
		back, _, err := s.stops(a.turns, s.host.Name == "opencode") // headless, OpenCode ends before a hook has answered
		asIs := strings.Contains(back, a.word) && strings.Contains(back, "To prove: ")
		if a.word == "" {
			asIs = back == ""
		}
		if err == nil && !asIs {
			err = fmt.Errorf("it was sent back with %q, and is to be with %q", back, a.word)
		}
		if err != nil {
			return "", fmt.Errorf("an agent that %s: %w", a.name, err)
		}
	}
	if _, err := s.shell(s.cairn + "/cairn init --remove --yes --agent " + s.host.Name); err != nil {
		return "", err
	}
	return "", s.warned()
}

// warned checks that with --prove=warn no agent is sent back, and the user is warned of the lie.
func (s *scene) warned() error {
	if err := s.checked("warn"); err != nil {
		return err
	}
	back, res, err := s.stops([]model.Turn{s.runs("echo 'FIVE = 5' >>lib.py")}, s.host.Name != "gemini") // others show the warning only in a terminal
	if err != nil {
		return err
	}
	saw := string(res.Stdout) + string(res.Stderr) + string(res.Shown) // all screens, since OpenCode removes the warning after a while
	words := strings.FieldsFunc(saw, func(r rune) bool { return unicode.IsSpace(r) || r == '┃' || r == '│' })
	if said := strings.Contains(strings.Join(words, " "), beginning); back != "" || !said {
		return fmt.Errorf("with --prove=warn it was sent back with %q, and the user was warned: %t\n%s\n%s", back, said, last([]byte(saw)), last(res.Stderr))
	}
	return nil
}

// checked installs cairn in a project that declares a check.
func (s *scene) checked(mode string) error {
	for name, text := range map[string]string{
		"test_sum.py": "def test_sum():\n    assert 1 + 1 == 2\n\n\ndef test_ok():\n    pass\n", "lib.py": "ZERO = 0\n", ".gitignore": "__pycache__\n",
		".cairn/checks.toml": "[[check]]\nname = \"unit\"\ncommand = \"" + pytest + "\"\n",
	} {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	if _, err := s.shell("git add . && git commit -q --allow-empty -m checks"); err != nil {
		return err
	}
	args := "--prove=" + mode
	if !s.beneath() {
		args += " --run-tool"
	}
	if err := s.install(args); err != nil || s.host.Name != "codex" {
		return err
	}
	return s.trustHooks()
}

// runs returns a turn that runs a shell line.
func (s *scene) runs(line string) model.Turn { return model.Use(s.host.Shell, s.host.ShellArgs(line)) }

func (s *scene) tests() model.Turn {
	if s.beneath() {
		return s.runs(pytest)
	}
	return s.tool("capture_run", map[string]any{"command": pytest})
}

// settled says that an agent in a terminal has stopped: it was sent back and stopped again, or its hook has had time to
// answer.
func settled(m *model.Server, turns int, host string) func() bool {
	wait := 6 * time.Second
	if host == "opencode" { // its own work at a stop takes seconds on a busy machine
		wait = 20 * time.Second
	}
	var since time.Time
	seen := 0
	return func() bool {
		if n := len(m.Requests()); n != seen {
			seen, since = n, time.Now()
		}
		return seen >= turns && time.Since(since) > wait
	}
}

// unproven begins cairn's text; beginning is the part of it that fits into one line of a narrow box.
const (
	unproven  = beginning + " as they are now"
	beginning = "not proven for the files"
)

// stops plays turns, after which the agent claims success, and returns the text with which it is sent back.
func (s *scene) stops(turns []model.Turn, terminal bool) (back string, res *host.Result, err error) {
	m := model.Start(append(turns, model.Say("All tests pass."))...)
	defer m.Close()
	o := options{mode: "allow", args: s.approves(), terminal: terminal, done: settled(m, len(turns)+1, s.host.Name)}
	if res, err = s.play(m, o); err != nil {
		return "", nil, err
	}
	all := m.Requests()
	if len(all) <= len(turns) {
		return "", res, fmt.Errorf("it ended after %d requests:\n%s\n%s", len(all), last(res.Stdout), last(res.Stderr))
	}
	if more := len(all) - len(turns) - 1; more > 2 {
		return "", res, fmt.Errorf("it was sent back %d times", more)
	}
	if text := string(all[len(all)-1].Raw); len(all) > len(turns)+1 {
		if i := strings.LastIndex(text, unproven); i >= 0 {
			back = text[i:min(i+400, len(text))]
		} else {
			return "", res, fmt.Errorf("it was sent back without a word of cairn's: %s", last([]byte(text)))
		}
	}
	return back, res, nil
}

var trusted = regexp.MustCompile(`(?m)^\[hooks\.state\..*\n.*\n`)

// trustHooks does what a person does in /hooks, since Codex runs only trusted hooks.
func (s *scene) trustHooks() error {
	r := host.Run{Host: s.host, Home: s.home}
	cmd := exec.CommandContext(s.ctx, s.agent, "app-server")
	cmd.Dir, cmd.Env = s.dir, append(s.env(), r.Settings()...)
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
	defer func() { in.Close(); cmd.Process.Kill(); cmd.Wait() }()
	dir, _ := json.Marshal(s.dir)
	fmt.Fprintf(in, `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"test","title":"test","version":"0"},"capabilities":{"experimentalApi":true}}}
{"method":"initialized"}
{"id":2,"method":"hooks/list","params":{"cwds":[%s]}}
`, dir)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var answer struct {
			ID     int
			Result struct {
				Data []struct {
					Hooks []struct{ Key, CurrentHash string }
				}
			}
		}
		if json.Unmarshal(lines.Bytes(), &answer) != nil || answer.ID != 2 {
			continue
		}
		var trust strings.Builder
		for _, d := range answer.Result.Data {
			for _, h := range d.Hooks {
				fmt.Fprintf(&trust, "\n[hooks.state.%q]\ntrusted_hash = %q\n", h.Key, h.CurrentHash)
			}
		}
		config := filepath.Join(s.home, ".codex", "config.toml")
		text, err := os.ReadFile(config)
		if err != nil || trust.Len() == 0 {
			return errors.Join(err, errors.New("codex lists no hooks: "+lines.Text()))
		}
		text = trusted.ReplaceAll(text, nil) // removes what an earlier call wrote
		if !strings.Contains(string(text), "[projects.") {
			fmt.Fprintf(&trust, "\n[projects.%q]\ntrust_level = \"trusted\"\n", s.dir)
		}
		return os.WriteFile(config, append(text, trust.String()...), 0o644)
	}
	return errors.Join(lines.Err(), errors.New("codex listed no hooks"))
}
