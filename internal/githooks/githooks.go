// Package githooks installs, in one clone, hooks of git that call cairn: two that add
// to a commit's message which checks are proven for it, and one that checks what is
// pushed.
//
// It writes only files of its own to the folder in which git looks for hooks. It leaves
// an existing hook alone, and says which line to add to it. It does not write to a
// folder outside of the clone, which other repositories may share (core.hooksPath).
// Remove deletes exactly the files that Install wrote.
//
// What goes in: those files. The command that they call decides what the hooks do.
package githooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/durable"
	"cairn/internal/gitrepo"
)

// Names are the hooks, in the order in which git calls them.
var Names = []string{"prepare-commit-msg", "commit-msg", "pre-push"}

// mark is the line by which a hook of this package is recognised.
const mark = "# written by cairn init --git-hooks; cairn init --remove takes it away"

// Hook is one hook of a clone.
type Hook struct {
	Name, Path string
	Is         State
	now, after []byte
}

// State is what exists in the place of a hook.
type State int

// States of a hook.
const (
	Absent State = iota
	Ours         // written by this package, perhaps in another mode
	Calls        // another program's, which calls cairn
	Others       // another program's, which does not call cairn
)

// Hooks are the hooks of a clone.
type Hooks struct {
	Dir    string // where git looks for them
	Shared bool   // the folder is not the clone's own
	All    []Hook
}

// Find looks at the hooks of a clone. program is the program that they should call;
// mode says what to do about a push of something unproven: warn or block.
func Find(ctx context.Context, r *gitrepo.Repo, program, mode string) (*Hooks, error) {
	dir, err := r.HooksDir(ctx)
	if err != nil {
		return nil, err
	}
	h := &Hooks{Dir: dir}
	if !within(r.CommonDir, dir) {
		h.Shared = r.TopLevel == "" || !within(r.TopLevel, dir)
		program = "cairn" // the folder may be shared with others
	}
	for _, name := range Names {
		hook := Hook{Name: name, Path: filepath.Join(dir, name), after: script(name, program, mode)}
		hook.now, err = os.ReadFile(hook.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case bytes.Contains(hook.now, []byte(mark)):
			hook.Is = Ours
		case bytes.Contains(hook.now, []byte("hook git "+name)):
			hook.Is = Calls
		default:
			hook.Is = Others
		}
		h.All = append(h.All, hook)
	}
	return h, nil
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Line is the line by which a hook calls cairn.
func Line(name, program, mode string) string {
	if name == "pre-push" {
		name += " --prove=" + mode
	}
	return program + " hook git " + name + ` "$@"`
}

// script is the text of a hook. It does nothing if cairn is missing.
func script(name, program, mode string) []byte {
	find := "command -v cairn >/dev/null 2>&1 || exit 0\n"
	call := "cairn"
	if program != call {
		find = "cairn='" + strings.ReplaceAll(filepath.ToSlash(program), "'", `'\''`) + "'\n[ -x \"$cairn\" ] || cairn=$(command -v cairn) || exit 0\n"
		call = `"$cairn"`
	}
	return []byte("#!/bin/sh\n" + mark + "\n" + find + "exec " + Line(name, call, mode) + "\n")
}

// Todo are the hooks that Install would write.
func (h *Hooks) Todo() (todo []Hook) {
	for _, hook := range h.All {
		if !h.Shared && (hook.Is == Absent || hook.Is == Ours && !bytes.Equal(hook.now, hook.after)) {
			todo = append(todo, hook)
		}
	}
	return todo
}

// Left lists the hooks that Install leaves alone, each with the line to add to it.
func (h *Hooks) Left(mode string) (notes []string) {
	for _, hook := range h.All {
		line := Line(hook.Name, "cairn", mode)
		switch {
		case hook.Is == Others:
			notes = append(notes, fmt.Sprintf("left as it is: %s is there, and is not cairn's; add to it: %s", hook.Path, line))
		case h.Shared && hook.Is == Absent:
			notes = append(notes, fmt.Sprintf("not written: %s, since git looks for hooks outside of this clone (core.hooksPath), where other repositories may, too; to have it there: %s", hook.Path, line))
		}
	}
	return notes
}

// Install writes the hooks of Todo.
func (h *Hooks) Install() error {
	if err := os.MkdirAll(h.Dir, 0o777); err != nil {
		return fmt.Errorf("making the folder of hooks: %w", err)
	}
	for _, hook := range h.Todo() {
		// as a whole, so that git never runs half of a hook
		if err := durable.Replace(hook.Path, ".cairn-*", 0o755, durable.Bytes(hook.after, false)); err != nil {
			return fmt.Errorf("writing the hook %s: %w", hook.Path, err)
		}
	}
	return nil
}

// Remove deletes the hooks of this package.
func (h *Hooks) Remove() error {
	for _, hook := range h.All {
		if hook.Is == Ours {
			if err := os.Remove(hook.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// Is says whether at least one hook is in a state.
func (h *Hooks) Is(s State) bool {
	return slices.ContainsFunc(h.All, func(hook Hook) bool { return hook.Is == s })
}

// Works says why git would not run the hook; nil if it would.
func (h Hook) Works() error {
	info, err := os.Stat(h.Path)
	switch {
	case err != nil:
		return err
	case info.Mode()&0o111 == 0 && filepath.Separator == '/':
		return errors.New("it is not executable, and git passes over it: chmod +x " + h.Path)
	case h.Is == Ours && !bytes.Contains(h.now, []byte("hook git "+h.Name)):
		return errors.New("it is not as cairn writes it: run cairn init --git-hooks again")
	}
	return nil
}

// Written says whether a folder has a hook of this package.
func Written(dir string) bool {
	for _, name := range Names {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Contains(text, []byte(mark)) {
			return true
		}
	}
	return false
}
