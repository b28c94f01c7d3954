package mypy

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
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
		"mypy/plugin-fell":        {"mypy error parsed map[error:1]", "error : INTERNAL ERROR: Error calling the plugin(version) entry point of rates.py"},
		"mypy/plugin-fell-v1.0.1": {"mypy error parsed map[error:1]", "rates.py:2 error RuntimeError: INTERNAL ERROR: RuntimeError: no rates"},
		"mypy/blocking-v0.971":    {"mypy failed parsed map[error:1]", "broken.py:1 error : invalid syntax"},
		"mypy/command":            {"mypy failed parsed map[error:1]", "<string>:1 error assignment: Incompatible types in assignment (expression has type \"str\", variable has type \"int\")"},
	} {
		t.Run(name, func(t *testing.T) {
			c := casetest.Read(t, name)
			casetest.SameLines(t, casetest.Shown(c.Parse()), want)
		})
	}
}

// TestMypyFormats: one run, however it is printed.
func TestMypyFormats(t *testing.T) {
	for base, others := range map[string][]string{
		"json":         {"plain", "pretty", "pretty-40", "color-narrow", "columns", "end", "no-summary", "links"},
		"json-notes":   {"notes", "notes-pretty"},
		"echo-json":    {"echo-pretty", "echo-context", "echo-context-v1.0.1"},
		"plain-v1.4.1": {"pretty-v1.4.1"},
		"plain-v0.971": {"pretty-v0.971"},
	} {
		want := casetest.Read(t, "mypy/"+base)
		for _, name := range others {
			t.Run(name, func(t *testing.T) {
				c := casetest.Read(t, "mypy/"+name)
				casetest.SameFindings(t, c.Parse(), want.Parse())
			})
		}
	}
}

// TestMypyColumns: JSON counts from 0, text from 1, and its last column is
// inclusive; here all are 1-based and exclusive.
func TestMypyColumns(t *testing.T) {
	a, b := casetest.Read(t, "mypy/json"), casetest.Read(t, "mypy/end")
	j, e := a.Parse(), b.Parse()
	if len(j.Findings) != len(e.Findings) || len(j.Findings) == 0 {
		t.Fatalf("%d and %d findings", len(j.Findings), len(e.Findings))
	}
	for i := range j.Findings {
		if *j.Findings[i].At != *e.Findings[i].At {
			t.Errorf("JSON says %+v, text %+v", *j.Findings[i].At, *e.Findings[i].At)
		}
	}
}

// TestMypyNotices: what mypy says of itself, where the command is mypy.
func TestMypyNotices(t *testing.T) {
	for text, want := range map[string]string{
		"mypy: Invalid python executable '/no': No such file":                       "error : Invalid python executable '/no': No such file",
		"mypy: can't read file 'a b.py': No such file":                              "a b.py error : can't read file 'a b.py': No such file",
		"error: --install-types not supported with incremental mode disabled":       "error : --install-types not supported with incremental mode disabled",
		"error: The exclude ( is an invalid regular expression, because: missing )": "error : The exclude ( is an invalid regular expression, because: missing )",
		"No status file found": "error : No status file found",
		"dmypy: error: the following arguments are required: action":                   "error : the following arguments are required: action",
		"mypy.ini: [mypy-a.*]:Unrecognized option: x = True":                           "mypy.ini warning : [mypy-a.*]: Unrecognized option: x = True",
		"Warning: unused section(s) in setup.cfg: [mypy-a]":                            "setup.cfg warning : unused section(s): [mypy-a]",
		"pyproject.toml: Expected ']' at the end of a table (at line 1, column 11)":    "pyproject.toml:1:11 warning : Expected ']' at the end of a table (at line 1, column 11)",
		"pyproject.toml: Key group not on a line by itself. (line 2 column 1 char 9)":  "pyproject.toml:2:1 warning : Key group not on a line by itself. (line 2 column 1 char 9)",
		"mypy.ini: Source contains parsing errors: 'mypy.ini'\n\t[line 10]: '[foo\\n'": "mypy.ini:10 warning : Source contains parsing errors: 'mypy.ini'",
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "mypy .", Source: tool.Separate(nil, []byte(text+"\n"))}, result.Exit{Observed: true, Code: 2})
		if got := casetest.Shown(r); len(got) != 2 || got[1] != want {
			t.Errorf("%s\n gives %q\n want  %q", text, got, want)
		}
	}
}

