package result

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

// seal1 seals one finding of a tool and returns it.
func seal1(tool string, w Workspace, f Finding) Finding {
	if f.At != nil {
		at := *f.At
		f.At = &at
	}
	r := ToolResult{Tool: tool, Kind: Test, ParserConfidence: Parsed, Findings: []Finding{f}}
	Seal(&r, w)
	return r.Findings[0]
}

func at(path string, line, column int) *Location {
	return &Location{Path: path, Line: line, Column: column}
}

// The key is JSON, so no two lists of parts share one.
func TestKeyIsInjective(t *testing.T) {
	part := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("|\x00\"\\,[]:\n\t\u2028\u007f aé"))),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(part, 1, 6).Draw(t, "parts")
		var back []string
		if err := json.Unmarshal(appendKey(nil, parts...), &back); err != nil {
			t.Fatalf("the key of %q is no JSON: %v", parts, err)
		}
		if !reflect.DeepEqual(back, parts) {
			t.Fatalf("the key of %q reads as %q", parts, back)
		}
	})
}

func TestKeySpelling(t *testing.T) {
	got := string(appendKey(nil, "fp1", "a\"b\\c", "\b\t\n\f\r\x01\x1f\x7f", "<é\u2028>", "\xff"))
	want := `["fp1","a\"b\\c","\b\t\n\f\r\u0001\u001f` + "\x7f" + `","<é` + "\u2028" + `>","` + "\ufffd" + `"]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// One key, three identities: the context keeps them apart.
func TestIdentitiesDiffer(t *testing.T) {
	a, b, c := fingerprints.of("x"), groups.of("x"), commandKeys.of("x")
	if a == b || b == c || a == c {
		t.Errorf("%s %s %s", a, b, c)
	}
	if again := fingerprints.of("x"); again != a {
		t.Errorf("a hasher that was used before gives %s, not %s", again, a)
	}
}

func TestSameFinding(t *testing.T) {
	w := Workspace{Root: "/home/ann/proj", Dir: "/home/ann/proj", Home: "/home/ann", Tmp: "/tmp"}
	base := Finding{Kind: TestFailure, Severity: SevFailure, ID: "tests/test_a.py::test_x[1-a]",
		Message: "AssertionError: assert 1 == 2", At: at("tests/test_a.py", 12, 0)}
	lint := Finding{Kind: Diagnostic, Severity: SevError, Rule: "F401", Message: "'os' imported but unused", At: at("src/a.py", 3, 8)}
	title := Finding{Kind: TestFailure, Severity: SevFailure, ID: "suite adds numbers", Message: "no", At: at("test/a.js", 5, 3)}

	for _, tt := range []struct {
		name string
		w    Workspace
		a, b Finding
	}{
		{"other lines", w, base, with(base, func(f *Finding) { f.At.Line = 113 })},
		{"other column", w, lint, with(lint, func(f *Finding) { f.At.Line, f.At.Column = 104, 1 })},
		{"absolute path", w, lint, with(lint, func(f *Finding) { f.At.Path = "/home/ann/proj/src/a.py" })},
		{"dotted path", w, lint, with(lint, func(f *Finding) { f.At.Path = "./src/../src/a.py" })},
		{"URL", w, lint, with(lint, func(f *Finding) { f.At.Path = "file:///home/ann/proj/src/a.py" })},
		{"other root", Workspace{Root: "/builds/7/x", Home: "/root"}, lint, with(lint, func(f *Finding) { f.At.Path = "/builds/7/x/src/a.py" })},
		{"other directory", Workspace{Root: "/r", Dir: "/r/src"}, lint, with(lint, func(f *Finding) { f.At.Path = "a.py" })},
		{"other directory, id", Workspace{Root: "/r", Dir: "/r/tests"}, base, with(base, func(f *Finding) {
			f.ID, f.At.Path = "test_a.py::test_x[1-a]", "test_a.py"
		})},
		{"absolute id", w, base, with(base, func(f *Finding) { f.ID = "/home/ann/proj/tests/test_a.py::test_x[1-a]" })},
		{"colour", w, base, with(base, func(f *Finding) { f.Message = "\x1b[31mAssertionError:\x1b[0m assert 1 == 2" })},
		{"line ends", w, base, with(base, func(f *Finding) { f.Message += "\r\n" })},
		{"full stop", w, lint, with(lint, func(f *Finding) { f.Message += "." })},
		{"quotes", w, lint, with(lint, func(f *Finding) { f.Message = "‘os’ imported but unused" })},
		{"severity as the format has it", w, lint, with(lint, func(f *Finding) { f.Severity = SevWarning; f.RawSeverity = "w" })},
		{"detail", w, base, with(base, func(f *Finding) { f.Detail = "more"; f.Expected = "1" })},
		{"position in an id", w, with(base, func(f *Finding) { f.ID = "src/lib.rs - add (line 19)" }), with(base, func(f *Finding) { f.ID = "src/lib.rs - add (line 120)" })},
		{"rspec position", w, with(base, func(f *Finding) { f.ID = "./spec/a_spec.rb:21" }), with(base, func(f *Finding) { f.ID = "spec/a_spec.rb:22" })},
		{"playwright position", w, with(base, func(f *Finding) { f.ID = "[ff] › tests/a.spec.ts:5:3 › adds" }), with(base, func(f *Finding) { f.ID = "[ff] › tests/a.spec.ts:15:3 › adds" })},
		{"address in an id", w, with(base, func(f *Finding) { f.ID = "a.py::t[<f at 0x7f0012ab>]" }), with(base, func(f *Finding) { f.ID = "a.py::t[<f at 0x7f99ee11>]" })},
		{"temp directory in an id", w, with(base, func(f *Finding) { f.ID = "a.py::t[/tmp/x1/o.txt]" }), with(base, func(f *Finding) { f.ID = "a.py::t[/tmp/y2/o.txt]" })},
		{"title at another line", w, title, with(title, func(f *Finding) { f.At.Line = 50 })},
		{"where the tool cut it", w, with(base, func(f *Finding) { f.MessageTruncated = true; f.Message = "Asse..." }), with(base, func(f *Finding) { f.MessageTruncated = true; f.Message = "Assertion..." })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := seal1("tool", w, tt.a), seal1("tool", tt.w, tt.b)
			if a.Fingerprint != b.Fingerprint || a.Group != b.Group {
				t.Errorf("%s/%s and %s/%s", a.Fingerprint, a.Group, b.Fingerprint, b.Group)
			}
		})
	}
}

func with(f Finding, change func(*Finding)) Finding {
	if f.At != nil {
		at := *f.At
		f.At = &at
	}
	change(&f)
	return f
}

func TestOtherFinding(t *testing.T) {
	w := Workspace{Root: "/r"}
	base := Finding{Kind: TestFailure, Severity: SevFailure, ID: "tests/test_a.py::test_x[1]", Rule: "AssertionError",
		Message: "assert 1 == 2", At: at("tests/test_a.py", 12, 0)}
	lint := Finding{Kind: Diagnostic, Severity: SevError, Rule: "E501", Message: "Line too long (124 > 88)", At: at("src/0001_init.py", 3, 8)}
	title := Finding{Kind: TestFailure, Severity: SevFailure, ID: "adds", Message: "no", At: at("test/a.js", 5, 3)}
	vuln := Finding{Kind: Vulnerability, Severity: SevError, Rule: "GHSA-1", Message: "x", At: at("package-lock.json", 0, 0), Package: &PackageRef{Name: "a"}}

	for _, tt := range []struct {
		name      string
		a, b      Finding
		sameGroup bool
	}{
		{"rule", lint, with(lint, func(f *Finding) { f.Rule = "E502" }), false},
		{"file", lint, with(lint, func(f *Finding) { f.At.Path = "src/0002_init.py" }), false},
		{"number in the message", lint, with(lint, func(f *Finding) { f.Message = "Line too long (125 > 88)" }), true},
		{"case of the message", lint, with(lint, func(f *Finding) { f.Message = "line too long (124 > 88)" }), true},
		{"test", base, with(base, func(f *Finding) { f.ID = "tests/test_a.py::test_y[1]" }), false},
		{"parameter", base, with(base, func(f *Finding) { f.ID = "tests/test_a.py::test_x[2]" }), false},
		{"short number as a parameter", with(base, func(f *Finding) { f.ID = "a.py::t[0x10]" }), with(base, func(f *Finding) { f.ID = "a.py::t[0x20]" }), false},
		{"duration as a parameter", with(base, func(f *Finding) { f.ID = "a.py::t[5s]" }), with(base, func(f *Finding) { f.ID = "a.py::t[9s]" }), false},
		{"position as a parameter", with(base, func(f *Finding) { f.ID = "a.py::t[b.py:5]" }), with(base, func(f *Finding) { f.ID = "a.py::t[b.py:6]" }), false},
		{"message of a test", base, with(base, func(f *Finding) { f.Message = "assert 0 == 2" }), true},
		{"exception of a test", base, with(base, func(f *Finding) { f.Rule = "TypeError" }), true},
		{"panic of the same test", base, with(base, func(f *Finding) { f.Kind = Panic; f.Message = "boom" }), true},
		{"file of a title", title, with(title, func(f *Finding) { f.At.Path = "test/b.js" }), false},
		{"tool", lint, with(lint, func(f *Finding) { f.Source = "flake8" }), false},
		{"package of an advisory", vuln, with(vuln, func(f *Finding) { f.Package = &PackageRef{Name: "b"} }), false},
		{"object of a linker", Finding{Kind: BuildError, Severity: SevError, ID: "f", Message: "undefined"}, Finding{Kind: BuildError, Severity: SevError, ID: "g", Message: "undefined"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := seal1("tool", w, tt.a), seal1("tool", w, tt.b)
			if a.Fingerprint == b.Fingerprint {
				t.Errorf("both are %s", a.Fingerprint)
			}
			if (a.Group == b.Group) != tt.sameGroup {
				t.Errorf("groups %s and %s, want same %t", a.Group, b.Group, tt.sameGroup)
			}
		})
	}
}

// The metamorphic test: what differs between machines and between two states of
// a file does not reach the fingerprints.
func TestMetamorphic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rel := rapid.SampledFrom([]string{"a.py", "src/b c.go", "tests/é.ts"}).Draw(t, "file")
		text := rapid.StringMatching(`[a-zA-Z '().,=0-9]{0,40}`).Draw(t, "text")
		one := func(label string) Finding {
			root := rapid.SampledFrom([]string{"/home/ann/proj", "/builds/3/proj", "/tmp/ws", "c:/My Work/proj"}).Draw(t, label+" root")
			line := rapid.IntRange(1, 2000).Draw(t, label+" line")
			ms := rapid.IntRange(1, 9999).Draw(t, label+" ms")
			pid := rapid.IntRange(2, 99999).Draw(t, label+" pid")
			abs := rapid.Bool().Draw(t, label+" absolute")
			colour := rapid.Bool().Draw(t, label+" colour")
			path := rel
			if abs {
				path = root + "/" + rel
			}
			msg := fmt.Sprintf("%s in '%s/%s' at line %d after %dms (pid %d, 0x%x, localhost:%d)", text, root, rel, line, ms, pid, pid, 1024+pid%60000)
			if colour {
				msg = "\x1b[1m" + strings.ReplaceAll(msg, " in ", "\x1b[0m in ") + "\x1b[K"
			}
			return seal1("tool", Workspace{Root: root}, Finding{Kind: Diagnostic, Severity: SevError, Rule: "R1", Message: msg, At: at(path, line, pid%80)})
		}
		a, b := one("a"), one("b")
		if a.Fingerprint != b.Fingerprint || a.Group != b.Group {
			t.Fatalf("%q %q\n%q %q", a.Message, a.Location, b.Message, b.Location)
		}
	})
}

