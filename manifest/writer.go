package manifest

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// The folder of what belongs to this clone alone. Nothing in it is a record:
// all of it is made anew when it is missing.
const (
	localDir   = "manifest-local"
	appendLock = localDir + "/append.lock"
	foldLock   = localDir + "/fold.lock"
	foldFile   = localDir + "/fold.json"
	pendingDir = localDir + "/pending"
	seenLock   = localDir + "/seen.lock"
	seenFile   = localDir + "/seen.json"
	seenDir    = localDir + "/seen"
)

// writerFile names this clone in the names of its shards.
const writerFile = "writer"

// writerBytes of randomness make ids of two clones collide once in 2^50
// pairs; and if they do, the union of lines still keeps every record.
const writerBytes = 5

// writerID is the id of this clone, made on first use. The caller holds the
// append lock, so that two processes cannot make two.
func (m *Manifest) writerID() (string, error) {
	id, err := m.readWriter()
	if id != "" || err != nil {
		return id, err
	}
	id = newWriter()
	if err := replace(m.path(writerFile), []byte(id+"\n"), true); err != nil {
		return "", fmt.Errorf("keeping a new writer id: %w", err)
	}
	return id, nil
}

// readWriter is the id of this clone, "" while it has none that can be used.
func (m *Manifest) readWriter() (string, error) {
	b, err := os.ReadFile(m.path(writerFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the writer id: %w", err)
	}
	if id := strings.TrimSpace(string(b)); writerOK(id) {
		return id, nil
	}
	return "", nil
}

func newWriter() string {
	var b [writerBytes]byte
	rand.Read(b[:]) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}

// writerOK refuses what a crash or an editor may have left in the file.
func writerOK(id string) bool {
	if len(id) < 4 || len(id) > 40 {
		return false
	}
	for i := range len(id) {
		if !wordByte(id[i]) {
			return false
		}
	}
	return true
}
