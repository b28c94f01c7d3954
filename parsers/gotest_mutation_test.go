package parsers

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// cannotHide checks what no damage to the output may change.
func cannotHide(t *testing.T, c goCase, r *result.ToolResult, what string) {
	t.Helper()
	failing := c.exit != 0
	if failing && (r.Status == result.Passed || r.Status == result.OK) {
		t.Errorf("%s: a failing run became %s", what, r.Status)
	}
	if failing && r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s: parsed with nothing on a failing exit", what)
	}
}

// shortGoCases leaves out the longest outputs, which say nothing new when cut
// at every byte.
func shortGoCases(t testing.TB, limit int) []goCase {
	return slices.DeleteFunc(goCases(t), func(c goCase) bool { return len(c.stdout) > limit })
}

// TestGoTestCut cuts stdout at every byte.
func TestGoTestCut(t *testing.T) {
	for _, c := range shortGoCases(t, 1200) {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.stdout {
				r := c.parseAs(Separate(c.stdout[:i], c.stderr))
				cannotHide(t, c, r, "cut")
				inLine := i > 0 && c.stdout[i-1] != '\n'
				if inLine && r.Status == result.Passed {
					t.Errorf("cut in a line at byte %d and still passed", i)
				}
			}
		})
	}
}

// TestGoTestLost drops and doubles every line.
func TestGoTestLost(t *testing.T) {
	for _, c := range shortGoCases(t, 4<<10) {
		t.Run(c.name, func(t *testing.T) {
			lines := bytes.SplitAfter(c.stdout, []byte("\n"))
			for i := range lines {
				without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
				cannotHide(t, c, c.parseAs(Separate(without, c.stderr)), "dropped")
				twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
				cannotHide(t, c, c.parseAs(Separate(twice, c.stderr)), "doubled")
			}
		})
	}
}

// TestGoTestShapes: what a terminal, a pipe or a clock does to the output
// changes no finding.
func TestGoTestShapes(t *testing.T) {
	shapes := map[string]func(c goCase) Source{
		"crlf": func(c goCase) Source {
			return Separate(bytes.ReplaceAll(c.stdout, []byte("\n"), []byte("\r\n")), bytes.ReplaceAll(c.stderr, []byte("\n"), []byte("\r\n")))
		},
		"colour": func(c goCase) Source { return Separate(paint(c.stdout), paint(c.stderr)) },
		"bytes": func(c goCase) Source {
			return append(chop(Stdout, 0, c.stdout), chop(Stderr, int64(len(c.stdout)), c.stderr)...)
		},
		"stderr first": func(c goCase) Source {
			return Bytes{{Stream: Stderr, Data: c.stderr}, {Stream: Stdout, Offset: int64(len(c.stderr)), Data: c.stdout}}
		},
		"interleaved": func(c goCase) Source { return interleave(c.stdout, c.stderr) },
	}
	for _, c := range goCases(t) {
		want := identities(c.parse())
		for name, shape := range shapes {
			if name == "colour" && strings.HasPrefix(string(c.stdout), "{") {
				continue // nobody paints events
			}
			t.Run(c.name+"/"+name, func(t *testing.T) { sameLines(t, identities(c.parseAs(shape(c))), want) })
		}
	}
}

// TestGoTestLent: nothing of the result lies in a buffer that was read into
// again. Cut into bytes, every line lies in the same one.
func TestGoTestLent(t *testing.T) {
	for _, c := range goCases(t) {
		t.Run(c.name, func(t *testing.T) {
			pieces := append(chop(Stdout, 0, c.stdout), chop(Stderr, int64(len(c.stdout)), c.stderr)...)
			got, want := asJSON(t, c.parseAs(pieces)), asJSON(t, c.parseAs(Separate(c.stdout, c.stderr)))
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func asJSON(t *testing.T, r *result.ToolResult) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// paint colours every line.
func paint(p []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(p) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		b.WriteString("\x1b[31m")
		b.Write(text)
		b.WriteString("\x1b[0m")
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func chop(s Stream, at int64, p []byte) Bytes {
	var all Bytes
	for i := range p {
		all = append(all, Chunk{Stream: s, Offset: at + int64(i), Data: p[i : i+1]})
	}
	return all
}

// interleave alternates between pieces of both streams that end anywhere.
func interleave(stdout, stderr []byte) Bytes {
	var all Bytes
	var at int64
	for len(stdout)+len(stderr) > 0 {
		for i, p := range []*[]byte{&stdout, &stderr} {
			s := []Stream{Stdout, Stderr}[i]
			n := min(len(*p), 37)
			all = append(all, Chunk{Stream: s, Offset: at, Data: (*p)[:n]})
			*p = (*p)[n:]
			at += int64(n)
		}
	}
	return all
}

// TestGoTestMerged: one stream for both, as under 2>&1, says the same.
func TestGoTestMerged(t *testing.T) {
	for _, c := range goCases(t) {
		if len(c.stderr) == 0 || strings.Contains(c.cmd, ".test ") {
			continue // a test binary prints its panics behind what they end
		}
		both := slices.Concat(c.stderr, c.stdout)
		sameLines(t, identities(c.parseAs(Separate(both, nil))), identities(c.parse()))
	}
}

// TestGoTestElsewhere: another checkout gives the same fingerprints.
func TestGoTestElsewhere(t *testing.T) {
	for _, c := range goCases(t) {
		t.Run(c.name, func(t *testing.T) {
			want := identities(c.parse())
			old, moved := c.workspace.Root, "/srv/ci/work-17/tree/ledger"
			c.stdout = bytes.ReplaceAll(c.stdout, []byte(old), []byte(moved))
			c.stderr = bytes.ReplaceAll(c.stderr, []byte(old), []byte(moved))
			c.workspace.Dir = moved + strings.TrimPrefix(c.workspace.Dir, old)
			c.workspace.Root = moved
			got := identities(c.parse())
			for i := range want {
				want[i], _, _ = strings.Cut(want[i], "|")
			}
			for i := range got {
				got[i], _, _ = strings.Cut(got[i], "|")
			}
			sameLines(t, got, want)
		})
	}
}

// TestGoTestCutPackages: the events of two packages end before either does.
func TestGoTestCutPackages(t *testing.T) {
	events := `{"Action":"start","Package":"m/a"}
{"Action":"start","Package":"m/b"}
{"Action":"run","Package":"m/a","Test":"TestA"}
{"Action":"run","Package":"m/b","Test":"TestB"}
{"Action":"output","Package":"m/b","Test":"TestB","Output":"    b_test.go:7: got 1, want 2\n"}
{"Action":"output","Package":"m/b","Test":"TestB","Output":"--- FAIL: TestB (0.00s)\n"}
`
	c := goCase{cmd: "go test -json ./...", stdout: []byte(events), exit: 1}
	sameLines(t, brief(c.parse()), []string{
		"failed heuristic",
		"test_failure|TestA||was running when the output ended",
		"test_failure|TestB|b_test.go:7|got 1, want 2",
	})
}