// TestDistribution looks at many findings that differ in one digit each.
func TestDistribution(t *testing.T) {
	seen := map[string]string{}
	add := func(key, fp string) {
		if old, ok := seen[fp]; ok && old != key {
			t.Fatalf("%s stands for %q and %q", fp, old, key)
		}
		seen[fp] = key
	}
	for i := range 300 {
		for j := range 300 {
			locator, message := fmt.Sprintf("src/f%d.go", i), fmt.Sprintf("expected %d", j)
			add(locator+message, Fingerprint("go-test", "", locator, message))
		}
	}
	if len(seen) != 300*300 {
		t.Errorf("%d different fingerprints", len(seen))
	}
	var bits [48]int
	for fp := range seen {
		for i := range bits {
			bits[i] += int(hexValue(fp[i/4])>>(i%4)) & 1
		}
	}
	for i, n := range bits {
		if n < 44_000 || n > 46_000 { // 45,000 ± 150 is one standard deviation
			t.Errorf("bit %d is set in %d of 90000", i, n)
		}
	}
}

func TestCommandKey(t *testing.T) {
	w := Workspace{Root: "/home/ann/proj", Home: "/home/ann"}
	same := [][2]string{
		{Workspace{}.CommandKey("pytest", []string{"/usr/bin/pytest", "-q"}, ""), Workspace{}.CommandKey("pytest", []string{"pytest", "-q"}, ".")},
		{Workspace{}.CommandKey("x", []string{`C:\bin\X.EXE`}, `a\b`), Workspace{}.CommandKey("x", []string{"X"}, "a/b/")},
		{Workspace{}.CommandKey("x", []string{"x", "--out=/tmp/a1/o.xml"}, ""), Workspace{}.CommandKey("x", []string{"x", "--out=/tmp/b2/o.xml"}, "")},
		{w.CommandKey("x", []string{"x", "/home/ann/proj/a.py"}, ""), Workspace{Root: "/builds/1"}.CommandKey("x", []string{"x", "/builds/1/a.py"}, "")},
	}
	for i, pair := range same {
		if pair[0] != pair[1] {
			t.Errorf("same %d: %s and %s", i, pair[0], pair[1])
		}
	}
	all := map[string]int{}
	for i, key := range []string{
		Workspace{}.CommandKey("x", []string{"x", "a b"}, ""), Workspace{}.CommandKey("x", []string{"x", "a", "b"}, ""), Workspace{}.CommandKey("x", []string{"x"}, "a"),
		Workspace{}.CommandKey("x", []string{"x", "5s"}, ""), Workspace{}.CommandKey("x", []string{"x", "6s"}, ""), Workspace{}.CommandKey("y", []string{"x"}, "a"), Workspace{}.CommandKey("x", nil, ""),
	} {
		if j, ok := all[key]; ok {
			t.Errorf("commands %d and %d share %s", j, i, key)
		}
		all[key] = i
	}
}

