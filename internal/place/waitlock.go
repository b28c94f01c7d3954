package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"cairn/internal/lockfile"
)

// Beside each directory where captures wait lies a lock of its name. A process that has the
// directory open holds the lock with others, and who takes over what waits, and removes
// the directory, holds it alone: so no capture is removed that comes meanwhile.

func lockPath(dir string) string { return dir + ".lock" }

// takeoverPatience bounds the wait for captures to be taken over. It takes some
// milliseconds a capture.
const takeoverPatience = 10 * time.Second

// errTakenOver says that the wait was in vain.
var errTakenOver = fmt.Errorf("another process has been taking over what waits there for %s", takeoverPatience)

// stay holds the lock of dir until Close. Where no lock can be made, none is held: then
// dir lies where nothing can be made or removed.
func (p *Place) stay(dir string) error {
	const nap = time.Millisecond
	for waited := time.Duration(0); ; waited += nap {
		f, err := openLock(dir)
		if err != nil {
			return nil
		}
		if _, taken, err := lockfile.TryShared(f); err != nil || taken && lockfile.IsAt(f, lockPath(dir)) {
			p.leave()
			p.held = f
			return nil
		}
		f.Close()
		if waited >= takeoverPatience {
			return errTakenOver
		}
		time.Sleep(nap)
	}
}

// leave lets go of the lock.
func (p *Place) leave() {
	if p.held != nil {
		p.held.Close()
		p.held = nil
	}
}

// Seize takes a directory where captures wait for the caller alone, to be removed.
// alone is false while somebody else has it open.
func Seize(dir string) (release func(), alone bool, err error) {
	f, err := openLock(dir)
	if err != nil {
		return nil, false, err
	}
	_, taken, err := lockfile.Try(f)
	if err != nil || !taken || !lockfile.IsAt(f, lockPath(dir)) {
		f.Close()
		return nil, false, err
	}
	return func() {
		if !exists(dir) {
			os.Remove(f.Name()) // who waits for the lock sees that it is gone
		}
		f.Close()
	}, true, nil
}

// openLock opens the lock, and makes it where that is possible.
func openLock(dir string) (*os.File, error) {
	f, err := os.OpenFile(lockPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return os.Open(lockPath(dir)) // it can be locked without being written to
	}
	return f, err
}