// TestMypyAnnotations: in the log of a workflow, a problem matcher has marked
// the lines that it knows.
func TestMypyAnnotations(t *testing.T) {
	text := "##[error]a.py:3: error: Bad  [misc]\na.py:3: note: Why\nFound 1 error in 1 file (checked 1 source file)\n##[error]Process completed with exit code 1.\n"
	casetest.SameLines(t, casetest.Shown(casetest.ParseKnown(tool.Input{Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})), []string{"mypy failed parsed map[error:1]", "a.py:3 error misc: Bad"})
}

// TestMypyNotebook: nbQA puts the cell behind the path.
func TestMypyNotebook(t *testing.T) {
	text := "nb/book.ipynb:cell_2:3:8: error: Name \"y\" is not defined \n[name-defined]\n    print( y )\n           ^\nFound 1 error in 1 file (checked 1 source file)\n"
	r := casetest.ParseKnown(tool.Input{Shell: "nbqa mypy --pretty nb", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"mypy failed parsed map[error:1]", `nb/book.ipynb:3:8 error name-defined: Name "y" is not defined`})
	if at := r.Findings[0].At; at.Label != "cell 2" {
		t.Errorf("%+v", at)
	}
}

// TestMypyInMake: what mypy says of itself is known for its own also where the
// command does not name it.
func TestMypyInMake(t *testing.T) {
	for said, want := range map[string][]string{
		"usage: mypy [-h] [-v] [-V] [more options; see below]\nmypy: error: unrecognized arguments: --frob\n":                                                                                                                                                                  {"mypy error parsed map[error:1]", "error : unrecognized arguments: --frob"},
		"mypy.ini:2: error: Error importing plugin \"rates\": No module named 'rates'\nFound 1 error in 1 file (errors prevented further checking)\n":                                                                                                                          {"mypy error parsed map[error:1]", "mypy.ini:2 error : Error importing plugin \"rates\": No module named 'rates'"},
		"error: The exclude ( is an invalid regular expression, because: missing ), unterminated subpattern at position 0\n":                                                                                                                                                   {"mypy error parsed map[error:1]", "error : The exclude ( is an invalid regular expression, because: missing ), unterminated subpattern at position 0"},
		"Traceback (most recent call last):\n  File \"/v/bin/mypy\", line 8, in <module>\n  File \"mypy/main.py\", line 103, in main\nOSError: no space left\n":                                                                                                                {"mypy error parsed map[error:1]", "error OSError: INTERNAL ERROR: OSError: no space left"},
		"Traceback (most recent call last):\n  File \"/v/bin/serve\", line 8, in <module>\nOSError: no space left\n":                                                                                                                                                           {"python failed parsed map[]", "error OSError: no space left"},
		"a.py:3: error: INTERNAL ERROR: maximum semantic analysis iteration count reached\nFound 1 error in 1 file (errors prevented further checking)\n":                                                                                                                      {"mypy error parsed map[error:1]", "a.py:3 error : INTERNAL ERROR: maximum semantic analysis iteration count reached"},
		"a.py: error: INTERNAL ERROR -- Please try using mypy master on GitHub:\nhttps://mypy.readthedocs.io/en/stable/common_issues.html#using-a-development-mypy-build\nversion: 2.4.1\na.py: note: please use --show-traceback to print a traceback when reporting a bug\n": {"mypy error parsed map[error:1]", "a.py error : INTERNAL ERROR"},
		"setup.cfg: Source contains parsing errors: 'setup.cfg'\n\t[line 10]: '[foo\\n'\na.py:1: error: Bad  [misc]\nFound 1 error in 1 file (checked 1 source file)\n":                                                                                                        {"mypy failed parsed map[error:1]", "setup.cfg:10 warning : Source contains parsing errors: 'setup.cfg'", "a.py:1 error misc: Bad"},
		"setup.cfg: Source contains parsing errors: 'setup.cfg'\n":                                                                                                                                                                                                             {"make failed heuristic map[]", "error : setup.cfg: Source contains parsing errors: 'setup.cfg'"},
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate(nil, []byte(said))}, result.Exit{Observed: true, Code: 2})
		if got := casetest.Shown(r); !slices.Equal(got, want) {
			t.Errorf("%s\n gives %q\n want  %q", said, got, want)
		}
	}
}