// TestGoldenFingerprints fails when the scheme changes: then every recorded
// fingerprint is orphaned, and the scheme needs a new name.
func TestGoldenFingerprints(t *testing.T) {
	w := Workspace{Root: "/home/ann/proj", Dir: "/home/ann/proj/sub", Home: "/home/ann", Tmp: "/tmp"}
	var b strings.Builder
	show := func(tool string, f Finding) {
		p := newPaths(w)
		s := seal1(tool, w, f)
		fmt.Fprintf(&b, "%s %s  %s\n", s.Fingerprint, s.Group, appendKey(nil, "fp1", tool, s.Rule, p.locator(&Finding{Kind: s.Kind, ID: s.ID, At: s.At, Package: s.Package}), p.message(s.Message)))
	}
	show("pytest", Finding{Kind: TestFailure, Severity: SevFailure, ID: "tests/test_auth.py::TestLogin::test_expired[utc]", Message: "AssertionError: assert 401 == 200", At: at("tests/test_auth.py", 42, 0)})
	show("go-test", Finding{Kind: TestFailure, Severity: SevFailure, ID: "example.com/x/auth.TestLogin/expired", Message: "got 401, want 200", At: at("auth_test.go", 42, 0)})
	show("mocha", Finding{Kind: TestFailure, Severity: SevFailure, ID: "Array #indexOf() returns -1", Message: "expected 0 to equal -1", At: at("/home/ann/proj/test/array.js", 9, 14)})
	show("ruff", Finding{Kind: Diagnostic, Severity: SevError, Rule: "F401", Message: "`os` imported but unused", At: at("a.py", 1, 8)})
	show("gcc", Finding{Kind: BuildError, Severity: SevError, ID: "frobnicate", Message: "undefined reference to ‘frobnicate’"})
	show("cargo-test", Finding{Kind: Panic, Severity: SevError, Message: "thread 'main' (4711) panicked at src/main.rs:3:5", At: at("src/main.rs", 3, 5)})
	show("npm-audit", Finding{Kind: Vulnerability, Severity: SevError, Rule: "GHSA-xxxx", Message: "Prototype pollution", At: at("package-lock.json", 0, 0), Package: &PackageRef{Ecosystem: "npm", Name: "lodash"}})
	show("tool", Finding{Kind: GenericFinding, Severity: SevError, Message: "took 5ms\nat /tmp/x/a.txt \"|\x00\\"})
	fmt.Fprintf(&b, "%s  command\n", Workspace{}.CommandKey("pytest", []string{"/usr/bin/pytest", "-q", "--out=/tmp/x/o.xml"}, "sub"))
	golden(t, "fingerprints.golden", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./result -update rewrites it)\n got:\n%s\nwant:\n%s", file, got, want)
	}
}
