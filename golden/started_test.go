package golden

import (
	"strings"
	"testing"

	"cairn/parsers"
)

// started are ways to run a command that print nothing of their own and pass its exit status on.
var started = []string{
	"docker compose exec -T app %s", "docker run --rm -v $PWD:/w -w /w image %s", "kubectl exec deploy/app -c web -- %s", "ssh ci@host '%s'",
	"nix develop -c %s", "./wait-for-it.sh db:5432 -- %s", "tini -- %s", "systemd-run --user --scope %s",
	"(%s)", "{ %s; }", "mkdir -p out && %s", "sleep 1; %s", "(cd . && %s)",
}

// TestStarted: a command is the same command in a container, on another host, in parentheses and behind what prepares
// it: its tool, status and findings' identities stay.
func TestStarted(t *testing.T) {
	told := new(tally)
	told.inTools(t, 150)
	each(t, func(t *testing.T, c Case) {
		if strings.ContainsAny(c.Cmd, "|;&<>\n'\"$`(){}\\*=") || !c.Failing() || c.Exit.Signal != "" {
			return
		}
		want := asRecorded(c)
		p := parsers.OfCommand(strings.Fields(c.Cmd), "")
		if p == nil || p.Tool != want.Tool {
			return
		}
		same := 0
		for _, form := range started {
			in := c.Input(c.Output)
			in.Argv, in.Shell = nil, strings.Replace(form, "%s", c.Cmd, 1)
			got := parsers.Parse(in, c.Exit)
			if got.Tool != want.Tool || got.Status != want.Status || fingerprints(got) != fingerprints(want) {
				t.Errorf("%s: %s %s, want %s %s\n%s", in.Shell, got.Tool, got.Status, want.Tool, want.Status, diff(identities(want), identities(got)))
				continue
			}
			same++
		}
		told.add(c, same, len(started))
	})
}
