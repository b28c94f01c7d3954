package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// cutMarks are what hosts and logs put in the place of what they leave out.
var cutMarks = []string{
	"… %d lines omitted …", "[... truncated %d bytes ...]", "<output truncated>", "... [%d characters truncated] ...",
	"[output clipped, log limit 2MiB reached]", "Job's log exceeded limit of %d bytes.", "Skipping %d KB..",
}

// TestCutMark: where a log left out the middle or the end of what a run that failed printed, and the exit
// status was not seen, the run is no success, and the answer says what is missing.
func TestCutMark(t *testing.T) {
	changed := new(tally)
	changed.inTools(t, 100)
	each(t, func(t *testing.T, c Case) {
		lines := strings.Split(strings.TrimSuffix(string(c.Raw()), "\n"), "\n")
		if !c.Failing() || strings.ContainsAny(c.Cmd, "|;&<>\n") || len(lines) < 12 {
			return
		}
		n := len(lines) / 4
		mark := cutMarks[seed(c.Name)%uint64(len(cutMarks))]
		if strings.Contains(mark, "%") {
			mark = fmt.Sprintf(mark, 40*n)
		}
		for _, rest := range [][]string{lines[3*n:], nil} {
			text := strings.Join(slices.Concat(lines[:n], []string{mark}, rest), "\n") + "\n"
			in := c.Input(parsers.Separate([]byte(text), nil))
			in.Shell, in.Artifacts = c.Cmd+" 2>&1 | keep", nil
			r, compact := answer(in, result.Exit{Observed: true})
			if r.Status == result.Passed || r.Status == result.OK || !strings.Contains(compact, mark) {
				t.Errorf("%q: %s", mark, compact)
			}
		}
		changed.add(c, 2, 2)
	})
}

// TestShortenedValue: a tool that shortens a value it compares, and says how to see it, has not lost output.
func TestShortenedValue(t *testing.T) {
	text := "E   AssertionError: assert [1] == [2]\n  ...Full output truncated (2 lines hidden), use '-vv' to show\n1 failed in 0.10s\n"
	_, compact := answer(parsers.Input{Argv: []string{"pytest"}, Source: parsers.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	if strings.Contains(compact, "output cut") {
		t.Error(compact)
	}
}
