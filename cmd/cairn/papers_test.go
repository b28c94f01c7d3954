package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestDesignNamesEveryCommand: the commands in docs/design.md are those of the program.
func TestDesignNamesEveryCommand(t *testing.T) {
	page, err := os.ReadFile("../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "## Commands\n\n```\n")
	block, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/design.md has no block of commands")
	}
	var written []string
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "cairn "), "  ") // what it does
		words, above := strings.Fields(strings.ReplaceAll(line, " | ", "|")), ""
		if len(words) > 1 && words[1] == strings.ToLower(words[1]) && words[1][0] >= 'a' {
			above, words = words[0]+" ", words[1:] // "recall diff", not "search TEXT"
		}
		for name := range strings.SplitSeq(words[0], "|") {
			written = append(written, above+name)
		}
	}
	var there []string
	root := newRoot(&app{}, nil)
	for _, c := range root.Commands() {
		there = append(there, commandsBelow(c, "")...)
	}
	for _, name := range there {
		if !slices.Contains(written, name) {
			t.Errorf("docs/design.md does not name the command %q: it has %q", name, written)
		}
	}
	for _, name := range written {
		if !slices.Contains(there, name) {
			t.Errorf("docs/design.md names %q, which is no command: %q", name, there)
		}
	}
}

// commandsBelow are the commands at and below c that have none below them, by their
// names from the root.
func commandsBelow(c *cobra.Command, above string) (names []string) {
	if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
		return nil
	}
	if !c.HasSubCommands() {
		return []string{above + c.Name()}
	}
	for _, sub := range c.Commands() {
		names = append(names, commandsBelow(sub, above+c.Name()+" ")...)
	}
	return names
}
