package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"cairn/result"
)

// drawRaw is what the caller passes as the output: nothing, little or much.
func drawRaw(t *rapid.T) []byte {
	switch rapid.IntRange(0, 3).Draw(t, "raw") {
	case 0:
		return nil
	case 1:
		return []byte(drawText(t, "raw text"))
	case 2:
		return []byte{}
	}
	return []byte(strings.Repeat("a line of some output\n", 20000))
}

func TestHeaderIsHonest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSealed(t)
		if rapid.Bool().Draw(t, "forged") { // a record may come from anywhere
			r.Status = rapid.SampledFrom([]result.Status{result.Passed, result.OK}).Draw(t, "status")
		}
		good := r.ExitCode != nil && *r.ExitCode == 0 && r.Signal == "" && !r.TimedOut
		head, _, _ := strings.Cut(Compact(r, drawRaw(t)), "\n")
		tool, rest, _ := strings.Cut(head, " ")
		verdict := strings.TrimRight(strings.Fields(rest + " x")[0], ":")
		if !good && (verdict == "passed" || verdict == "ok") {
			t.Fatalf("%s: exit %v, signal %q, timeout %v", head, r.ExitCode, r.Signal, r.TimedOut)
		}
		if !slices.Contains([]string{"passed", "ok", "failed", "error", "unknown"}, verdict) || tool == "" {
			t.Fatalf("no verdict in %q", head)
		}
		if (r.Partial || r.Truncated.Raw) && !strings.Contains(head, "[output cut short]") {
			t.Fatalf("%q does not say that the output is cut short", head)
		}
		if good && r.StatusSource == result.FromFindings && r.Status == result.Failed && !strings.Contains(head, "findings say failed") {
			t.Fatalf("%q does not say why it failed", head)
		}
	})
}

func TestCompactIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, raw := drawSealed(t), drawRaw(t)
		before, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		first, second := Compact(r, raw), Compact(r, raw)
		after, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if first != second || !bytes.Equal(before, after) {
			t.Fatalf("rendering twice differs, or changed the result:\n%s\n%s", first, second)
		}
	})
}

func TestNothingSteersATerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSealed(t)
		if rapid.Bool().Draw(t, "not sealed") {
			r.Findings = append(r.Findings, drawFinding(t))
			r.Body, r.Summary, r.Tool = drawText(t, "b"), drawText(t, "s"), drawText(t, "t")
		}
		text := Compact(r, drawRaw(t))
		for _, c := range text {
			if c != '\n' && c != '\t' && unicode.IsControl(c) || c == '\u202e' || c == '\u2028' {
				t.Fatalf("%U in %q", c, text)
			}
		}
		if !strings.HasSuffix(text, "\n") {
			t.Fatalf("%q does not end its last line", text)
		}
	})
}

// Each finding is one line with its location, id and rule in full; those of a
// file stand together, files in the order of their first appearance.
func TestFindingLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSealed(t)
		r.Parts = nil
		_, below, _ := strings.Cut(Compact(r, nil), "\n")
		lines := strings.Split(Expand(below), "\n")
		shown, left := choose(r.Findings)
		if len(shown) < min(len(r.Findings), maxLines) || len(shown)+len(left) != len(r.Findings) {
			t.Fatalf("%d shown and %d left of %d", len(shown), len(left), len(r.Findings))
		}
		var files []string
		for _, f := range byFile(shown) {
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.HasPrefix(line, lineOf(f)) && strings.Contains(line, f.ID) && strings.Contains(strings.ToLower(line), strings.ToLower(f.Rule))
			}) {
				t.Fatalf("no line tells %s %s %s in\n%s", f.Location, f.ID, f.Rule, below)
			}
			if len(files) == 0 || files[len(files)-1] != pathOf(f) {
				files = append(files, pathOf(f))
			}
		}
		var first []string
		for _, f := range shown {
			if !slices.Contains(first, pathOf(f)) {
				first = append(first, pathOf(f))
			}
		}
		if !slices.Equal(files, first) {
			t.Fatalf("files in the order %q, want %q", files, first)
		}
		if len(left) > 0 {
			want := fmt.Sprintf("[… %d more finding", len(left))
			if !strings.Contains(below, "\n"+want) {
				t.Fatalf("no line says %q in\n%s", want, below)
			}
			worst := slices.MinFunc(left, func(a, b result.Finding) int { return rank(a) - rank(b) })
			for _, f := range shown {
				if rank(f) > rank(worst) {
					t.Fatalf("a %s is shown and a %s is not", f.Severity, worst.Severity)
				}
			}
		}
	})
}

func TestNeverLongerThanRaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, raw := drawSealed(t), drawRaw(t)
		_, below, _ := strings.Cut(Compact(r, raw), "\n")
		clean := result.Clean(string(raw))
		if strings.TrimSpace(clean) == "" {
			return // the text came from elsewhere
		}
		if len(below) > len(clean)+1 { // the newline that ends the last line
			t.Fatalf("%d bytes for %d:\n%s", len(below), len(clean), below)
		}
	})
}

