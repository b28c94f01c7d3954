package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cairn/internal/place"
	"cairn/render"
)

// Lists for a person at a terminal. Piped output and other formats than compact do not
// use this.

// Values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colored says whether to use colours: NO_COLOR and dumb terminals matter only for auto.
func (a *app) colored(flag string) bool {
	return flag == colorAlways || flag == colorAuto && isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// onTerminal is the help text on the output on a terminal.
const onTerminal = `
On a terminal it is coloured, cut or broken to the width, with ages in place of times and links
to the files that findings name; NO_COLOR and --color are obeyed. Piped, it is plain and always the same.
`

// colorFlag declares --color.
func colorFlag(cmd *cobra.Command, color *string) {
	*color = colorAuto
	oneOf(cmd, color, "color", "`WHEN` to colour: ", colorAuto, colorAlways, colorNever)
}

// screen describes the terminal to print for; nil if stdout is no terminal and colours
// were not asked for: then the output depends on neither clock nor width.
func (a *app) screen(color string, format render.Format) *render.Screen {
	if format != render.FormatCompact || !isTerminal(a.stdout) && color != colorAlways {
		return nil
	}
	s := &render.Screen{Width: 120, Color: a.colored(color), Now: time.Now()}
	if width, _, err := term.GetSize(int(a.outFile.Fd())); err == nil && width > 0 {
		s.Width = width
	}
	return s
}

// linked lets a screen make links to the files of a repository if stdout is a terminal;
// a pager may not support them.
func (a *app) linked(s *render.Screen, site *place.Site) {
	if site.Repo == nil || !isTerminal(a.stdout) {
		return
	}
	s.Top = site.Repo.TopLevel
	s.Host, _ = os.Hostname()
}

// paint prints the text of a screen. It is clean already, so it bypasses a.out, which would remove the colours.
func (a *app) paint(text string) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}

// page sends the output of use through git's pager, if stdout is a terminal. screen is
// for coloured text; all other text goes through a.out, which cleans it. If the pager
// cannot be run, the output is printed without it.
func (a *app) page(cmd *cobra.Command, site *place.Site, use func(screen io.Writer) error) error {
	line := ""
	if isTerminal(a.stdout) {
		line = a.pager(cmd, site)
	}
	if line == "" || line == "cat" {
		return use(a.stdout)
	}
	p := exec.Command("sh", "-c", line)
	p.Stdout, p.Stderr = a.stdout, a.stderr
	p.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		p.Env = append(p.Env, "LESS=FRX")
	}
	in, err := p.StdinPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		return use(a.stdout)
	}
	screen := a.out
	a.out = &output{to: in}
	err = errors.Join(use(in), a.out.Flush())
	a.out = screen
	in.Close()
	p.Wait() // the pager's exit status does not matter
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil // the reader left the pager early
	}
	return err
}

// pager is the user's pager, chosen as git does.
func (a *app) pager(cmd *cobra.Command, site *place.Site) string {
	if p, ok := os.LookupEnv("GIT_PAGER"); ok {
		return p
	}
	if site != nil && site.Home != nil {
		if p, err := site.Home.Config(cmd.Context(), "core.pager"); err == nil && p != "" {
			return p
		}
	}
	if p, ok := os.LookupEnv("PAGER"); ok {
		return p
	}
	return "less"
}
