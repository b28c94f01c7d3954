package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/build"
)

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