// TestMypyEcho: the closing line counts every line with ": error:" in it.
func TestMypyEcho(t *testing.T) {
	text := "a.py:3: error: Bad  [misc]\n    x = \"b: error: c\"\n    ^~~\nFound 2 errors in 2 files (checked 1 source file)\n"
	r := casetest.ParseKnown(tool.Input{Shell: "mypy --pretty a.py", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"mypy failed parsed map[error:2]", "a.py:3 error misc: Bad"})
	lost := strings.Replace(text, "2 errors", "3 errors", 1)
	if r := casetest.ParseKnown(tool.Input{Shell: "mypy --pretty a.py", Source: tool.Separate([]byte(lost), nil)}, result.Exit{Observed: true, Code: 1}); r.ParserConfidence != result.Heuristic {
		t.Errorf("a third error is believed not to be there: %v", casetest.Shown(r))
	}
}

// TestMypyContext: the lines of --show-error-context are no findings, and what
// follows them may belong to the finding before.
func TestMypyContext(t *testing.T) {
	text := `a.py: note: In module imported here,
b.py:2: note: ... from here:
a.py: note: In function "f":
a.py:9: error: Too many arguments for "g"  [call-arg]
a.py: note: At top level:
a.py:1: note: "g" defined here
Found 1 error in 1 file (checked 1 source file)
`
	text = "c.py:1: note: In module imported here,\n" + text
	r := casetest.ParseKnown(tool.Input{Shell: "make types", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"mypy failed parsed map[error:1]", `a.py:9 error call-arg: Too many arguments for "g"`})
	if f := r.Findings[0]; len(f.Related) != 1 || f.Related[0].At.String() != "a.py:1" {
		t.Errorf("related: %+v", f.Related)
	}
	if r.Body != "" {
		t.Errorf("not covered: %s", r.Body)
	}
}

// TestMypyWrapped: messages that the width of the terminal broke, where neither
// carets nor a code in the last line show it.
func TestMypyWrapped(t *testing.T) {
	for text, want := range map[string]string{
		"a.py:3: error:\nNon-overlapping check\n(type:\n\"type[_empty] | None\")\n\n[comparison-overlap]\n    x in y\n    ^\n": `a.py:3 error comparison-overlap: Non-overlapping check (type: "type[_empty] | None")`,
		"b/m.py: error: Duplicate module\nnamed \"m\" (also at \"a/m.py\")\nb/m.py: note: See https://mypy.example\n":          `b/m.py error : Duplicate module named "m" (also at "a/m.py")`,
		"b/m.py: error: Duplicate module\nnamed \"m\" (also at \"a/m.py\")\n":                                                  `b/m.py error : Duplicate module named "m" (also at "a/m.py")`,
		"a.py:3: error: Bad type (got\n\"Literal['c: error: d']\", not\n\"int\")  [misc]\n":                                    `a.py:3 error misc: Bad type (got "Literal['c: error: d']", not "int")`,
		"b/m.py: error: Duplicate module\n\nunrelated\n":                                                                       "b/m.py error : Duplicate module",
		"a.py:3: error: Bad\n\n[unrelated] text\n":                                                                             "a.py:3 error : Bad",
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "mypy --pretty .", Source: tool.Separate([]byte(text+"Found 1 error in 1 file (errors prevented further checking)\n"), nil)}, result.Exit{Observed: true, Code: 2})
		casetest.SameLines(t, casetest.Shown(r), []string{"mypy failed parsed map[error:1]", want})
	}
}

