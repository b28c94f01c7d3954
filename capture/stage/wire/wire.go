// Package wire is the protocol between cairn and its small program cairn-stage.
//
// # How a stage is found
//
// The shell is asked to run cairn-stage for the name of a command ("hash -p PATH NAME"). PATH is the
// path of cairn-stage with a number in it: between the directory and the name are as many "/" or "./"
// as the number has bits, which do not change the file that is named. So nothing has to be put into the
// environment, which the command would see; and the path is valid as long as the program is installed,
// also for a job that outlives the run with that number.
//
// # Messages
//
// cairn-stage connects to the socket of that number and sends one Request: its words, and its standard
// output as a descriptor. The Reply is one byte and, if the output is tapped, the descriptors that
// replace it. Under Hold cairn-stage stays, reports how the command ended, and waits for one more byte
// before it ends in the same way.
//
// If anything fails, cairn-stage becomes the command as if there were no cairn.
//
// # What may go in
//
// What both programs need, using only package syscall, since cairn-stage starts once for each stage.
package wire

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Program is the file name of cairn-stage.
const Program = "cairn-stage"

// Bits is the length in bits of a run's number.
const Bits = 40

// Path is the path of program with the number in it. program is an absolute path without
// "." and "..".
func Path(program string, number uint64) string {
	cut := strings.LastIndexByte(program, '/') + 1
	var b strings.Builder
	b.WriteString(program[:cut])
	for i := range Bits {
		if number>>i&1 == 1 {
			b.WriteByte('.')
		}
		b.WriteByte('/')
	}
	b.WriteString(program[cut:])
	return b.String()
}

// Number reads the number out of a path that Path made.
func Number(path string) (n uint64, ok bool) {
	rest := path[:strings.LastIndexByte(path, '/')+1]
	for range Bits {
		switch {
		case strings.HasSuffix(rest, "/./"):
			n, rest = n<<1|1, rest[:len(rest)-2]
		case strings.HasSuffix(rest, "//"):
			n, rest = n<<1, rest[:len(rest)-1]
		default:
			return 0, false
		}
	}
	return n, true
}

// Address is the socket address of the run with a number.
func Address(number uint64, uid int) string {
	return addressPrefix + "cairn-stage-" + strconv.Itoa(uid) + "-" + strconv.FormatUint(number, 16)
}

// Request is the first message of cairn-stage. Standard output goes with it as a descriptor.
type Request struct {
	Same bool // standard error is the same pipe
	Argv []string
	Cut  bool // Argv is incomplete
}

// MaxRequest bounds the words of a request, in bytes.
const MaxRequest = 32 << 10

// Encode is the request as it is sent: its length in four bytes, flags, words.
func (r Request) Encode() []byte {
	b := make([]byte, 5, 512)
	if r.Same {
		b[4] |= 1
	}
	for _, a := range r.Argv {
		if len(b)+len(a) >= MaxRequest {
			b[4] |= 2
			break
		}
		b = append(append(b, a...), 0)
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// Length is the length of a request with these first bytes, or 0 if there are too few.
func Length(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	return 4 + int(min(binary.BigEndian.Uint32(b), 2*MaxRequest))
}

// Decode reads a request.
func Decode(b []byte) (r Request, ok bool) {
	if len(b) < 5 || len(b) != Length(b) {
		return r, false
	}
	r.Same, r.Cut = b[4]&1 != 0, b[4]&2 != 0
	if words := string(b[5:]); words != "" {
		r.Argv = strings.Split(strings.TrimSuffix(words, "\x00"), "\x00")
	}
	return r, len(r.Argv) > 0
}

// The first byte of a Reply. The path of the shell follows it, which runs a script that
// has no first line "#!".
const (
	Go   = 'g' // run the command
	Tap  = 't' // run it with the descriptor as its output
	Hold = 'h' // the same, and stay until its output was passed on
)

// Done is cairn's last message: the output of a held command was passed on.
const Done = 'd'

// Carry is the argument, followed by pairs of descriptors, with which cairn-stage
// passes on the output of jobs that outlive their line.
const Carry = "carry"

// Status is the message that a held command has ended: its wait status in four bytes.
func Status[T ~uint32 | ~int](wait T) []byte { return binary.BigEndian.AppendUint32(nil, uint32(wait)) }
