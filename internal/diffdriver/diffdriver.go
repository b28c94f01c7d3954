// Package diffdriver configures git, in one clone, to show the manifest as captures:
// "git log -p cairn" and "git diff" then print the output of "cairn textconv" for a
// shard instead of its JSON.
//
// It sets diff.cairn.textconv in the clone's own configuration and one line in its
// info/attributes; it changes no tracked file, and nothing outside of the clone. Remove
// undoes exactly what Install did: a file that no other program has changed is as
// before, byte for byte. If the program cairn is missing, git shows the JSON.
//
// What goes in: those two settings. The command decides what a shard looks like.
package diffdriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/durable"
	"cairn/internal/gitrepo"
)

const (
	// Key and Value are the setting: the command that git runs with the name of a file.
	Key   = "diff.cairn.textconv"
	Value = `f() { cairn textconv "$1" 2>/dev/null || cat "$1"; }; f`
	// Attribute is the line of info/attributes: it names the shards, in any folder.
	Attribute = "manifest/[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/*.jsonl diff=cairn"
)

// Plan lists what Install would change, one line each; nothing if it is installed.
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

// Install sets the driver. A second call changes nothing.
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
		line = "\n" + line // keeps the file without a last newline, for Remove
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

// withoutLine removes our line, and the newline before it if Install had to add one.
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
	mode := fs.FileMode(0o644)
	if info, statErr := os.Stat(name); statErr == nil {
		mode = info.Mode().Perm()
	}
	if err == nil {
		err = durable.Replace(name, ".cairn-*", mode, durable.Bytes(content, false))
	}
	if err != nil {
		return fmt.Errorf("writing the attributes of this clone: %w", err)
	}
	return nil
}
