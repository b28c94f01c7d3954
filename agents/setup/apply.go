package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/durable"
)

// Apply makes the planned changes. The state is saved before each file is written, so that an interrupted install can
// be removed.
func (p *Plan) Apply() error {
	for _, c := range p.Changes {
		if c.Same() {
			continue
		}
		if err := p.apply(c); err != nil {
			return fmt.Errorf("changing %s: %w", c.Path, err)
		}
	}
	if p.claim() {
		if err := p.remember(); err != nil {
			return err
		}
	}
	if !p.remove || p.Empty() {
		return nil
	}
	if len(p.state.Files) == 0 {
		if err := os.Remove(p.s.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	dirs := slices.Clone(p.state.Dirs)
	slices.Reverse(dirs)
	for _, dir := range dirs {
		os.Remove(dir) // fails if the directory is not empty, as intended
	}
	if len(p.state.Files) == 0 {
		return nil
	}
	return p.remember()
}

func (p *Plan) apply(c Change) error {
	if p.remove {
		if err := write(c); err != nil {
			return err
		}
		delete(p.state.Files, c.Path)
		return p.remember()
	}
	was, known := p.state.Files[c.Path]
	if !known {
		was = remembered{Before: c.Before}
	} else if now := c.Before; now == nil || digest(now) != was.After {
		// The file was changed since: removing cairn must restore that version.
		rest, err := p.before(c.Path, now, p.pieces(c.Path))
		if err != nil {
			return err
		}
		was.Before = rest
	}
	for _, dir := range []string{p.s.DataDir(), filepath.Dir(c.Path)} {
		for _, missing := range missingDirs(dir) {
			if !slices.Contains(p.state.Dirs, missing) {
				p.state.Dirs = append(p.state.Dirs, missing)
			}
		}
	}
	was.After = digest(c.After)
	p.state.Files[c.Path] = was
	if err := p.remember(); err != nil {
		return err
	}
	return write(c)
}

func (p *Plan) remember() error {
	data, err := json.MarshalIndent(p.state, "", "  ")
	if err != nil {
		return err
	}
	return write(Change{Path: p.s.statePath(), After: append(data, '\n')})
}

// write replaces the whole file and keeps its mode. A symbolic link is followed, and its target replaced.
func write(c Change) error {
	path := c.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if c.After == nil {
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if c.Exec {
		mode |= 0o755
	}
	return durable.Replace(path, ".cairn-*", mode, durable.Bytes(c.After, true))
}

// missingDirs are the directories to create, outermost first.
func missingDirs(dir string) (dirs []string) {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			slices.Reverse(dirs)
			return dirs
		}
		dirs = append(dirs, dir)
		dir = filepath.Dir(dir)
	}
}

// packageFile is the kind of a piece that is a file of the package for pi.
const packageFile = "package file"

// whatIs names the kinds of pieces for people.
func whatIs(pieces []piece) (what []string) {
	words := map[string]string{
		"shell": "shell", "mcp": "MCP server", "package": "package", packageFile: "package", "skill": "skill", "instructions": "paragraph", "exclude": "not to be committed: .claude/settings.local.json",
	}
	for _, p := range pieces {
		if word := words[p.what]; !slices.Contains(what, word) {
			what = append(what, word)
		}
	}
	return what
}

// Summary describes the changes, one line per file. The files of a package are one line.
func (p *Plan) Summary() (lines []string) {
	packages := map[string]int{} // by folder: its line
	files := map[string]int{}
	for _, c := range p.Changes {
		if c.Same() {
			continue
		}
		verb := "changed"
		switch {
		case c.Before == nil:
			verb = "new"
		case c.After == nil:
			verb = "removed"
		}
		if folder := p.s.packageOf(c.Path); folder != "" {
			files[folder]++
			at, known := packages[folder]
			if !known {
				at = len(lines)
				packages[folder], lines = at, append(lines, "")
			}
			lines[at] = fmt.Sprintf("%-8s %s/ (package, %d files)", verb, p.s.Short(folder), files[folder])
			continue
		}
		lines = append(lines, fmt.Sprintf("%-8s %s (%s)", verb, p.s.Short(c.Path), strings.Join(c.What, ", ")))
	}
	return lines
}

// packageOf is the folder of pi's package that contains the file, or "".
func (s Surroundings) packageOf(path string) string {
	for _, folder := range []string{filepath.Join(s.DataDir(), "pi"), filepath.Join(s.Dir, ".pi", "cairn")} {
		if within(folder, path) {
			return folder
		}
	}
	return ""
}

// Short is a path relative to the project, or with ~ for the home.
func (s Surroundings) Short(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); s.Project && err == nil && filepath.IsLocal(rel) {
		return rel
	}
	if rel, err := filepath.Rel(s.Home, path); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}

// Diffs are the exact changes as unified diffs. A new file with the same content as one shown before is only named.
func (p *Plan) Diffs() string {
	var b strings.Builder
	shown := map[string]string{}
	for _, c := range p.Changes {
		if c.Same() {
			continue
		}
		if at := shown[string(c.After)]; c.Before == nil && at != "" {
			fmt.Fprintf(&b, "new %s: the same as %s\n", c.Path, at)
			continue
		}
		if c.Before == nil {
			shown[string(c.After)] = c.Path
		}
		b.WriteString(c.Diff())
	}
	return b.String()
}

// Left are the notes about what was not changed.
func (p *Plan) Left() (notes []string) {
	for _, c := range p.Changes {
		notes = append(notes, c.Notes...)
	}
	return notes
}

// starts is how a host must be started for the way to be used; "" if its settings or this environment already ensure
// it.
func (s Surroundings) starts(h host, p piece) string {
	if !p.exec || p.path != s.bashFirst() {
		return ""
	}
	if dirs := filepath.SplitList(s.Getenv("PATH")); len(dirs) > 0 && filepath.Clean(dirs[0]) == filepath.Dir(s.bashFirst()) {
		return ""
	}
	return s.bashStart(h.program)
}
