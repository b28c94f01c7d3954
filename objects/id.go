package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
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
