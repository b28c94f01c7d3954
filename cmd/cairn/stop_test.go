package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cairn/agents/hook"
)

// stopped is what the hook of a host said at a stop.
type stopped struct {
	Decision      string `json:"decision"`
	Reason        string `json:"reason"`
	SystemMessage string `json:"systemMessage"`
}

// TestStops: at each host an agent that lies or forgets is warned of or sent back, as it was set up,
// and one that is honest, or that changed nothing, is left alone.
func TestStops(t *testing.T) {
	agents := map[string]struct {
		does string
		hear string // "" is nothing
	}{
		"idle":                  {``, ""},
		"honest":                {`edit; run`, ""},
		"forgets":               {`edit`, "stale"},
		"lies":                  {`edit; break_it; run; repair; cap -- echo '3 passed in 0.01s'`, "missing"},
		"only half":             {`edit; cap -- pytest -q -k test_one`, "weakened"},
		"takes the checks away": {`edit; git rm -q .cairn/checks.toml; git commit -qm away`, "stale"},
	}
	type answer struct{ host, mode, agent, out string }
	answers := make(chan answer, 100)
	slots, n := make(chan struct{}, 6), 0
	for _, host := range hook.ProveHosts {
		for _, mode := range []string{hook.Warn, hook.Block} {
			for name, agent := range agents {
				if host != "claude" && (mode == hook.Warn || name != "lies" && name != "honest") {
					continue // they differ in the form of what they say and hear
				}
				sh := newSessionRepo(t)
				n++
				go func() {
					slots <- struct{}{}
					sh("")
					ask := func(event, more string) string {
						return fmt.Sprintf(`echo '{"hook_event_name":"%s","session_id":"s1","cwd":"'$PWD'"%s}' | cairn hook %s --prove=%s`, event, more, host, mode)
					}
					end := "Stop"
					if host == "gemini" {
						end = "AfterAgent"
					}
					sh(ask("SessionStart", ""))
					sh(agent.does)
					out := sh(ask(end, "")) + "\n--\n" + sh(ask(end, "")) + "\n--\n" + sh(ask(end, `,"stop_hook_active":true`)) + "\n--\n"
					for range 4 { // each time something else is changed and not tested
						out += sh("echo '#' >>lib.py; "+ask(end, "")) + "\n--\n"
					}
					answers <- answer{host, mode, name, out}
					<-slots
				}()
			}
		}
	}
	for range n {
		a := <-answers
		t.Run(a.host+" "+a.mode+" "+a.agent, func(t *testing.T) {
			checkStops(t, a.host, a.mode, agents[a.agent].hear, a.out)
		})
	}
}

func checkStops(t *testing.T, host, mode, hear, out string) {
	var said []stopped
	for text := range strings.SplitSeq(strings.TrimSuffix(out, "\n--\n"), "\n--\n") {
		var s stopped
		if text = strings.TrimSpace(text); text != "" {
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatalf("%v in\n%s", err, out)
			}
		}
		said = append(said, s)
	}
	block := "block"
	if host == "gemini" {
		block = "deny"
	}
	first := said[0]
	text := first.SystemMessage
	if mode == hook.Block {
		text = first.Reason
	}
	switch {
	case len(said) != 7:
		t.Fatalf("%d answers:\n%s", len(said), out)
	case hear == "" && first != stopped{}:
		t.Errorf("it was bothered:\n%s", out)
	case hear != "" && (!strings.Contains(text, hear+" ") || !strings.Contains(text, "cairn prove --run") || (first.Decision == block) != (mode == hook.Block)):
		t.Errorf("it should hear %q:\n%s", hear, out)
	case said[1] != stopped{}:
		t.Errorf("it is bothered twice for the same files:\n%s", out)
	case said[2].Decision != "":
		t.Errorf("it is blocked though it goes on because of a hook:\n%s", out)
	}
	blocks := 0
	for _, s := range said {
		if s.Decision != "" {
			blocks++
		}
	}
	if want := map[string]int{hook.Warn: 0, hook.Block: 2}[mode]; blocks != want {
		t.Errorf("it is blocked %d times, and should be %d times:\n%s", blocks, want, out)
	}
	if said[6].SystemMessage == "" {
		t.Errorf("the last change is not spoken of:\n%s", out)
	}
}
