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
)

// Trust is what a person has approved in one clone: the hashes of rules, in a
// file of the clone's own cairn directory, which no repository brings along.
type Trust struct{ Dir string }

const (
	approvedName = "parsers-approved"
	saidName     = "parsers-said"
)

// maxHashes bounds the lists; the oldest go.
const maxHashes = 256

// Approved says whether these very bytes were approved.
func (t Trust) Approved(hash string) bool { return t.has(approvedName, hash) }

// Approve lets rules of these bytes be used.
func (t Trust) Approve(hash string) error { return t.add(approvedName, hash) }

// Revoke takes back all that was approved.
func (t Trust) Revoke() error {
	var errs []error
	for _, name := range []string{approvedName, saidName} {
		if err := os.Remove(filepath.Join(t.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// SayOnce says whether it is asked about a hash for the first time.
func (t Trust) SayOnce(hash string) bool {
	if t.has(saidName, hash) {
		return false
	}
	t.add(saidName, hash) // where that fails it is said again
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

// add writes the list anew beside the old one, and takes its place.
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
	f, err := os.CreateTemp(t.Dir, name+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already, unless something failed
	_, err = f.WriteString(strings.Join(list, "\n") + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(t.Dir, name))
}
