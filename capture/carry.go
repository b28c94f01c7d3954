package capture

import (
	"fmt"
	"os"
	"os/exec"
	"time"

	"cairn/capture/child"
	"cairn/capture/stage/wire"
)

// leftDrain is how long the output of a line that may leave jobs running is waited for.
// Those jobs can print on afterwards, so nothing is lost.
const leftDrain = 20 * time.Millisecond

// carried is an output that jobs hold open which the line has left running: the end to read, and where to write.
type carried struct{ from, to *os.File }

// later is the file for the output of jobs that outlive the line.
func (c *capture) later(s child.Stream) *os.File {
	if s == child.Stderr {
		return c.o.Err
	}
	return c.o.Out
}

// carry starts a process that passes on the output of jobs which the line has left running,
// until they have ended. That output is not in the record, which was made when the line ended.
func (o *Outcome) carry() {
	if len(o.left) == 0 {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	cmd := exec.Command(o.stager, wire.Carry)
	cmd.Stdin, cmd.Dir, cmd.SysProcAttr = null, "/", ownSession()
	add := func(f *os.File) int {
		if f == nil {
			f = null
		}
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		return 2 + len(cmd.ExtraFiles)
	}
	for _, l := range o.left {
		cmd.Args = append(cmd.Args, fmt.Sprintf("%d:%d", add(l.from), add(l.to)))
	}
	if cmd.Start() == nil {
		cmd.Process.Release()
	}
	for _, l := range o.left {
		l.from.Close()
	}
	o.left = nil
}
