package objects

import "cairn/objects/packfile"

// Limits for Together: many small objects at once are put into one pack file, which takes one wait for the disk
// instead of one for each file.
const (
	TogetherLeast = packLeast          // the fewest objects
	TogetherMost  = packfile.MaxObject // the most bytes of an object
)

// Together is a pack file that is being written. It is for one goroutine.
type Together struct{ w *packWriter }

// Together begins to put objects into one pack file.
func (s *Store) Together() (*Together, error) {
	w, err := s.newPackFile(false)
	if err != nil {
		return nil, err
	}
	return &Together{w}, nil
}

// Put adds an object of 1 to TogetherMost bytes. Only Commit puts it into the store.
func (t *Together) Put(id ID, b []byte) error {
	if IDOf(b) != id {
		return ErrOther
	}
	return t.w.add(id, b, t.w.s.now())
}

// Commit makes the objects durable and adds them to the store.
func (t *Together) Commit() error {
	defer t.w.discard()
	if len(t.w.want) == 0 {
		return nil
	}
	return t.w.publish()
}

// Discard removes what was not committed.
func (t *Together) Discard() { t.w.discard() }
