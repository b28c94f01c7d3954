package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

func newSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "the JSON Schema of a ToolResult",
		Long: `Print the JSON Schema (draft 2020-12) that every result in JSON satisfies.

Exit status:
  0  always`,
		Example: `  cairn schema | jq '.properties.status'`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(result.Schema())
			return err
		},
	}
}

// Man pages in the man(7) macros, made from --help. Cobra's own generator is not used:
// its two libraries would make every start of the program a millisecond slower.

// manPage is the page of a command.
func manPage(c *cobra.Command) string {
	var p page
	p.line(`.TH "%s" "1" "" "cairn %s" "cairn"`, strings.ToUpper(dashed(c)), roff(build.Version()))
	p.line(".nh")
	p.line(".SH NAME\n%s \\- %s", roff(dashed(c)), roff(c.Short))
	p.line(".SH SYNOPSIS\n\\fB%s\\fP", roff(c.UseLine()))
	p.line(".SH DESCRIPTION")
	p.text(longOf(c))
	p.flags("OPTIONS", c.NonInheritedFlags())
	p.flags("OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		p.line(".SH EXAMPLES")
		p.block(strings.Split(strings.TrimRight(c.Example, "\n"), "\n"))
	}
	p.related(c)
	return p.String()
}

// dashed is the name of a command's man page: "cairn-recall-diff".
func dashed(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func longOf(c *cobra.Command) string {
	if c.Long == "" {
		return strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	return c.Long
}

// page is a man page that is being written.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// text writes paragraphs; indented lines are written as they are.
func (p *page) text(text string) {
	var block []string
	end := func() {
		if len(block) > 0 {
			p.block(block)
			block = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "  "):
			block = append(block, line)
		case line == "":
			end()
			p.line(".PP")
		default:
			end()
			p.line("%s", roffLine(line))
		}
	}
	end()
}

// block writes lines without filling them.
func (p *page) block(lines []string) {
	p.line(".nf")
	for _, line := range lines {
		p.line("%s", roffLine(line))
	}
	p.line(".fi")
}

func (p *page) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.line(".SH %s", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "\\fB" + roff("--"+f.Name) + "\\fP"
		if f.Shorthand != "" {
			name = "\\fB" + roff("-"+f.Shorthand) + "\\fP, " + name
		}
		if value != "" {
			name += " \\fI" + roff(value) + "\\fP"
		}
		p.line(".TP\n%s\n%s", name, roffLine(usage))
	})
}

// related names the pages of the parent and of the subcommands.
func (p *page) related(c *cobra.Command) {
	var all []string
	if c.HasParent() {
		all = append(all, dashed(c.Parent()))
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			all = append(all, dashed(below))
		}
	}
	if len(all) == 0 {
		return
	}
	for i, name := range all {
		all[i] = "\\fB" + roff(name) + "\\fP(1)"
	}
	p.line(".SH SEE ALSO\n%s", strings.Join(all, ",\n"))
}

// roff escapes text, so that roff takes it literally; a "-" stays one that can be
// copied to a shell.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}

// roffLine escapes a line, so that roff does not take it for a request.
func roffLine(s string) string {
	s = roff(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
