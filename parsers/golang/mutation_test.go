package golang

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestGoTestCut cuts stdout at every byte.
func TestGoTestCut(t *testing.T) {
	for _, c := range shortCases(casetest.Cases(t, "go-test"), 1200) {
		t.Run(c.Name, func(t *testing.T) {
			for i := range casetest.Cuts(c.Stdout) {
				r := c.ParseAs(tool.Separate(c.Stdout[:i], c.Stderr))
				c.CannotHide(t, r, "cut")
				inLine := i > 0 && c.Stdout[i-1] != '\n'
				if inLine && r.Status == result.Passed {
					t.Errorf("cut in a line at byte %d and still passed", i)
				}
			}
		})
	}
}

// TestGoTestLost drops and doubles every line.
func TestGoTestLost(t *testing.T) {
	for _, c := range shortCases(casetest.Cases(t, "go-test"), 4<<10) {
		t.Run(c.Name, func(t *testing.T) {
			lines := bytes.SplitAfter(c.Stdout, []byte("\n"))
			for i := range lines {
				if racing.Enabled && i%5 != 0 {
					continue
				}
				without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
				c.CannotHide(t, c.ParseAs(tool.Separate(without, c.Stderr)), "dropped")
				twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
				c.CannotHide(t, c.ParseAs(tool.Separate(twice, c.Stderr)), "doubled")
			}
		})
	}
}

// TestGoTestShapes: what a terminal, a pipe or a clock does to the output
// changes no finding.
func TestGoTestShapes(t *testing.T) {
	shapes := map[string]func(c casetest.Case) tool.Source{
		"crlf": func(c casetest.Case) tool.Source {
			return tool.Separate(bytes.ReplaceAll(c.Stdout, []byte("\n"), []byte("\r\n")), bytes.ReplaceAll(c.Stderr, []byte("\n"), []byte("\r\n")))
		},
		"colour": func(c casetest.Case) tool.Source {
			return tool.Separate(paint(c.Stdout), paint(c.Stderr))
		},
		"bytes": func(c casetest.Case) tool.Source {
			return append(chop(tool.Stdout, 0, c.Stdout), chop(tool.Stderr, int64(len(c.Stdout)), c.Stderr)...)
		},
		"stderr first": func(c casetest.Case) tool.Source {
			return tool.Bytes{{Stream: tool.Stderr, Data: c.Stderr}, {Stream: tool.Stdout, Offset: int64(len(c.Stderr)), Data: c.Stdout}}
		},
		"interleaved": func(c casetest.Case) tool.Source { return interleave(c.Stdout, c.Stderr) },
	}
	for _, c := range casetest.Cases(t, "go-test") {
		want := identities(c.Parse())
		for name, shape := range shapes {
			if name == "colour" && strings.HasPrefix(string(c.Stdout), "{") {
				continue // no tool colours events
			}
			t.Run(c.Name+"/"+name, func(t *testing.T) { casetest.SameLines(t, identities(c.ParseAs(shape(c))), want) })
		}
	}
}

// TestGoTestLent: nothing of the result lies in a buffer that was read into
// again. Cut into bytes, every line lies in the same one.
func TestGoTestLent(t *testing.T) {
	for _, c := range casetest.Cases(t, "go-test") {
		t.Run(c.Name, func(t *testing.T) {
			pieces := append(chop(tool.Stdout, 0, c.Stdout), chop(tool.Stderr, int64(len(c.Stdout)), c.Stderr)...)
			got, want := asJSON(t, c.ParseAs(pieces)), asJSON(t, c.ParseAs(tool.Separate(c.Stdout, c.Stderr)))
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestGoTestMerged: one stream for both, as under 2>&1, says the same.
func TestGoTestMerged(t *testing.T) {
	for _, c := range casetest.Cases(t, "go-test") {
		if len(c.Stderr) == 0 || strings.Contains(c.Cmd, ".test ") {
			continue // a test binary prints its panics behind what they end
		}
		both := slices.Concat(c.Stderr, c.Stdout)
		casetest.SameLines(t, identities(c.ParseAs(tool.Separate(both, nil))), identities(c.Parse()))
	}
}

// TestGoTestElsewhere: another checkout gives the same fingerprints.
func TestGoTestElsewhere(t *testing.T) {
	for _, c := range casetest.Cases(t, "go-test") {
		t.Run(c.Name, func(t *testing.T) {
			want := identities(c.Parse())
			old, moved := c.Root, "/srv/ci/work-17/tree/ledger"
			c.Stdout = bytes.ReplaceAll(c.Stdout, []byte(old), []byte(moved))
			c.Stderr = bytes.ReplaceAll(c.Stderr, []byte(old), []byte(moved))
			c.Dir = moved + strings.TrimPrefix(c.Dir, old)
			c.Root = moved
			got := identities(c.Parse())
			for i := range want {
				want[i], _, _ = strings.Cut(want[i], "|")
			}
			for i := range got {
				got[i], _, _ = strings.Cut(got[i], "|")
			}
			casetest.SameLines(t, got, want)
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
	c := casetest.Case{Cmd: "go test -json ./...", Stdout: []byte(events), Exit: 1}
	casetest.SameLines(t, brief(c.Parse()), []string{
		"failed heuristic",
		"test_failure|TestA||was running when the output ended",
		"test_failure|TestB|b_test.go:7|got 1, want 2",
	})
}
