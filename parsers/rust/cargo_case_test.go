package rust

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargoCases are the recorded runs whose output has at most limit bytes.
func cargoCases(t testing.TB, limit int) (cases []casetest.Case) {
	t.Helper()
	for _, toolName := range []string{"cargo-test", "cargo-nextest", "cargo-build", "cargo-check", "cargo-clippy", "rustc"} {
		for _, c := range casetest.Cases(t, toolName) {
			if len(c.Stdout)+len(c.Stderr) <= limit {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// cargoPlaces are (path, line, rule, fingerprint) of all findings, sorted.
func cargoPlaces(r *result.ToolResult) []string {
	var all []string
	for _, f := range r.Findings {
		path, line := "", 0
		if f.At != nil {
			path, line = f.At.Path, f.At.Line
		}
		all = append(all, fmt.Sprintf("%s:%d %s %s %s: %s", path, line, f.Rule, f.Fingerprint, f.ID, f.Message))
	}
	slices.Sort(all)
	return all
}

// TestCargoFormats: the same project in several formats gives the same places,
// rules and fingerprints.
func TestCargoFormats(t *testing.T) {
	for _, same := range [][]string{
		{"cargo-test/workspace", "cargo-test/workspace-quiet", "cargo-test/workspace-merged"},
		{"cargo-test/fail-fast", "cargo-test/colour", "cargo-test/verbose", "cargo-test/make"},
		{"cargo-test/member-dir", "cargo-test/member-dir-quiet", "cargo-test/nocapture-parallel"},
		{"cargo-test/nocapture-serial", "cargo-test/show-output-failing"},
		{"cargo-test/build-errors", "cargo-test/build-errors-short"},
		{"cargo-test/warnings-then-failure", "cargo-test/warnings-then-failure-json"},
		{"cargo-check/bad", "cargo-check/bad-short", "cargo-check/bad-json"},
		{"cargo-clippy/all-targets", "cargo-clippy/all-targets-json"},
		{"rustc/text", "rustc/short"},
		{"cargo-nextest/retries", "cargo-nextest/colour"},
	} {
		c := casetest.Read(t, same[0])
		want := cargoPlaces(c.Parse())
		if len(want) == 0 {
			t.Errorf("%s: no findings", same[0])
		}
		for _, name := range same[1:] {
			c := casetest.Read(t, name)
			if got := cargoPlaces(c.Parse()); !slices.Equal(got, want) {
				t.Errorf("%s and %s differ:\n%s\n---\n%s", same[0], name, strings.Join(want, "\n"), strings.Join(got, "\n"))
			}
		}
	}
}

// TestCargoCommands: a diagnostic is the same one whichever command prints it.
func TestCargoCommands(t *testing.T) {
	byCheck := map[string]bool{}
	for _, f := range casetest.Read(t, "cargo-check/bad").Parse().Findings {
		byCheck[f.Fingerprint] = true
	}
	same := 0
	for _, f := range casetest.Read(t, "cargo-test/build-errors").Parse().Findings {
		if byCheck[f.Fingerprint] {
			same++
		}
	}
	if same < len(byCheck) || same == 0 {
		t.Errorf("%d of %d diagnostics of cargo check are also cargo test's", same, len(byCheck))
	}
}

// TestCargoCut cuts each stream at every byte.
func TestCargoCut(t *testing.T) {
	for _, c := range cargoCases(t, 1300) {
		t.Run(c.Name, func(t *testing.T) {
			for i := range casetest.Cuts(c.Stdout) {
				c.CannotHide(t, c.ParseAs(tool.Separate(c.Stdout[:i], c.Stderr)), fmt.Sprint("stdout cut at ", i))
			}
			for i := range casetest.Cuts(c.Stderr) {
				c.CannotHide(t, c.ParseAs(tool.Separate(c.Stdout, c.Stderr[:i])), fmt.Sprint("stderr cut at ", i))
			}
		})
	}
}

// TestCargoLost drops and doubles every line.
func TestCargoLost(t *testing.T) {
	for _, c := range cargoCases(t, 3000) {
		t.Run(c.Name, func(t *testing.T) {
			for _, onStderr := range []bool{false, true} {
				text := c.Stdout
				if onStderr {
					text = c.Stderr
				}
				lines := strings.SplitAfter(string(text), "\n")
				for i := range lines {
					for _, n := range []int{0, 2} {
						changed := slices.Concat(lines[:i], slices.Repeat(lines[i:i+1], n), lines[i+1:])
						src := tool.Separate([]byte(strings.Join(changed, "")), c.Stderr)
						if onStderr {
							src = tool.Separate(c.Stdout, []byte(strings.Join(changed, "")))
						}
						c.CannotHide(t, c.ParseAs(src), fmt.Sprintf("line %d of stderr=%v, %d times", i+1, onStderr, n))
					}
				}
			}
		})
	}
}

// FuzzCargo: whatever the two streams hold, a run that failed stays failed.
func BenchmarkCargoTestText(b *testing.B) {
	benchmarkCargo(b, "cargo-test/workspace", "cargo test --no-fail-fast 2>&1")
}

func BenchmarkCargoTestPassing(b *testing.B) {
	var s strings.Builder
	s.WriteString("\nrunning 100000 tests\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "test module::submodule::tests::case_%06d_does_what_it_says ... ok\n", i)
	}
	s.WriteString("\ntest result: ok. 100000 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n")
	benchmarkCargoBytes(b, []byte(s.String()), "cargo test -q")
}

func BenchmarkCargoCheckJSON(b *testing.B) {
	benchmarkCargo(b, "cargo-check/bad-json", "cargo check --message-format=json")
}

func benchmarkCargo(b *testing.B, name, cmd string) {
	c := casetest.Read(b, name)
	benchmarkCargoBytes(b, slices.Concat(c.Stdout, c.Stderr), cmd)
}

func benchmarkCargoBytes(b *testing.B, data []byte, cmd string) {
	src := casetest.Repeated{Data: data, N: max(1, (8<<20)/len(data))}
	b.SetBytes(int64(len(data) * src.N))
	b.ReportAllocs()
	for b.Loop() {
		in := tool.Input{Shell: cmd, Source: src}
		parseCargo(&in, cargoToolNamed(&in))
	}
}
