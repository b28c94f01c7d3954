// Package diffdriver teaches git, in one clone, to show the manifest as
// captures: "git log -p cairn" and "git diff" then print what "cairn textconv"
// makes of a shard instead of its JSON.
//
// It sets diff.cairn.textconv in the clone's own configuration and one line in
// its info/attributes; nothing that is tracked, and nothing of the user's that
// lies beyond this clone. Remove takes out exactly what Install put in: a file
// that no one else has changed is what it was, byte for byte. Where the program
// cairn is gone, git shows the JSON as before.
//
// What goes in: those two settings. What a shard looks like is the affair of
// the command.
package diffdriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/gitrepo"
)

const (
	// Key and Value are the setting: git runs it with the name of a file.
	Key   = "diff.cairn.textconv"
	Value = `f() { cairn textconv "$1" 2>/dev/null || cat "$1"; }; f`
	// Attribute is the line of info/attributes: the shards, wherever they lie.
	Attribute = "manifest/[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/*.jsonl diff=cairn"
)

// Plan says what Install would change, a line each; nothing when all is there.
func Plan(ctx context.Context, r *gitrepo.Repo) ([]string, error) {
	var todo []string
	values, err := r.LocalConfig(ctx, Key)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 || values[len(values)-1] != Value {
		todo = append(todo, "git config --local "+Key+" '"+Value+"'")
	}
	content, err := attributes(r)
	if err != nil {
		return nil, err
	}
	if !hasLine(content) {
		todo = append(todo, "a line in "+r.InfoAttributes()+": "+Attribute)
	}
	return todo, nil
}

// Install sets the driver. To do it twice is to do it once.
func Install(ctx context.Context, r *gitrepo.Repo) error {
	if err := r.AddConfig(ctx, Key, Value); err != nil {
		return err
	}
	content, err := attributes(r)
	if err != nil || hasLine(content) {
		return err
	}
	line := Attribute
	if len(content) == 0 || content[len(content)-1] == '\n' {
		line += "\n"
	} else {
		line = "\n" + line // a file without a last newline stays one
	}
	return write(r, append(content, line...))
}

// Remove undoes Install.
func Remove(ctx context.Context, r *gitrepo.Repo) error {
	if err := r.RemoveConfig(ctx, Key, Value); err != nil {
		return err
	}
	content, err := attributes(r)
	if err != nil || !hasLine(content) {
		return err
	}
	rest := withoutLine(content)
	if len(rest) == 0 {
		return os.Remove(r.InfoAttributes())
	}
	return write(r, rest)
}

func attributes(r *gitrepo.Repo) ([]byte, error) {
	content, err := os.ReadFile(r.InfoAttributes())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the attributes of this clone: %w", err)
	}
	return content, nil
}

func hasLine(content []byte) bool {
	for line := range bytes.Lines(content) {
		if isOurs(line) {
			return true
		}
	}
	return false
}

func isOurs(line []byte) bool { return string(bytes.TrimRight(line, "\r\n")) == Attribute }

// withoutLine takes our line out, and the newline before it where Install had
// to put one.
func withoutLine(content []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(content) {
		switch {
		case !isOurs(line):
			rest = append(rest, line...)
		case line[len(line)-1] != '\n':
			rest = bytes.TrimSuffix(rest, []byte{'\n'})
		}
	}
	return rest
}

// write replaces the file as a whole.
func write(r *gitrepo.Repo, content []byte) error {
	name := r.InfoAttributes()
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	mode := fs.FileMode(0o666)
	if info, statErr := os.Stat(name); statErr == nil {
		mode = info.Mode().Perm()
	}
	if err == nil {
		err = replace(name, content, mode)
	}
	if err != nil {
		return fmt.Errorf("writing the attributes of this clone: %w", err)
	}
	return nil
}

// replace writes beside the file and renames, so that no reader sees half of it.
func replace(name string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name+".cairn", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(name+".cairn", name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name+".cairn"))
	}
	return nil
}