// TestMypyNotes: notes belong to the error before them.
func TestMypyNotes(t *testing.T) {
	text := `a.py:3: error: Too many arguments for "f"  [call-arg]
b.py:1: note: "f" defined here
a.py:4: error: Library stubs not installed for "yaml"  [import-untyped]
a.py:4: note: Hint: "python3 -m pip install types-PyYAML"
a.py:4: note: Revealed type is "int"
a.py:4: note: (Skipping most remaining errors due to unresolved imports or missing stubs; fix these first)
Found 2 errors in 1 file (checked 1 source file)
`
	r := casetest.ParseKnown(tool.Input{Shell: "make types", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{
		"mypy failed parsed map[error:2 info:2]",
		`a.py:3 error call-arg: Too many arguments for "f"`,
		`a.py:4 error import-untyped: Library stubs not installed for "yaml"`,
		`a.py:4 info : Revealed type is "int"`,
		"a.py:4 info : (Skipping most remaining errors due to unresolved imports or missing stubs; fix these first)",
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
			r := casetest.ParseKnown(tool.Input{Shell: "make", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 2})
			if r.Tool == "mypy" {
				t.Errorf("taken for mypy: %v", casetest.Shown(r))
			}
		})
	}
}

// TestMypyUnread: what xargs made of a path with blanks.
func TestMypyUnread(t *testing.T) {
	text := "Success: no issues found in 1 source file\nweb: error: Cannot read file: No such file or directory\n"
	r := casetest.ParseKnown(tool.Input{Shell: "git ls-files | xargs mypy", Source: tool.Separate(nil, []byte(text))}, result.Exit{Observed: true, Code: 123})
	if got := casetest.Shown(r); len(got) != 2 || got[1] != "web error : Cannot read file: No such file or directory" {
		t.Errorf("%q", got)
	}
	_, text, _ = strings.Cut(text, "\n")
	if r := casetest.ParseKnown(tool.Input{Shell: "./serve", Source: tool.Separate(nil, []byte(text))}, result.Exit{Observed: true, Code: 1}); r.Tool == "mypy" {
		t.Errorf("taken for mypy: %q", casetest.Shown(r))
	}
}

// TestMypyFewer: fewer errors than the closing line counts.
func TestMypyFewer(t *testing.T) {
	text := "a.py:3: error: Bad  [misc]\nFound 2 errors in 1 file (checked 1 source file)\n"
	r := casetest.ParseKnown(tool.Input{Shell: "mypy a.py", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	if r.ParserConfidence != result.Heuristic {
		t.Errorf("%v", casetest.Shown(r))
	}
}

// TestMypyCut cuts small outputs at every byte.
func TestMypyCut(t *testing.T) {
	for _, c := range casetest.Cases(t, "mypy") {
		if len(c.Stdout) < 2500 {
			t.Run(c.Name, func(t *testing.T) { casetest.CutEverywhere(t, c) })
		}
	}
}

// FuzzMypy gives arbitrary bytes to both readers.
func BenchmarkMypyText(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "mypy/plain").Stdout, 2000), parseMypyText)
}

func BenchmarkMypyPretty(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "mypy/pretty").Stdout, 2000), parseMypyText)
}

func BenchmarkMypyJSON(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "mypy/json").Stdout, 2000), parseMypyJSON)
}
