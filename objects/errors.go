package objects

import (
	"errors"
	"fmt"
	"time"

	"cairn/internal/ambiguous"
)

// ErrNotFound: the store holds no such object and never collected one.
var ErrNotFound = errors.New("object not found")

// ErrBusy: the lock of the store, or of a spool, stayed taken for the whole wait.
var ErrBusy = errors.New("held by another process")

// ErrDone: the Incoming was committed or aborted already.
var ErrDone = errors.New("spool already committed or aborted")

// errRaced: the file changed under the reader; look again.
var errRaced = errors.New("object was replaced meanwhile")

// A CorruptError says that the bytes kept for ID are not the bytes that were put.
// They are never returned.
type CorruptError struct {
	ID      ID
	Why     string // what did not match
	MovedTo string // where the damaged file lies now; empty if it could not be moved
}

func (e *CorruptError) Error() string {
	where := "could not be moved aside"
	if e.MovedTo != "" {
		where = "moved to " + e.MovedTo
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

// A PartialError comes with a valid [Info]: the bytes up to Kept are committed,
// what was written after them is lost.
type PartialError struct {
	Kept int64 // bytes
	Err  error // of the Write that failed
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("only the first %d bytes were kept: %v", e.Kept, e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }
