package objects

import "cairn/objects/packfile"

// Many small objects that come at once are worth a pack file from the beginning: one wait for the disk, where a file each takes one each.
const (
	TogetherLeast = packLeast          // objects
	TogetherMost  = packfile.MaxObject // bytes of one
)

// Together is a pack file that is being written. It is for one goroutine.
type Together struct{ w *packWriter }

// Together begins to put objects in one pack file.
func (s *Store) Together() (*Together, error) {
	w, err := s.newPackFile(false)
	if err != nil {
		return nil, err
	}
	return &Together{w}, nil
}

// Put adds an object of 1 to TogetherMost bytes. It is not in the store before Commit.
func (t *Together) Put(id ID, b []byte) error {
	if IDOf(b) != id {
		return ErrOther
	}
	return t.w.add(id, b, t.w.s.now())
}

// Commit makes the objects durable and gives them to the store.
func (t *Together) Commit() error {
	defer t.w.discard()
	if len(t.w.want) == 0 {
		return nil
	}
	return t.w.publish()
}

// Discard ends what was not committed.
func (t *Together) Discard() { t.w.discard() }
