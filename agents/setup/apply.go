package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
