package main

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestChosenCommands: a command is called by the name under which it is listed, and
// says the same whether the others were made or not.
func TestChosenCommands(t *testing.T) {
	a := &app{out: &output{}, err: &output{}}
	all := newRoot(a, []string{"help"})
	if n := len(all.Commands()); n != len(commands()) || n < 10 {
		t.Fatalf("%d commands for help, and %d there are", n, len(commands()))
	}
	for _, c := range commands() {
		alone := newRoot(a, []string{c.name}).Commands()
		if len(alone) != 1 || alone[0].Name() != c.name {
			t.Errorf("%s: %d commands are made for it", c.name, len(alone))
			continue
		}
		among, _, err := all.Find([]string{c.name})
		if err != nil {
			t.Error(err)
			continue
		}
		compareHelp(t, alone[0], among)
	}
}

func compareHelp(t *testing.T, alone, among *cobra.Command) {
	t.Helper()
	if alone.CommandPath() != among.CommandPath() || alone.UsageString() != among.UsageString() || alone.Long != among.Long || len(alone.Commands()) != len(among.Commands()) {
		t.Errorf("%s: alone\n%s\namong all\n%s", among.CommandPath(), alone.UsageString(), among.UsageString())
		return
	}
	for i, sub := range among.Commands() {
		compareHelp(t, alone.Commands()[i], sub)
	}
}
