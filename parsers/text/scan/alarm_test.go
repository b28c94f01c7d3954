package scan

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/text/term"
)

func TestAlarm(t *testing.T) {
	for _, c := range []struct {
		line string
		at   int // -1: nothing is wrong
	}{
		{"error: x", 0}, {" error: x", 1}, {"an ERROR", 3}, {"KeyError", 3}, {"errored", 0},
		{"FAILED", 0}, {"xFAIL", 1}, {"2 failures", 2}, {"make: *** No rule to make target 'x'. Stop.", 10},
		{"Segmentation fault (core dumped)", 0}, {"bus error", 0}, {"npm ERR! code", 4}, {"npm ERR!", 4},
		{"TARGET: unbound variable", 8}, {"docker: unknown command", 8}, {"exit status 2", 0}, {"exited with 3", 0},
		{"couldn't connect", 3}, {"does not exist", 7}, {"CONFLICT (content)", 0},
		{"✖ three", 0}, {"  ✕ three", 0}, {"not ok 3 - three", 0}, {"E   assert 1 == 2", 4}, {"E   x", 0}, {"*** stopped", 0},
		{"0 errors", -1}, {"no errors", -1}, {"without errors", -1}, {"No errors found", -1}, {"10 errors", 3}, {"1.0 errors", 4},
		{"casino errors", 7}, {"errors: 0", -1}, {"Failures: 0, Errors: 0", -1}, {"failed=0    skipped=0", -1}, {"fail 0", -1},
		{"failed: 01", 0}, {`failures="0"`, -1}, {`failures="3"`, 0}, {"error: 0 is no valid port", 0}, {"exit code 0", -1}, {"exit code 1", 0},
		{"treated as error", 11}, {"marked as failed", 10}, {"tests failed as expected", 6},
		{"as expected", -1}, {"As expected", 3}, {"expected 3, got 4", 0}, {"0 errors, 3 failures", 12}, {"errors: 0, failures: 3", 11},
		{"all is well", -1}, {"", -1}, {"e", -1}, {"terror", 1}, {"ok", -1}, {"E", -1}, {"Excellent", -1},
		{"größe ungültig: error", 19}, {"\x1b[31merr\x1b[0mor", 0},
	} {
		l := term.RawLine{Text: []byte(c.line)}
		NewScanner().Look(&l)
		if l.Alarm != c.at {
			t.Errorf("%q: %d, want %d", c.line, l.Alarm, c.at)
		}
	}
}

// TestAlarmWords: each word is found in either case at any place.
func TestAlarmWords(t *testing.T) {
	for _, w := range AlarmWords {
		if len(w) < seedSize || len(w) > LongestAlarm {
			t.Fatalf("%q is too short or too long", w)
		}
		for _, word := range []string{w, strings.ToUpper(w)} {
			for before := range 4 {
				line := strings.Repeat("-", before) + word + "-"
				if at := alarmSearch().Alarm([]byte(line)); at < 0 {
					t.Errorf("%q not found in %q", w, line)
				}
			}
		}
	}
}

// TestAlarmAgainstPlain: a line has a word of alarm where a plain search finds the
// first one that nothing negates, whichever four bytes of it are looked for.
func TestAlarmAgainstPlain(t *testing.T) {
	pieces := []string{" ", "x", "no ", "0 ", ": 0", "-", "é", "er", "rror", "fai"}
	for _, w := range AlarmWords {
		pieces = append(pieces, w, strings.ToUpper(w), w[:len(w)-1])
	}
	rapid.Check(t, func(t *rapid.T) {
		line := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), ""))
		lower := bytes.ToLower(line)
		want := -1
		for i := range lower {
			for _, w := range AlarmWords {
				if want < 0 && bytes.HasPrefix(lower[i:], []byte(w)) && !negated(line[:i], w) && !none(line[i+len(w):]) {
					want = i
				}
			}
		}
		if got := alarmSearch().Alarm(line); got != want {
			t.Fatalf("%q: %d, want %d", line, got, want)
		}
	})
}

func TestOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := bytes.Repeat([]byte("a"), rapid.IntRange(0, 30).Draw(t, "length"))
		if len(line) > 0 {
			line[rapid.IntRange(0, len(line)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		want := bytes.ContainsFunc(line, func(r rune) bool { return r < 0x20 || r >= 0x7f })
		if got := term.Odd(line); got != want {
			t.Fatalf("%q: %v", line, got)
		}
	})
}
