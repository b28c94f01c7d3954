package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/bench/agents/model"
)

// piProves: the hook of cairn init --prove=block in the real pi sends an agent back that lies, and
// leaves one alone that ran the check on the files as they are.
func piProves(p *pi) {
	p.write(filepath.Join(p.home, "agent", "settings.json"), bareSettings)
	p.write(filepath.Join(p.dir, ".cairn", "checks.toml"), "[[check]]\nname = \"unit\"\ncommand = \""+pytest+"\"\n")
	p.write(filepath.Join(p.dir, "test_sum.py"), "def test_sum():\n    assert 1 + 1 == 2\n")
	p.write(filepath.Join(p.dir, ".gitignore"), "__pycache__\n")
	if out, err := exec.Command("sh", "-c", "cd "+p.dir+" && git add -A && git -c user.name=a -c user.email=a@b commit -qm one").CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	bin := p.program()
	p.env = slices.DeleteFunc(p.env, func(kv string) bool { return strings.HasPrefix(kv, "CAIRN_PROGRAM=") })
	p.env = append(p.env, "XDG_DATA_HOME="+filepath.Join(p.home, "data"), "SHELL=/bin/bash")
	p.run(bin, "init", "--agent", "pi", "--prove=block", "--yes")
	bash := func(line string) model.Turn { return model.Use("bash", map[string]any{"command": line}) }
	for _, a := range []struct {
		name  string
		turns []model.Turn
		word  string
	}{
		{"lies", []model.Turn{bash("echo 'ONE = 1' >>lib.py; echo '2 passed in 0.01s'")}, "missing"},
		{"is honest", []model.Turn{bash("echo 'TWO = 2' >>lib.py"), bash(pytest)}, ""},
	} {
		s, out := p.talk(append(a.turns, model.Say("All tests pass.")), "--mode", "json", "do it")
		all, back := s.Requests(), ""
		if len(all) > len(a.turns)+1 {
			back = string(all[len(all)-1].Raw)
			back = back[max(strings.LastIndex(back, unproven), 0):]
		}
		if (a.word == "") != (back == "") || !strings.Contains(back, a.word) {
			p.t.Errorf("an agent that %s is sent back with %.300q, and is to be with %q\n%s", a.name, back, a.word, last([]byte(out)))
		}
	}
}
