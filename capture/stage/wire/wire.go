// Package wire is what cairn and its small program cairn-stage say to each other.
//
// # How a stage is found
//
// The shell is asked, for the name of a command, to run cairn-stage in its place
// ("hash -p PATH NAME"). PATH is the path of cairn-stage, written so that it carries a
// number: between the directory and the name stand as many "/" and "./" as the number has
// bits, which name the same file. So nothing has to be put into the environment, which the
// command would see; and the path is good for as long as the program is installed, also
// for a job that outlives the run whose number it carries.
//
// # What is said
//
// cairn-stage connects to the socket of that number and sends one Request: its words, and
// its standard output as a descriptor. The Reply is one byte and, where the output is
// tapped, the descriptors that take its place. Under Hold cairn-stage stays, says how the command
// ended, and waits for one more byte before it ends in the same way.
//
// Whatever fails on the way, cairn-stage becomes the command as if nothing had been there.
//
// # What may go in
//
// What both programs need, made of syscall alone: cairn-stage starts once for each stage.
package wire

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Program is the name of the program.
const Program = "cairn-stage"

// Bits is how long the number of a run is.
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

// Address is where the run of a number listens.
func Address(number uint64, uid int) string {
	return addressPrefix + "cairn-stage-" + strconv.Itoa(uid) + "-" + strconv.FormatUint(number, 16)
}

// Request is what cairn-stage says first. Descriptors that go with it: standard output.
type Request struct {
	Same bool // standard error is the same pipe
	Argv []string
	Cut  bool // there are more arguments, or longer ones
}

// MaxRequest bounds the words of a request, in bytes.
const MaxRequest = 32 << 10

// Encode is the request as it is sent: its length in four bytes, then what it says.
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

// Length says how long a request is whose first bytes are these, or 0 if there are too few.
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

// The first byte of a Reply. What follows it is the path of the shell, which a script
// without a first line "#!" is run by.
const (
	Go   = 'g' // run the command
	Tap  = 't' // run it with the descriptor as its output
	Hold = 'h' // the same, and stay until its output has gone on
)

// Done is what cairn says when the output of a held command has gone on.
const Done = 'd'

// Carry, with pairs of descriptors behind it, is how cairn-stage is asked to pass on what
// jobs print that outlive their line.
const Carry = "carry"

// Status is how a held command says that it has ended: its wait status in four bytes.
func Status[T ~uint32 | ~int](wait T) []byte { return binary.BigEndian.AppendUint32(nil, uint32(wait)) }
