package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/ambiguous"
)

// shortest is how few hex digits Resolve takes for a prefix.
const shortest = 4

// Resolve completes an ID of which only the first digits are known, four at
// least, with or without "sha256:". Collected and damaged objects count too, so
// that opening one tells what became of it. A whole ID is returned unseen.
func (s *Store) Resolve(prefix string) (ID, error) {
	digits := strings.ToLower(strings.TrimPrefix(prefix, idPrefix))
	if id, err := ParseID(digits); err == nil {
		return id, nil
	}
	if len(digits) < shortest || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return ID{}, fmt.Errorf("object id %q: want at least %d hex digits, at most 64", prefix, shortest)
	}
	candidates, err := s.candidates(digits)
	switch {
	case err != nil:
		return ID{}, fmt.Errorf("look for object %q: %w", prefix, err)
	case len(candidates) == 0:
		return ID{}, fmt.Errorf("object %q: %w", prefix, ErrNotFound)
	case len(candidates) > 1:
		all := make([]string, len(candidates))
		for i, id := range candidates {
			all[i] = id.String()
		}
		return ID{}, ambiguous.New(prefix, all)
	}
	return candidates[0], nil
}

// candidates lists what begins with the digits, in order, each once.
func (s *Store) candidates(digits string) ([]ID, error) {
	first, err := strconv.ParseUint(digits[:2], 16, 8)
	if err != nil {
		return nil, err
	}
	all, _, err := s.fanOut(byte(first))
	if err != nil {
		return nil, err
	}
	stones, err := s.tombstones()
	if err != nil {
		return nil, err
	}
	for id := range stones {
		all = append(all, id)
	}
	damaged, err := s.quarantinedIDs()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(append(append(all, damaged...), emptyID), func(id ID) bool { return !strings.HasPrefix(id.Hex(), digits) })
	return sortedIDs(all), nil
}

func (s *Store) quarantinedIDs() ([]ID, error) {
	entries, err := s.fs.ReadDir(filepath.Join(s.root, "quarantine"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []ID
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), ".")
		if id, err := ParseID(name); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// sortedIDs sorts in place and drops doubles.
func sortedIDs(ids []ID) []ID {
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

func compareIDs(a, b ID) int { return slices.Compare(a[:], b[:]) }
