package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/build"
	"cairn/result"
)

const helpManLong = `Print the man page of a command as roff, or write the pages of all commands, one
file each, into a directory.`

// exitHelp is the section on exit statuses of most commands' help: for success, for
// errors and, if given, for an empty answer.
func exitHelp(done, trouble string, nothing ...string) string {
	text := "\n\nExit status:\n  0  " + done + "\n  1  " + trouble + "\n  2  the command line is not right"
	if len(nothing) > 0 {
		text += "\n  3  " + nothing[0]
	}
	return text
}

// newHelp makes "cairn help COMMAND", and "cairn help man".
func newHelp(a *app) *cobra.Command {
	help := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "help for a command; man pages: cairn help man",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := commandOf(cmd.Root(), args)
			if err != nil {
				return usageError{cmd, err}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: completeCommands,
	}
	help.AddCommand(newHelpMan(a))
	return help
}

func newHelpMan(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "man pages",
		Long:  helpManLong + exitHelp("printed or written", "a page could not be written"),
		Example: `  cairn help man recall object | man -l -
  cairn help man --write ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := commandOf(cmd.Root(), args)
			if err == nil && dir != "" && len(args) > 0 {
				err = errors.New("--write writes the pages of all commands: name none")
			}
			if err != nil {
				return usageError{cmd, err}
			}
			if dir != "" {
				return a.writeManual(about, dir)
			}
			_, err = io.WriteString(a.stdout, manPage(about))
			return err
		},
		ValidArgsFunction: completeCommands,
	}
	cmd.Flags().StringVar(&dir, "write", "", "write the pages of all commands into this `DIRECTORY`")
	return cmd
}

// newVersion makes "cairn version", which prints the same as "cairn --version".
func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "which build this is",
		Long:    "Print the version, the commit and the time of the commit that this program was built from.\n\nExit status:\n  0  printed\n  2  the command line is not right",
		Example: "  cairn version",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.say("cairn %s\n", build.Version()) },
	}
}

// commandOf is the command with these words as its name, from the root on.
func commandOf(root *cobra.Command, words []string) (*cobra.Command, error) {
	at := root
	for _, word := range words {
		next, rest, err := at.Find([]string{word})
		if err != nil || len(rest) > 0 || next == at {
			return nil, noSuchCommand(at, word)
		}
		at = next
	}
	return at, nil
}

func completeCommands(cmd *cobra.Command, args []string, begun string) (all []string, _ cobra.ShellCompDirective) {
	at, err := commandOf(cmd.Root(), args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, c := range at.Commands() {
		if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
			all = append(all, c.Name()+"\t"+c.Short)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// writeManual writes man pages for a command and all its subcommands.
func (a *app) writeManual(about *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("writing man pages: %w", err)
	}
	n := 0
	var write func(c *cobra.Command) error
	write = func(c *cobra.Command) error {
		n++
		err := os.WriteFile(filepath.Join(dir, dashed(c)+".1"), []byte(manPage(c)), 0o644)
		for _, below := range c.Commands() {
			if err == nil && below.IsAvailableCommand() {
				err = write(below)
			}
		}
		return err
	}
	if err := write(about); err != nil {
		return fmt.Errorf("writing man pages: %w", err)
	}
	return a.say("wrote %s into %s\n", result.Count(n, "page"), dir)
}
