package own

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/durable"
)

// Trust is what a person has approved in one clone: the hashes of rules, in a file of
// the clone's own cairn directory, which cannot come with a repository.
type Trust struct{ Dir string }

const (
	approvedName = "parsers-approved"
	saidName     = "parsers-said"
)

// maxHashes bounds the lists; the oldest hashes are dropped.
const maxHashes = 256

// Approved says whether rules with this hash were approved.
func (t Trust) Approved(hash string) bool { return t.has(approvedName, hash) }

// Approve approves rules with this hash.
func (t Trust) Approve(hash string) error { return t.add(approvedName, hash) }

// Revoke revokes all approvals.
func (t Trust) Revoke() error {
	var errs []error
	for _, name := range []string{approvedName, saidName} {
		if err := os.Remove(filepath.Join(t.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// SayOnce returns true the first time that it is called for a hash.
func (t Trust) SayOnce(hash string) bool {
	if t.has(saidName, hash) {
		return false
	}
	t.add(saidName, hash) // if it fails, the message is repeated
	return true
}

func (t Trust) list(name string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(t.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(bytes.ToValidUTF8(text, nil))), err
}

func (t Trust) has(name, hash string) bool {
	list, _ := t.list(name)
	return slices.Contains(list, hash)
}

// add writes the list to a new file and renames it over the old one.
func (t Trust) add(name, hash string) error {
	list, err := t.list(name)
	if err != nil {
		return fmt.Errorf("reading what is approved: %w", err)
	}
	list = append(slices.DeleteFunc(list, func(h string) bool { return h == hash }), hash)
	list = list[max(0, len(list)-maxHashes):]
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return err
	}
	return durable.Replace(filepath.Join(t.Dir, name), name+".*.tmp", durable.FileMode, durable.Bytes([]byte(strings.Join(list, "\n")+"\n"), true))
}
