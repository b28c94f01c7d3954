package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/ambiguous"
)

const idPrefix = "sha256:"

// An ID names an object: the SHA-256 of its uncompressed bytes. The zero ID names
// nothing.
type ID [sha256.Size]byte

// IDOf returns the ID of b.
func IDOf(b []byte) ID { return sha256.Sum256(b) }

// ParseID reads the form that String writes; the prefix "sha256:" may be left out.
func ParseID(s string) (ID, error) {
	var id ID
	digits := strings.TrimPrefix(s, idPrefix)
	if len(digits) != hex.EncodedLen(len(id)) {
		return ID{}, fmt.Errorf("object id %q: want sha256: and 64 hex digits", s)
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID{}, fmt.Errorf("object id %q: %w", s, err)
	}
	return id, nil
}

// Hex returns the 64 lower-case hex digits.
func (id ID) Hex() string { return hex.EncodeToString(id[:]) }

// String returns "sha256:" and the 64 hex digits.
func (id ID) String() string { return idPrefix + id.Hex() }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText writes the form of String, and nothing for the zero ID.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	return []byte(id.String()), nil
}

// UnmarshalText reads the form of String; empty text is the zero ID.
func (id *ID) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*id = ID{}
		return nil
	}
	parsed, err := ParseID(string(b))
	if err == nil {
		*id = parsed
	}
	return err
}

// shortest is the fewest hex digits that Resolve takes.
const shortest = 4

// Resolve completes an ID from its first four or more hex digits, with or without
// "sha256:". Collected and damaged objects count too, so that opening one says what
// happened to it. A whole ID is returned without a look at the store.
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

// candidates lists the IDs that begin with the digits, in order, each once.
func (s *Store) candidates(digits string) ([]ID, error) {
	first, err := strconv.ParseUint(digits[:2], 16, 8)
	if err != nil {
		return nil, err
	}
	all, err := s.idsFrom(byte(first))
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
	for _, other := range s.also {
		more, err := other.idsFrom(byte(first))
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
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

// sortedIDs sorts in place and drops duplicates.
func sortedIDs(ids []ID) []ID {
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

func compareIDs(a, b ID) int { return slices.Compare(a[:], b[:]) }

// ErrNotFound says that the store does not have the object and never collected it.
var ErrNotFound = errors.New("object not found")

// ErrBusy says that the lock of the store, or of a spool, stayed taken for the whole wait.
var ErrBusy = errors.New("held by another process")

// ErrDone says that the Incoming was committed or aborted already.
var ErrDone = errors.New("spool already committed or aborted")

// errRaced says that the file was replaced while it was read, so that the caller should look again.
var errRaced = errors.New("object was replaced meanwhile")

// A CorruptError says that the bytes kept for ID are not the bytes that were put.
// They are never returned.
type CorruptError struct {
	ID      ID
	Why     string // what did not match
	MovedTo string // where the damaged file lies now; "" if it could not be moved
	In      string // the pack file that holds the object and stays where it is; "" for a file of its own
}

func (e *CorruptError) Error() string {
	where := "could not be moved aside"
	switch {
	case e.MovedTo != "":
		where = "moved to " + e.MovedTo
	case e.In != "":
		where = "in " + e.In
	}
	return fmt.Sprintf("object %s is damaged: %s (%s)", e.ID, e.Why, where)
}

// A GoneError says that the object was collected on purpose.
type GoneError struct {
	ID   ID
	When time.Time // UTC
	Why  string
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("object %s was removed by gc on %s: %s", e.ID, e.When.UTC().Format(time.DateTime+"Z"), e.Why)
}

// An AmbiguousError lists the objects a prefix could mean, in order of ID.
type AmbiguousError = ambiguous.Error

// A PartialError comes with a valid [Info]: the bytes up to Kept are committed, later
// ones are lost.
type PartialError struct {
	Kept int64 // bytes
	Err  error // the error of the Write that failed
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("only the first %d bytes were kept: %v", e.Kept, e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }
