package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"

	"cairn/bench/agents/host"
	"cairn/bench/agents/model"
)

// tasks are ten typical tasks of agents, each a list of shell lines. Some print little, so that cairn can only add
// tokens.
var tasks = []struct {
	name  string
	lines []string
	sees  string // text that the model must see, with and without cairn
}{
	{"failing tests", []string{pytest}, "1 failed"},
	{"failing tests, then their output again", []string{pytest, pytest + " --tb=long"}, "1 failed"},
	{"passing test", []string{pytest + " -k ok"}, "1 passed"},
	{"many failures", []string{"for i in $(seq 1 40); do printf 'def test_%s():\\n    value = %s\\n    assert value == 0, \"value is wrong\"\\n\\n' $i $i; done > test_many.py; " + pytest + " test_many.py"}, "40 failed"},
	{"look around", []string{"ls -la", "git status", "git log --oneline | head"}, "On branch"},
	{"read a file", []string{"cat test_sum.py"}, "the sum is wrong"},
	{"vet that fails", []string{"mkdir -p g && cd g && printf 'module m\\n' > go.mod && printf 'package m\\n\\nfunc f() int { return \"a\" }\\n' > f.go && go vet ./..."}, "f.go:3"},
	{"a long log", []string{"seq 1 3000"}, "1"},
	{"command not found", []string{"nosuchcommand --version | cat"}, "not found"},
	{"edit and test", []string{"sed -i 's/== 3/== 2/' test_sum.py && " + pytest}, "2 passed"},
}

// countTokens prints, per task and agent, the tokens of all tool results that the model saw, and of the last request.
func countTokens(ctx context.Context, w io.Writer, hosts []*host.Host, agents, bin, work string) error {
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		return err
	}
	count := func(s string) int { return len(enc.Encode(s, nil, nil)) }
	for _, h := range hosts {
		fmt.Fprintf(w, "\n%s %s: tokens (o200k) of tool results, and of the last request; without cairn → with it\n\n", h.Name, h.Version())
		var sum [2][2]int
		for i, task := range tasks {
			var got [2][2]int
			for with := range 2 {
				s, err := newScene(ctx, h, agents, bin, filepath.Join(work, fmt.Sprintf("%s-%d-%d", h.Name, i, with)))
				if err != nil {
					return err
				}
				if got[with], err = s.tokens(task.lines, task.sees, with == 1, count); err != nil {
					return fmt.Errorf("%s: %s: %w", h.Name, task.name, err)
				}
				sum[with][0] += got[with][0]
				sum[with][1] += got[with][1]
			}
			fmt.Fprintf(w, "%-40s %6d → %6d   %6d → %6d\n", task.name, got[0][0], got[1][0], got[0][1], got[1][1])
		}
		fmt.Fprintf(w, "%-40s %6d → %6d   %6d → %6d\n", "all", sum[0][0], sum[1][0], sum[0][1], sum[1][1])
	}
	return nil
}

// tokens plays a task and counts. It fails if the model does not see the text sees, as when a tool is missing.
func (s *scene) tokens(lines []string, sees string, with bool, count func(string) int) (got [2]int, err error) {
	o := options{mode: "allow"}
	if with {
		if err := s.init(""); err != nil {
			return got, err
		}
	}
	if s.host.Name == "codex" && with {
		o.args = s.approves()
	}
	var turns []model.Turn
	for _, line := range lines {
		turn := model.Use(s.host.Shell, s.host.ShellArgs(line))
		if with && !s.beneath() {
			turn = s.tool("capture_run", map[string]any{"command": line})
		}
		turns = append(turns, turn)
	}
	m := model.Start(append(turns, model.Say("done"))...)
	defer m.Close()
	if _, err := s.play(m, o); err != nil {
		return got, err
	}
	if err := has(strings.Join(m.Last().Results, "\n"), sees); err != nil {
		return got, err
	}
	for _, r := range m.Last().Results {
		got[0] += count(r)
	}
	got[1] = count(string(m.Last().Raw))
	return got, nil
}
