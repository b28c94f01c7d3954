package parsers

import (
	"bytes"
	"testing"

	"cairn/result"
)

// TestMypyLiteral: what a person reads in the raw output.
func TestMypyLiteral(t *testing.T) {
	for name, want := range map[string][]string{
		"mypy/usage": {"mypy error parsed map[error:1]", "error : unrecognized arguments: --frob"},
		"mypy/notes": {
			"mypy failed parsed map[error:2 info:3]",
			"revl.py:2 info : Revealed local types are:",
			"revl.py:2 info : x: int",
			"revl.py:3 error call-arg: Too many arguments for \"g\"",
			"revl.py:6 info annotation-unchecked: By default the bodies of untyped functions are not checked, consider using --check-untyped-defs",
			"revl.py:10 error return-value: Incompatible return value type (got \"str\", expected \"int\")",
		},
		"mypy/blocking-v0.971": {"mypy failed parsed map[error:1]", "broken.py:1 error : invalid syntax"},
		"mypy/command":         {"mypy failed parsed map[error:1]", "<string>:1 error assignment: Incompatible types in assignment (expression has type \"str\", variable has type \"int\")"},
	} {
		t.Run(name, func(t *testing.T) {
			c := readToolCase(t, name)
			sameLines(t, shown(c.parse(c.stdout, c.stderr)), want)
		})
	}
}

// TestMypyFormats: one run, however it is printed.
func TestMypyFormats(t *testing.T) {
	for base, others := range map[string][]string{
		"json":         {"plain", "pretty", "pretty-40", "color-narrow", "columns", "end", "no-summary", "links"},
		"json-notes":   {"notes", "notes-pretty"},
		"plain-v1.4.1": {"pretty-v1.4.1"},
		"plain-v0.971": {"pretty-v0.971"},
	} {
		want := readToolCase(t, "mypy/"+base)
		for _, name := range others {
			t.Run(name, func(t *testing.T) {
				c := readToolCase(t, "mypy/"+name)
				sameFindings(t, c.parse(c.stdout, c.stderr), want.parse(want.stdout, want.stderr))
			})
		}
	}
}

// TestMypyColumns: JSON counts from 0, text from 1, and its last column is
// inclusive; here all are 1-based and exclusive.
func TestMypyColumns(t *testing.T) {
	a, b := readToolCase(t, "mypy/json"), readToolCase(t, "mypy/end")
	j, e := a.parse(a.stdout, a.stderr), b.parse(b.stdout, b.stderr)
	if len(j.Findings) != len(e.Findings) || len(j.Findings) == 0 {
		t.Fatalf("%d and %d findings", len(j.Findings), len(e.Findings))
	}
	for i := range j.Findings {
		if *j.Findings[i].At != *e.Findings[i].At {
			t.Errorf("JSON says %+v, text %+v", *j.Findings[i].At, *e.Findings[i].At)
		}
	}
}

// TestMypyNotes: notes belong to the error before them.
func TestMypyNotes(t *testing.T) {
	text := `a.py:3: error: Too many arguments for "f"  [call-arg]
b.py:1: note: "f" defined here
a.py:4: error: Library stubs not installed for "yaml"  [import-untyped]
a.py:4: note: Hint: "python3 -m pip install types-PyYAML"
a.py:4: note: Revealed type is "int"
Found 2 errors in 1 file (checked 1 source file)
`
	r := Parse(Input{Shell: "make types", Source: Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	sameLines(t, shown(r), []string{
		"mypy failed parsed map[error:2 info:1]",
		`a.py:3 error call-arg: Too many arguments for "f"`,
		`a.py:4 error import-untyped: Library stubs not installed for "yaml"`,
		`a.py:4 info : Revealed type is "int"`,
	})
	if f := r.Findings[0]; len(f.Related) != 1 || f.Related[0].At == nil || f.Related[0].At.String() != "b.py:1" {
		t.Errorf("related: %+v", f.Related)
	}
	if f := r.Findings[1]; len(f.Suggestions) != 1 {
		t.Errorf("suggestions: %v", f.Suggestions)
	}
}

// TestMypyNot: lines that only look like mypy's.
func TestMypyNot(t *testing.T) {
	for name, text := range map[string]string{
		"gcc":     "a.c:3:5: error: expected ';'\na.c:3:5: note: here\n",
		"tsc":     "Found 3 errors in 2 files.\n",
		"a log":   "worker: error: cannot reach host\nerror: x\n",
		"closing": "Found 3 errors in 2 files (checking 9 more)\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := Parse(Input{Shell: "make", Source: Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 2})
			if r.Tool == "mypy" {
				t.Errorf("taken for mypy: %v", shown(r))
			}
		})
	}
}

// TestMypyFewer: fewer errors than the closing line counts.
func TestMypyFewer(t *testing.T) {
	text := "a.py:3: error: Bad  [misc]\nFound 2 errors in 1 file (checked 1 source file)\n"
	r := Parse(Input{Shell: "mypy a.py", Source: Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	if r.ParserConfidence != result.Heuristic {
		t.Errorf("%v", shown(r))
	}
}

// TestMypyCut cuts small outputs at every byte.
func TestMypyCut(t *testing.T) {
	for _, c := range toolCases(t, "mypy") {
		if len(c.stdout) < 2500 {
			t.Run(c.name, func(t *testing.T) { cutEverywhere(t, c) })
		}
	}
}

// FuzzMypy gives arbitrary bytes to both readers.
func BenchmarkMypyText(b *testing.B) {
	benchmarkTool(b, bytes.Repeat(readToolCase(b, "mypy/plain").stdout, 2000), parseMypyText)
}

func BenchmarkMypyPretty(b *testing.B) {
	benchmarkTool(b, bytes.Repeat(readToolCase(b, "mypy/pretty").stdout, 2000), parseMypyText)
}

func BenchmarkMypyJSON(b *testing.B) {
	benchmarkTool(b, bytes.Repeat(readToolCase(b, "mypy/json").stdout, 2000), parseMypyJSON)
}
