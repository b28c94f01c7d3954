package parsers_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"cairn/golden"
	"cairn/parsers"
	"cairn/parsers/text/term"
)

// TestMutated: no reader breaks off at an output that is not quite what its tool prints.
// CAIRN_TEST_MUTATIONS says how many changes of each recorded output are tried.
func TestMutated(t *testing.T) {
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	rounds, err := strconv.Atoi(os.Getenv("CAIRN_TEST_MUTATIONS"))
	every := 1
	if err != nil {
		rounds, every = 1, 20
	}
	for round := range rounds {
		for i, c := range cases {
			if i%every > 0 {
				continue
			}
			from := rand.New(rand.NewPCG(uint64(round), uint64(i)))
			var outputs [2][]byte
			for chunk := range c.Output.Chunks() {
				n := chunk.Stream - term.Stdout
				outputs[n] = append(outputs[n], chunk.Data...)
			}
			for n := range outputs {
				outputs[n] = mutated(from, outputs[n])
			}
			r := parsers.Parse(c.Input(parsers.Separate(outputs[0], outputs[1])), c.Exit)
			if why, broken := r.Extra["broken"]; broken {
				t.Errorf("%s, round %d: %v", c.Name, round, why)
				keepMutant(t, fmt.Sprintf("%d-%d", i, round), outputs)
			}
		}
	}
}

// keepMutant writes an output that broke a reader to where CAIRN_TEST_KEEP says.
func keepMutant(t *testing.T, name string, outputs [2][]byte) {
	dir := os.Getenv("CAIRN_TEST_KEEP")
	for n, text := range outputs {
		if dir == "" {
			return
		}
		if err := os.WriteFile(fmt.Sprintf("%s/%s.%d", dir, name, n+1), text, 0o600); err != nil {
			t.Error(err)
		}
	}
}

// pieces are what outputs are changed with: numbers that no file has, marks without a
// partner, text of no use.
var pieces = []string{"", "\n", " ", "0", "-1", "99999999999999999999", "4294967296", ":", "::", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "\\", "/", "\t", "\r", "\x1b[", "\x00", "\xff", "é", "…", "=", "|", "$(", "&&", "E   ", "FAILED ", "error: ", "+ cd ", "> "}

// mutated is a text with up to eight changes, where lines and words begin as a rule.
func mutated(from *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	out := bytes.Clone(text[:min(len(text), 64<<10)])
	for range 1 + from.IntN(8) {
		if len(out) == 0 {
			break
		}
		at := from.IntN(len(out))
		if n := bytes.LastIndexAny(out[:at], "\n :"); n >= 0 && from.IntN(4) > 0 {
			at = n + 1
		}
		end := min(len(out), at+1+from.IntN(12))
		if n := bytes.IndexByte(out[at:], '\n'); n >= 0 && from.IntN(2) == 0 {
			end = at + n // to the end of the line
		}
		switch from.IntN(4) {
		case 0: // without it
			out = append(out[:at], out[end:]...)
		case 1: // twice
			out = append(out[:end], append(bytes.Clone(out[at:end]), out[end:]...)...)
		case 2: // something else
			out = append(append(out[:at:at], pieces[from.IntN(len(pieces))]...), out[end:]...)
		default: // the end, sometimes
			if from.IntN(4) == 0 {
				out = out[:end]
			}
		}
	}
	return out
}
