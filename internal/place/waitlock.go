package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"cairn/internal/lockfile"
)

// Beside each directory where captures wait is a lock file of its name. A process that has the
// directory open holds a shared lock; a process that moves the captures and removes the
// directory holds it exclusively, so that it removes no capture that comes meanwhile.

func lockPath(dir string) string { return dir + ".lock" }

// takeoverPatience bounds the wait while another process moves captures, which takes
// some milliseconds each.
const takeoverPatience = 10 * time.Second

// errTakenOver says that takeoverPatience is over.
var errTakenOver = fmt.Errorf("another process has been taking over what waits there for %s", takeoverPatience)

// stay holds the lock of dir until Close. If no lock file can be made, it holds none:
// then nothing can be made or removed in dir either.
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

// leave releases the lock.
func (p *Place) leave() {
	if p.held != nil {
		p.held.Close()
		p.held = nil
	}
}

// Seize locks a directory where captures wait exclusively, to remove it. alone is false
// while another process has it open.
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
			os.Remove(f.Name()) // processes that wait for the lock notice that it is gone
		}
		f.Close()
	}, true, nil
}

// openLock opens the lock file, and makes it if possible.
func openLock(dir string) (*os.File, error) {
	f, err := os.OpenFile(lockPath(dir), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return os.Open(lockPath(dir)) // a file can be locked without write access
	}
	return f, err
}
