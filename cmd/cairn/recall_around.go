package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"cairn/internal/place"
	"cairn/recall"
	"cairn/result"
)

// around prints the output around a finding.
func (a *app) around(out *recall.Output, fingerprint string) error {
	f, err := out.FindingOf(fingerprint)
	if err == nil {
		err = out.Around(a.stdout, f)
	}
	return asNotFound(err)
}

// openPlace opens the place of a finding in the editor.
func (a *app) openPlace(site *place.Site, out *recall.Output, fingerprint string) error {
	f, err := out.FindingOf(fingerprint)
	if err != nil {
		return asNotFound(err)
	}
	if f.At == nil || f.At.Path == "" || f.At.External {
		return notFound{fmt.Errorf("finding %s has no place in the workspace", result.CleanLine(f.Fingerprint))}
	}
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	file := filepath.Join(site.Workspace.Root, filepath.FromSlash(f.At.Path))
	if rel, err := filepath.Rel(site.Workspace.Root, file); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("the place of finding %s lies outside the workspace", f.Fingerprint)
	}
	cmd := exec.Command("sh", "-c", editor+` "$@"`, editor, "+"+strconv.Itoa(max(f.At.Line, 1)), file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.stdout, a.stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running %s: %w", editor, err)
	}
	return nil
}

// noteRecalled counts the bytes that an agent reads again, for the statistics. Those of
// a person at a terminal do not count.
func (a *app) noteRecalled(site *place.Site, bytes int64) {
	if bytes > 0 && !isTerminal(a.stdout) {
		recall.NoteRecalled(site, bytes, time.Now())
	}
}

// counter counts the bytes written through it.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
