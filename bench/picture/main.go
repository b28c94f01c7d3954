// Command picture draws the README's picture of a terminal: it builds cairn, runs it on a copy of examples/cart,
// corrects one of the two mistakes, runs it again, and writes the commands and their output as SVG.
//
//	go -C bench run ./picture docs/terminal.svg
//
// Nothing in the picture is made up. Ids and times differ from run to run.
package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cairn/bench/tree"
)

// The session. Lines that begin with "# " are only shown; the edit itself is not shown.
var session = []string{
	"cairn capture run -- go -C examples/cart test -v ./...",
	"# mend one of the two mistakes, and run it again",
	"cairn capture run -- go -C examples/cart test -v ./...",
	"cairn recall diff",
}

const edit = `sed -i.bak 's/sum > 10_000/sum >= 10_000/' examples/cart/cart.go && rm examples/cart/cart.go.bak`

func main() {
	tree.Enter()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: picture FILE.svg")
		os.Exit(2)
	}
	if err := draw(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "picture: %v\n", err)
		os.Exit(1)
	}
}

func draw(ctx context.Context, file string) (err error) {
	tmp, err := os.MkdirTemp("", "cairn-picture-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	program := filepath.Join(tmp, "bin", "cairn")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/cairn").CombinedOutput(); err != nil {
		return fmt.Errorf("building cairn: %w\n%s", err, out)
	}
	dir := filepath.Join(tmp, "project")
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("examples")); err != nil {
		return err
	}
	shell := func(line string) string {
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+tmp, "CAIRN_DIR=",
			"GOCACHE="+filepath.Join(tmp, "cache"), "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, _ := cmd.CombinedOutput() // the tests fail, as the picture shows
		return string(out)
	}
	if out := shell("git init -q && git add -A && git -c user.name=dev -c user.email=dev@example.com commit -qm cart"); out != "" {
		return fmt.Errorf("making a repository: %s", out)
	}
	var lines []string
	for _, line := range session {
		if strings.HasPrefix(line, "# ") {
			lines = append(lines, "$ "+line)
			shell(edit)
			continue
		}
		lines = append(append(lines, "$ "+line), strings.Split(strings.TrimSpace(shell(line)), "\n")...)
	}
	return os.WriteFile(file, []byte(svg(lines)), 0o666)
}

const (
	columns    = 112 // longer lines are wrapped, as in a terminal
	lineHeight = 20
	charWidth  = 8.5 // pixels, for a monospaced font of 14 pixels
)

// svg draws lines as in a terminal; commands are bold.
func svg(lines []string) string {
	var b strings.Builder
	y := 0
	for _, line := range lines {
		typed := strings.HasPrefix(line, "$ ")
		for rest := []rune(line); ; {
			part := rest[:min(len(rest), columns)]
			rest = rest[len(part):]
			y += lineHeight
			fmt.Fprintf(&b, "<text x=\"16\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", y+12, look(string(part), typed), html.EscapeString(string(part)))
			if len(rest) == 0 {
				break
			}
		}
	}
	const width = columns*charWidth + 32
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#d6d6d6">
<rect width="%[1]d" height="%[2]d" rx="8" fill="#1b1f24"/>
%s</svg>
`, int(width), y+lineHeight+12, b.String())
}

// look returns the style of a line: a command, a verdict, or another line.
func look(text string, typed bool) string {
	switch {
	case typed:
		return ` font-weight="bold" fill="#ffffff"`
	case strings.HasPrefix(text, "go-test failed"):
		return ` fill="#ff9a8a"`
	case strings.HasPrefix(text, "["):
		return ` fill="#8b949e"`
	}
	return ""
}
