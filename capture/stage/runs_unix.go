//go:build unix

package stage

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// headSize is how many bytes of a program are read.
const headSize = 4 << 10

// runs says whether the kernel can execute a file: a program for this machine, or a script whose first line
// names an existing program. A script without that line, which only the shell can run, does not count.
func runs(file string) bool {
	head := headOf(file)
	if line, is := bytes.CutPrefix(head, []byte("#!")); is {
		line, _, whole := bytes.Cut(line, []byte("\n"))
		fields := bytes.Fields(line)
		return whole && len(fields) > 0 && filepath.IsAbs(string(fields[0])) && isProgram(headOf(string(fields[0])))
	}
	return isProgram(head)
}

// headOf is the beginning of a regular executable file; nil for any other file.
func headOf(file string) []byte {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || unix.Access(file, unix.X_OK) != nil {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// own is the beginning of this program, as an example of one that runs here.
var own = sync.OnceValue(func() []byte {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return headOf(self)
})

// isProgram says whether a file with this beginning is a program of the same kind as this one, whose loader exists.
func isProgram(head []byte) bool {
	const elf = "\x7fELF"
	mine := own()
	if len(head) < 64 || len(mine) < 64 || !bytes.Equal(head[:4], mine[:4]) {
		return false
	}
	if string(head[:4]) != elf {
		return bytes.Equal(head[4:8], mine[4:8]) // in Mach-O: the processor
	}
	return bytes.Equal(head[4:6], mine[4:6]) && bytes.Equal(head[18:20], mine[18:20]) && loads(head)
}

// loads says whether the loader of an ELF file exists.
func loads(head []byte) bool {
	if head[4] != 2 || head[5] != 1 { // not 64 bits, little-endian
		return true
	}
	le := binary.LittleEndian
	at, size, n := le.Uint64(head[32:]), uint64(le.Uint16(head[54:])), uint64(le.Uint16(head[56:]))
	for i := range n {
		from := at + i*size
		if at > headSize || from+56 > uint64(len(head)) {
			return false
		}
		if h := head[from:]; le.Uint32(h) == 3 { // PT_INTERP
			begin, length := le.Uint64(h[8:]), le.Uint64(h[32:])
			if begin > headSize || length == 0 || length > headSize || begin+length > uint64(len(head)) {
				return false
			}
			info, err := os.Stat(string(bytes.TrimRight(head[begin:begin+length], "\x00")))
			return err == nil && info.Mode().IsRegular()
		}
	}
	return true
}
