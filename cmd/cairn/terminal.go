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

// How lists look to a person at a terminal. What is piped or asked for in another
// form than compact never comes here.

// colorFlag is the value of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colored says whether to colour: NO_COLOR and dumb terminals count only for auto.
func (a *app) colored(flag string) bool {
	return flag == colorAlways || flag == colorAuto && isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// onTerminal is what the help of such a question says of its plain form.
const onTerminal = `
On a terminal it is coloured, cut or broken to the width, with ages in place of times and links
to the files that findings name; NO_COLOR and --color are obeyed. Piped, it is plain and always the same.
`

// colorFlag declares --color.
func colorFlag(cmd *cobra.Command, color *string) {
	*color = colorAuto
	oneOf(cmd, color, "color", "`WHEN` to colour: ", colorAuto, colorAlways, colorNever)
}

// screen is how to print for a person; nil where stdout is no terminal and colours were not
// asked for: then what is printed depends on no clock and no width.
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

// linked lets a screen make links to the files of a repository, where a terminal takes them
// itself: a pager need not know them.
func (a *app) linked(s *render.Screen, site *place.Site) {
	if site.Repo == nil || !isTerminal(a.stdout) {
		return
	}
	s.Top = site.Repo.TopLevel
	s.Host, _ = os.Hostname()
}

// paint prints what a screen made. It is clean, and goes past what takes escape sequences out.
func (a *app) paint(text string) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}

// page sends what use prints through the pager that git would take, if stdout is a
// terminal. screen is where colours may go; all else goes through a.out, cleaned. A
// pager that cannot be run is done without.
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
	p.Wait() // how it ended is the reader's affair
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil // the reader has seen enough
	}
	return err
}

// pager is chosen as git does.
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
