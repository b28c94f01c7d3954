package manifest

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sameAsAny says how decodeFast and decodeAny differ about a line; "" if they do not.
func sameAsAny(line []byte) (fast bool, differ string) {
	r, ok := decodeFast(line)
	if !ok {
		return false, ""
	}
	r.line = line
	r.unfold()
	want, err := decodeAny(line)
	if err != nil {
		return true, "only encoding/json refuses it: " + err.Error()
	}
	if !reflect.DeepEqual(r, want) {
		a, _ := json.Marshal(r)
		b, _ := json.Marshal(want)
		return true, "\n" + string(a) + "\nwant\n" + string(b)
	}
	return true, ""
}

// TestDecodeFast: what is read the fast way is what encoding/json reads, for lines of all
// versions, lines that were drawn, and lines that were damaged at some place.
func TestDecodeFast(t *testing.T) {
	var lines []string
	for _, file := range []string{"v1", "v2", "v3"} {
		content, err := os.ReadFile("testdata/" + file + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(strings.TrimSpace(string(content)), "\n")...)
	}
	for _, line := range lines {
		if fast, differ := sameAsAny([]byte(line)); differ != "" || !fast && strings.HasPrefix(line, `{"v":3`) && !strings.Contains(line, "timeout_ms") && !strings.Contains(line, "artifacts") {
			t.Errorf("fast: %v: %s\n%s", fast, differ, line)
		}
	}
	bytes := []byte(`{}[]":,\/tfn0-9.eE "aV` + "\x00\t\xff\xc3\xa9")
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		line := []byte(rapid.SampledFrom(lines).Draw(rt, "line"))
		if rapid.Bool().Draw(rt, "drawn") {
			r := drawFacts(rt)
			if err := r.SetResult(drawResult(rt, r)); err != nil {
				rt.Fatal(err)
			}
			r.V = Version
			drawn, err := r.Encode()
			if err != nil {
				rt.Fatal(err)
			}
			line = drawn
		}
		for range rapid.IntRange(0, 2).Draw(rt, "damages") {
			at, c := rapid.IntRange(0, len(line)-1).Draw(rt, "at"), rapid.SampledFrom(bytes).Draw(rt, "byte")
			switch rapid.IntRange(0, 2).Draw(rt, "how") {
			case 0:
				line[at] = c
			case 1:
				line = append(line[:at:at], line[at+1:]...)
			default:
				line = append(line[:at:at], append([]byte{c}, line[at:]...)...)
			}
		}
		fast, differ := sameAsAny(line)
		if differ != "" {
			rt.Fatalf("%s\n%s", line, differ)
		}
		if fast {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("nothing was read the fast way")
	}
}

func BenchmarkDecode(b *testing.B) {
	content, err := os.ReadFile("testdata/v3.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	for name, decode := range map[string]func([]byte) (*Record, error){"fast": Decode, "any": decodeAny} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				if _, err := decode([]byte(lines[i%len(lines)])); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