// Blank output must not take the place of what cairn itself has to say.
func TestBlankRawHidesNothing(t *testing.T) {
	for _, raw := range []string{"", "\n", "\x1b[0m\n"} {
		code := 126
		r := &result.ToolResult{Tool: "x", Status: result.Error, ExitCode: &code, Body: "cairn: ./x: permission denied"}
		if got := Compact(r, []byte(raw)); !strings.Contains(got, "permission denied") {
			t.Errorf("with raw %q: %q", raw, got)
		}
	}
}

// Every command in a marker is one that recall takes.
func TestMarkersWork(t *testing.T) {
	const oid = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	one := 1
	findings := make([]result.Finding, 150)
	for i := range findings {
		findings[i] = result.Finding{Severity: result.SevWarning, Message: "m", ID: fmt.Sprint("w", i)}
	}
	findings[149].Severity = result.SevFailure
	tests := map[string]struct {
		r    result.ToolResult
		want []string
	}{
		"many": {
			result.ToolResult{Findings: findings, Truncated: result.Truncated{FindingsTotal: 160}, RawOID: oid, Raw: &result.Raw{Bytes: 9, Lines: 900}},
			[]string{
				"\nw149: m\n",
				"[… 50 more findings (50 warnings), without messages below: cairn recall object sha256:0123456789ab --result --format yaml]\n",
				"[… 10 findings not among these: cairn recall object sha256:0123456789ab]\n",
				"[all 900 lines: cairn recall object sha256:0123456789ab]\n",
			},
		},
		"not kept": {result.ToolResult{Findings: findings}, []string{"[… 50 more findings (50 warnings), without messages below]\n"}},
		"suppressed": {
			result.ToolResult{Suppressed: []result.Suppressed{{Kind: "duplicates", Count: 3}, {Kind: "warnings", Count: 40, Reason: "of dependencies"}}},
			[]string{"[… 3 duplicates left out]\n", "[… 40 warnings left out: of dependencies]\n"},
		},
		"gaps": {
			result.ToolResult{Body: "a\n[… line 2]\nb\n[… 40 lines, 4-43]\n[… 9 more like this, 45-53]\n", RawOID: oid},
			[]string{"[lines left out above: cairn recall object sha256:0123456789ab --lines 4:43]\n"},
		},
		"told by findings": {
			result.ToolResult{Body: "a\n[… 99 lines, 2-100, told by findings]\nb\n[… 9 lines, 7 told by findings, 102-110]\n", RawOID: oid},
			[]string{"[lines left out above: cairn recall object sha256:0123456789ab --lines 102:110]\n"},
		},
		"one line": {result.ToolResult{Body: "a\n[… line 2]\nb\n", RawOID: oid}, []string{"--lines 2:2]\n"}},
		"imitation": {
			result.ToolResult{Body: "[… ]\n[… lines, 9-]\n[… lines, 7-5]\n[… x, -1-2]\n", RawOID: oid},
			[]string{"[all output: cairn recall object sha256:0123456789ab]\n"},
		},
	}
	for name, test := range tests {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			test.r.Status, test.r.ExitCode = result.Failed, &one
			got := Compact(&test.r, nil)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got[max(0, len(got)-600):])
				}
			}
		})
	}
}

func TestBinary(t *testing.T) {
	garbage := strings.Repeat("\xff\xfe\x00a\x9c\n", 50)
	one := 1
	r := &result.ToolResult{Tool: "sh", Status: result.Failed, ExitCode: &one, Body: garbage + "tar: unexpected end\n" + garbage + "caf\xe9\n"}
	want := "sh failed (exit 1)\n[… 50 lines not text]\ntar: unexpected end\n[… 50 lines not text]\ncaf\ufffd\n"
	for _, raw := range [][]byte{nil, []byte(r.Body)} {
		if got := Compact(r, raw); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := readable("\xff\xff\xff\xff"); got != "\ufffd\ufffd\ufffd\ufffd\n" {
		t.Errorf("a note longer than what it stands for: %q", got)
	}
}

func FuzzReadable(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := readable(s)
		if clean := result.Clean(s); len(text) > len(clean)+1 {
			t.Errorf("%d bytes made of %d", len(text), len(clean))
		}
		if text != result.Clean(text) || text != "" && !strings.HasSuffix(text, "\n") {
			t.Errorf("%q is not clean", text)
		}
	})
}

func BenchmarkCompact(b *testing.B) {
	one := 1
	r := &result.ToolResult{Tool: "ruff", Status: result.Failed, ExitCode: &one}
	for i := range 1000 {
		r.Findings = append(r.Findings, result.Finding{
			Severity: result.SevError, Rule: "F401", Message: "`os` imported but unused",
			At: &result.Location{Path: fmt.Sprintf("src/m%d.py", i%40), Line: i}, Location: fmt.Sprintf("src/m%d.py:%d", i%40, i),
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		Compact(r, nil)
	}
}
