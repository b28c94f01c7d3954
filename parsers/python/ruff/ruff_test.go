package ruff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestRuffLiteral: what a person reads in the raw output.
func TestRuffLiteral(t *testing.T) {
	for name, want := range map[string][]string{
		"ruff/clean":        {"ruff ok parsed map[error:0]"},
		"ruff/missing-file": {"ruff failed parsed map[error:1]", "nosuch.py:1:1 error E902: No such file or directory (os error 2)"},
		"ruff/bad-rule":     {"ruff error parsed map[]", "error : Unknown rule selector `ZZZ` in `select` from the CLI"},
		"ruff/bad-option":   {"ruff error parsed map[]", "error : unexpected argument '--frobnicate' found"},
		"ruff/bad-config": {
			"ruff error parsed map[]",
			"bad.toml:1:15 error : Failed to load configuration `/home/dev/depot/bad.toml`: Failed to parse /home/dev/depot/bad.toml: TOML parse error at line 1, column 15: invalid type: string \"wide\", expected i64",
		},
		"ruff/fix-all": {"ruff ok parsed map[error:0 fixed:1]"},
		"ruff/stdin": {
			"ruff failed parsed map[error:2]", "-:1:1 error I001: Import block is un-sorted or un-formatted", "-:1:8 error F401: `os` imported but unused",
		},
		"ruff/stdin-v0.4.10": {"ruff failed parsed map[error:1]", "-:2:3 error E999: Expected an expression"},
		"ruff/fix-only":      {"ruff ok parsed map[fixed:1]"},
		"ruff/statistics-json-v0.4.10": {
			"ruff failed parsed map[error:6]",
			"error E999: Expected a parameter or the end of the parameter list (2)",
			"error E902: stream did not contain valid UTF-8 (1)",
			"error F401: `os` imported but unused (1)",
			"error F811: Redefinition of unused `pay` from line 4 (1)",
			"error F821: Undefined name `totl` (1)",
			"broken.py:1:7 error invalid-syntax: Expected a parameter or the end of the parameter list",
		},
		"ruff/grouped-v0.0.200": {
			"ruff failed parsed map[error:6]",
			"broken.py:1:8 error E999: invalid syntax. Got unexpected token ':'",
			"latin.py:1:1 error E902: stream did not contain valid UTF-8",
			"till.py:1:8 error F401: `os` imported but unused",
			"till.py:4:22 error B006: Do not use mutable data structures for argument defaults",
			"till.py:4:34 error F821: Undefined name `totl`",
			"till.py:5:1 error F811: Redefinition of unused `pay` from line 4",
		},
		"ruff-format/pylint": {
			"ruff-format failed parsed map[error:2 unformatted:2]",
			"broken.py:1 error invalid-syntax: Expected a parameter or the end of the parameter list",
			"latin.py:1 error io: stream did not contain valid UTF-8",
			"loose.py:1 error unformatted: File would be reformatted",
			"till.py:4 error unformatted: File would be reformatted",
		},
		"ruff-format/check-many": {
			"ruff-format failed parsed map[unformatted:3]",
			"depot/core.py:37:1 error unformatted: File would be reformatted",
			"depot/tail.py:2:1 error unformatted: File would be reformatted",
			"tests/test_x.py:12:1 error unformatted: File would be reformatted",
		},
		"ruff-format/check-v0.4.10": {
			"ruff-format failed parsed map[unformatted:5]",
			"depot/core.py error unformatted: File would be reformatted",
			"depot/crlf.py error unformatted: File would be reformatted",
			"depot/tail.py error unformatted: File would be reformatted",
			"tests/test_x.py error unformatted: File would be reformatted",
			"日本.py error unformatted: File would be reformatted",
			"depot/broken.py:1:7 error invalid-syntax: Expected a parameter or the end of the parameter list",
		},
		"ruff-format/diff": {
			"ruff-format failed parsed map[unformatted:2]",
			"depot/core.py:37 error unformatted: File would be reformatted",
			"tests/test_x.py:12 error unformatted: File would be reformatted",
		},
		"ruff-format/missing": {"ruff-format failed parsed map[error:1]", "nosuch.py:1:1 error io: No such file or directory (os error 2)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := casetest.Read(t, name)
			casetest.SameLines(t, casetest.Shown(c.Parse()), want)
		})
	}
}

// TestRuffFormats: every format of one run gives the same findings. A format
// without columns cannot tell two equal findings of one line apart, so those
// are compared by what they have.
func TestRuffFormats(t *testing.T) {
	for base, others := range map[string][]string{
		"json":          {"full", "concise", "grouped", "json-lines", "rdjson", "github", "azure"},
		"json-v0.4.10":  {"full-v0.4.10", "github-v0.4.10"},
		"json-v0.8.6":   {"full-v0.8.6"},
		"json-v0.12.12": {"full-v0.12.12", "concise-v0.8.6"},
		"panic-json":    {"panic", "panic-concise", "panic-azure"},
		"json-v0.0.200": {"grouped-v0.0.200"},
		"preview-json":  {"preview", "preview-concise"},
	} {
		want := casetest.Read(t, "ruff/"+base)
		for _, name := range others {
			t.Run(name, func(t *testing.T) {
				c := casetest.Read(t, "ruff/"+name)
				casetest.SameFindings(t, c.Parse(), want.Parse())
			})
		}
	}
	a, b := casetest.Read(t, "ruff-format/json"), casetest.Read(t, "ruff-format/check")
	casetest.SameFindings(t, a.Parse(), b.Parse())
}

// TestRuffColumns: where a frame tells the end of a place for certain, it is
// the one that JSON has.
func TestRuffColumns(t *testing.T) {
	ends := map[string]result.Location{}
	j := casetest.Read(t, "ruff/json")
	for _, f := range j.Parse().Findings {
		if f.At.Label == "" {
			ends[f.Location+f.Rule] = *f.At
		}
	}
	c, n := casetest.Read(t, "ruff/full"), 0
	for _, f := range c.Parse().Findings {
		if f.At.EndLine == 0 || f.At.Label != "" {
			continue
		}
		n++
		if want := ends[f.Location+f.Rule]; *f.At != want {
			t.Errorf("%s %s ends at %d:%d, want %d:%d", f.Location, f.Rule, f.At.EndLine, f.At.EndColumn, want.EndLine, want.EndColumn)
		}
	}
	if n < 30 {
		t.Errorf("only %d ends", n)
	}
}

// TestRuffNot: lines that only look like ruff's.
func TestRuffNot(t *testing.T) {
	for name, c := range map[string]struct{ shell, text string }{
		"flake8":      {"flake8", "a.py:1:1: F401 'os' imported but unused\na.py:2:1: E302 expected 2 blank lines, found 1\n"},
		"flake8 .":    {"make lint", "./a.py:4:5: B904 Within an `except` clause, raise exceptions with `raise ... from err`\n"},
		"bugbear":     {"tox -e lint", "src/a.py:4:5: B904 Within an `except` clause, raise exceptions with `raise ... from err`\nsrc/a.py:9:80: E501 line too long (81 > 79 characters)\n"},
		"one rule":    {"flake8 src", "src/a.py:4:5: B904 Within an `except` clause, raise exceptions with `raise ... from err`\n"},
		"like pylint": {"flake8 --format=pylint", "./a.py:4: [B904] Within an `except` clause, raise exceptions with `raise ... from err`\n"},
		"pylint":      {"pylint a.py", "************* Module a\na.py:1:0: C0114: Missing module docstring (missing-module-docstring)\n"},
		"rustc":       {"cargo build", "error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     1\n  |     ^ expected `()`\n\nerror: aborting\n --> src/main.rs:2:5\n"},
		"ty":          {"ty check", "All checks passed!\n"},
		"ty gitlab":   {"ty check --output-format gitlab", "[\n  {\n    \"check_name\": \"unresolved-reference\",\n    \"description\": \"unresolved-reference: Name `totl` used when not defined\",\n    \"severity\": \"major\",\n    \"fingerprint\": \"6c9afc0c2b5e21b0\",\n    \"location\": {\"path\": \"till.py\", \"positions\": {\"begin\": {\"line\": 4, \"column\": 34}, \"end\": {\"line\": 4, \"column\": 38}}}\n  }\n]\n"},
		"pylint json": {"pylint -f json a.py", "[\n  {\n    \"code\": \"C0114\",\n    \"message\": \"Missing module docstring\",\n    \"path\": \"a.py\",\n    \"line\": 1\n  }\n]\n"},
		"git diff":    {"git diff --no-prefix", "diff --git a.py a.py\n--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n"},
		"a thread":    {"./serve", "thread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n"},
		"biome":       {"biome check", "Checked 3 files in 3ms.\nFound 3 errors.\n"},
		"mypy":        {"mypy a.py", "a.py:1: error: Bad  [misc]\nFound 1 error in 1 file (checked 1 source file)\n"},
		"black":       {"black --check .", "would reformat a.py\n1 file would be reformatted, 2 files would be left unchanged.\n"},
		"a log":       {"./run", "INFO ruff: Found 3 errors in config\nwarning: something\nerror: Failed to connect: refused\n"},
		"package":     {"npm ls", "{\n  \"name\": \"ruff\",\n  \"version\": \"1.0.0\"\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: c.shell, Source: tool.Separate([]byte(c.text), nil)}, result.Exit{Observed: true, Code: 1})
			if strings.HasPrefix(r.Tool, "ruff") || r.Parser != nil && strings.HasPrefix(r.Parser.Name, "ruff") {
				t.Errorf("taken for %s: %v", r.Tool, casetest.Shown(r))
			}
		})
	}
}

// TestRuffUnparsed: since 0.5 only ruff format says that it failed to parse a
// file, also where ruff check stands beside it.
func TestRuffUnparsed(t *testing.T) {
	text := "a.py:1:7: SyntaxError: Expected an expression\nFound 1 error.\n1 file left unchanged\n"
	said := "error: Failed to parse a.py:1:7: Expected an expression\n"
	r := casetest.ParseKnown(tool.Input{Shell: "make", Source: tool.Separate([]byte(text), []byte(said))}, result.Exit{Observed: true, Code: 2})
	if len(r.Parts) != 2 || r.Parts[1].Tool != ruffFormat || r.Parts[1].Findings != 1 || r.Parts[1].Status == result.OK {
		t.Errorf("parts %+v", r.Parts)
	}
}

// TestRuffWarningWithin: the streams may meet anywhere, also between the lines of a value.
func TestRuffWarningWithin(t *testing.T) {
	c := casetest.Read(t, "ruff/statistics-json")
	lines := slices.Collect(bytes.Lines(c.Stdout))
	for at := range len(lines) + 1 {
		first, then := bytes.Join(lines[:at], nil), bytes.Join(lines[at:], nil)
		src := term.Bytes{{Stream: term.Stdout, Data: first}, {Stream: term.Stderr, Offset: int64(len(first)), Data: c.Stderr}, {Stream: term.Stdout, Offset: int64(len(first) + len(c.Stderr)), Data: then}}
		r := casetest.ParseKnown(tool.Input{Shell: c.Cmd, Source: src}, result.Exit{Observed: true, Code: 1})
		if !slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.At != nil && strings.Contains(f.Message, "# noqa") }) {
			t.Errorf("behind line %d the warning is lost", at)
		}
	}
}

// TestRuffTail: of a pipe that left only the end, that ruff ran and what it
// counted is known.
func TestRuffTail(t *testing.T) {
	r := casetest.ParseKnown(tool.Input{Shell: "ruff check . | tail -2", Source: tool.Separate([]byte("Found 3 errors.\n[*] 1 fixable with the `--fix` option.\n"), nil)}, result.Exit{Observed: true})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed heuristic map[error:3]", "failure : Found 3 errors."})
}

// TestRuffBesideFlake8: what flake8 printed before it is not ruff's.
func TestRuffBesideFlake8(t *testing.T) {
	text := "a.py:4:5: B904 Within an `except` clause, raise\na.py:1:1: F401 'os' imported but unused\n" +
		"a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n"
	r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed parsed map[error:1]", "a.py:1:8 error F401: `os` imported but unused"})
}

// TestRuffAzureOfOthers: tslint writes lines as ruff does, of other files; they are
// its own.
func TestRuffAzureOfOthers(t *testing.T) {
	text := "##vso[task.logissue type=error;sourcepath=src/b.ts;linenumber=1;columnnumber=38;code=no-var-keyword;]Forbidden 'var' keyword\n"
	if r := casetest.ParseKnown(tool.Input{Shell: "npx tslint -t vso", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 2}); r.Tool != "tslint" {
		t.Errorf("read as %s's", r.Tool)
	}
}

// TestRuffUnread: a diagnostic that cannot be read is not passed over in silence.
func TestRuffUnread(t *testing.T) {
	issue := "{\n" + `"check_name": "F401", "description": "F401: bad", "fingerprint": "25e6a299f8d5d3ce", "severity": "major", "location": {"path": "a.py", "positions": {"begin": {"line": 3, "column": 1}}}}`
	item := `{"code": "F401", "message": "bad", "filename": "a.py", "location": {"row": 3, "column": 1}, "end_location": {"row": 3, "column": 2}, "noqa_row": 3}`
	rd := `{"code": {"value": "F401"}, "message": "bad", "location": {"path": "a.py", "range": {"start": {"line": 3, "column": 1}}}}`
	sarif := `{"ruleId": "F401", "level": "error", "message": {"text": "bad"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}, "region": {"startLine": 3, "startColumn": 1}}}]}`
	azure := "##vso[task.logissue type=error;sourcepath=a.py;linenumber=3;columnnumber=1;code=F401;]bad"
	for name, text := range map[string]string{
		"gitlab":      "[\n" + issue + ",\n" + strings.Replace(issue, `"location"`, `"place"`, 1) + "\n]",
		"fingerprint": "[\n" + issue + ",\n" + strings.Replace(issue, "25e6a299f8d5d3ce", "25e6a299f8d5d3ce25e6a299f8d5d3ce", 1) + "\n]",
		"json":        "[\n" + item + ",\n" + strings.Replace(item, `"message": "bad"`, `"message": 3`, 1) + "\n]",
		"json-lines":  item + "\n" + strings.Replace(item, `"filename"`, `"file"`, 1),
		"rdjson":      `{"diagnostics": [` + "\n" + rd + ",\n" + strings.Replace(rd, `"a.py"`, `""`, 1) + `], "source": {` + "\n" + `"name": "ruff"` + "\n}}",
		"sarif":       `{"$schema": "x", "runs": [{"results": [` + sarif + "," + strings.Replace(sarif, "locations", "places", 1) + `], "tool": {"driver": {"name":"ruff"}}}]}`,
		"github":      "::error title=ruff (F401),file=a.py,line=3,col=1::a.py:3:1: F401 bad\n::error title=ruff (F401),file=a.py,line=3,col=1::bad",
		"azure":       azure + "\n" + strings.Replace(azure, "linenumber", "row", 1),
	} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: "make", Source: tool.Separate([]byte(text+"\n"), nil)}, result.Exit{Observed: true, Code: 1})
			casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed heuristic map[error:1]", "a.py:3:1 error F401: bad"})
			if r.Extra["doubt"] != "1 of the report's diagnostics could not be read" {
				t.Error(r.Extra)
			}
		})
	}
}

// TestRuffFormatPylint: this format of ruff format has no closing line.
func TestRuffFormatPylint(t *testing.T) {
	text := "a.py:1: [invalid-syntax] Expected an expression\nb.py:8: [unformatted] File would be reformatted\n"
	r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 2})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff-format failed parsed map[error:1 unformatted:1]", "a.py:1 error invalid-syntax: Expected an expression", "b.py:8 error unformatted: File would be reformatted"})
}

// TestRuffUnreadInMake: a file that ruff could not read is reported wherever ruff runs,
// a notebook too.
func TestRuffUnreadInMake(t *testing.T) {
	text := "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n"
	said := "error: Failed to lint src/b.py: stream did not contain valid UTF-8\n"
	r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(text), []byte(said))}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed parsed map[error:1]", "a.py:1:8 error F401: `os` imported but unused", "src/b.py:1:1 error io: stream did not contain valid UTF-8"})
	text = "[\n  {\n    \"description\": \"Expected a Jupyter Notebook, but\",\n    \"fingerprint\": \"c9c830a1181214b3\",\n    \"location\": {\"lines\": {\"begin\": 1, \"end\": 1}, \"path\": \"bad.ipynb\"}\n  },\n" +
		"  {\n    \"description\": \"(F401) `os` imported but unused\",\n    \"fingerprint\": \"1\",\n    \"location\": {\"lines\": {\"begin\": 1, \"end\": 1}, \"path\": \"a.py\"}\n  }\n]\n"
	r = casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed parsed map[error:2]", "bad.ipynb:1 error invalid-syntax: Expected a Jupyter Notebook, but", "a.py:1 error F401: `os` imported but unused"})
}

// TestRuffInMake: what ruff says of itself is known for its own also where the
// command does not name it.
func TestRuffInMake(t *testing.T) {
	for said, want := range map[string][]string{
		"error: invalid value 'ZZZ' for '--select <RULE_CODE>'\n\nFor more information, try '--help'.":                                                              {"ruff error parsed map[]", "error : invalid value 'ZZZ' for '--select <RULE_CODE>'"},
		"error: invalid value 'py20' for '--target-version <TARGET_VERSION>'\n  [possible values: py37, py38, py39]\n":                                              {"ruff error parsed map[]", "error : invalid value 'py20' for '--target-version <TARGET_VERSION>'"},
		"error: invalid value 'frob' for '--output-format <OUTPUT_FORMAT>'\n  [possible values: concise, full, pylint, rdjson, azure, sarif]\n":                     {"ruff error parsed map[]", "error : invalid value 'frob' for '--output-format <OUTPUT_FORMAT>'"},
		"error: invalid value 'frob' for '--color <WHEN>'\n  [possible values: auto, always, never]\n":                                                              {"make failed heuristic map[]", "error : error: invalid value 'frob' for '--color <WHEN>'"},
		"error: Failed to read a.py: stream did not contain valid UTF-8\n1 file would be reformatted\n":                                                             {"ruff-format failed heuristic map[unformatted:1]", "a.py:1:1 error io: stream did not contain valid UTF-8"},
		"io: No such file or directory (os error 2)\n--> nosuch.py:1:1\n\n":                                                                                         {"ruff failed parsed map[error:1]", "nosuch.py:1:1 error io: No such file or directory (os error 2)"},
		"warning: Rule `ANN101` is deprecated and will be removed in a future release.\na.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n":              {"ruff failed parsed map[error:1]", "warning : Rule `ANN101` is deprecated and will be removed in a future release.", "a.py:1:8 error F401: `os` imported but unused"},
		"::error title=ruff (panic),file=/s/a.py,line=1,col=1,endLine=1,endColumn=1::a.py:1:1: panic: Panicked at x.rs:1:2 when checking `/s/a.py`: `index out of`": {"ruff error parsed map[error:1]", "/s/a.py:1:1 error panic: Panicked at x.rs:1:2 when checking `/s/a.py`: `index out of`"},
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate(nil, []byte(said+"\n"))}, result.Exit{Observed: true, Code: 2})
		got := casetest.Shown(r)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n gives %q\n want  %q", said, got, want)
		}
	}
}

// TestRuffDiffInMake: the diffs stand on stdout, and what closes them on stderr.
func TestRuffDiffInMake(t *testing.T) {
	diff := "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x  =  1\n+x = 1\n\n"
	for said, want := range map[string][]string{
		"1 file would be reformatted\n": {"ruff-format failed parsed map[unformatted:1]", "a.py:1 error unformatted: File would be reformatted"},
		"Would fix 1 error.\n":          {"ruff failed parsed map[error:0]", "a.py:1 error : File would be fixed"},
		"":                              {"make failed heuristic map[]", "a.py:1 error : differs"},
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(diff), []byte(said))}, result.Exit{Observed: true, Code: 1})
		if got := casetest.Shown(r); !slices.Equal(got, want) {
			t.Errorf("%s\n gives %q\n want  %q", said, got, want)
		}
	}
}

// TestRuffGlued: no line ends behind a document of ruff's, so that what is
// printed next stands on its last line; and JSON of another tool is that tool's.
func TestRuffGlued(t *testing.T) {
	doc := "[\n  {\n    \"code\": \"F401\",\n    \"message\": \"bad\",\n    \"filename\": \"a.py\",\n    \"location\": {\"row\": 3, \"column\": 1},\n    \"noqa_row\": 3\n  }\n]"
	object := `{"file": "b.py", "line": 5, "column": 1, "message": "Bad", "hint": null, "code": "misc", "severity": "error"}` + "\n"
	lines := `{"code": "F401", "message": "bad", "filename": "a.py", "location": {"row": 3, "column": 1}, "noqa_row": 3}` + "\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"json":       {doc + object, []string{"b.py:5:2 error misc: Bad"}},
		"json-lines": {lines + object, []string{"b.py:5:2 error misc: Bad"}},
		"text":       {doc + "b.py:5: error: Bad  [misc]\nFound 1 error in 1 file (checked 1 source file)\n", []string{"b.py:5 error misc: Bad"}},
		"format":     {doc + "Would reformat: b.py\n1 file would be reformatted\n", []string{"b.py error unformatted: File would be reformatted"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: "make lint", Source: tool.Separate([]byte(c.text), nil)}, result.Exit{Observed: true, Code: 1})
			casetest.SameLines(t, casetest.Shown(r)[1:], append([]string{"a.py:3:1 error F401: bad"}, c.want...))
			if r.ParserConfidence != result.Parsed || len(r.Parts) != 2 {
				t.Errorf("%s %+v", r.ParserConfidence, r.Parts)
			}
		})
	}
}

// TestRuffQuietTwice: with --quiet, nothing stands between the two tools.
func TestRuffQuietTwice(t *testing.T) {
	syntax := "broken.py:1:7: invalid-syntax: Expected an expression\n"
	text := syntax + "till.py:1:8: F401 [*] `os` imported but unused\n" + syntax + "till.py:4:1: unformatted: File would be reformatted\n" + "till.py:9:8: F401 [*] `re` imported but unused\n"
	r := casetest.ParseKnown(tool.Input{Shell: "ruff check -q .; ruff format -q --check .; ruff check -q till.py", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Source+" "+f.Location)
	}
	casetest.SameLines(t, got, []string{"ruff broken.py:1:7", "ruff till.py:1:8", "ruff till.py:9:8", "ruff-format broken.py:1:7", "ruff-format till.py:4:1"})
	if r.ParserConfidence != result.Parsed {
		t.Error(r.ParserConfidence, r.Extra)
	}
}

// TestRuffCounts: where nothing can be fixed, --statistics has no brackets.
func TestRuffCounts(t *testing.T) {
	text := "6\tF821\tundefined-name\n4\t    \tinvalid-syntax\n1\tE741\tambiguous-variable-name\n"
	want := []string{"error F821: undefined-name (6)", "error invalid-syntax: invalid-syntax (4)", "error E741: ambiguous-variable-name (1)"}
	for shellText, text := range map[string]string{"ruff check --statistics": text, "make lint": text, "make check": text + "Found 11 errors.\n"} {
		r := casetest.ParseKnown(tool.Input{Shell: shellText, Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
		casetest.SameLines(t, casetest.Shown(r), append([]string{"ruff failed parsed map[error:11]"}, want...))
	}
	old := tool.Input{Shell: "ruff --statistics .", Source: tool.Separate([]byte("6\tF821\tUndefined name `a`\n"), nil)}
	casetest.SameLines(t, casetest.Shown(casetest.ParseKnown(old, result.Exit{Observed: true, Code: 1})), []string{"ruff failed parsed map[error:6]", "error F821: Undefined name `a` (6)"})
	table := tool.Input{Shell: "./report", Source: tool.Separate([]byte("6\tAB123\tscrews\n7\tAB124\tnuts\n"), nil)}
	if r := casetest.ParseKnown(table, result.Exit{Observed: true, Code: 1}); r.Parser != nil {
		t.Error(casetest.Shown(r))
	}
}

// TestRuffDoubt: a closing line that counts more than is shown is not believed.
func TestRuffDoubt(t *testing.T) {
	text := "a.py:1:8: F401 [*] `os` imported but unused\nFound 2 errors.\n"
	r := casetest.ParseKnown(tool.Input{Shell: "ruff check", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
	casetest.SameLines(t, casetest.Shown(r), []string{"ruff failed heuristic map[error:2]", "a.py:1:8 error F401: `os` imported but unused"})
}

// TestRuffNotices: what is said in words has its place where one is named.
func TestRuffNotices(t *testing.T) {
	for text, want := range map[string]string{
		"warning: Failed to lint a/b.py: stream did not contain valid UTF-8":                        "a/b.py:1:1 warning io: stream did not contain valid UTF-8",
		"warning: Invalid rule code provided to `# noqa` at a b.py:7: XYZ1":                         "a b.py:7 warning : Invalid rule code provided to `# noqa`: XYZ1",
		"warning: Invalid `# noqa` directive on a.py:5: expected a comma":                           "a.py:5 warning : Invalid `# noqa` directive: expected a comma",
		"error: Failed to parse at 2:3: Expected an expression":                                     "-:2:3 error invalid-syntax: Expected an expression",
		"error: Failed to parse -: invalid syntax":                                                  "- error invalid-syntax: invalid syntax",
		"error: Failed to extract source from /s/a.py: stream did not":                              "a.py:1:1 error io: stream did not",
		"ruff failed\n  Cause: Failed to parse `/s/no.toml`: No such file":                          "no.toml error : Failed to parse `/s/no.toml`: No such file",
		"ruff failed\n  Cause: Unknown rule selector `Z9` in `select` from `/s/q/pyproject.toml`":   "q/pyproject.toml error : Unknown rule selector `Z9` in `select` from `/s/q/pyproject.toml`",
		"warning: Please update the following options in `r.toml`:\n  - 'a' -> 'b'\n  - 'c' -> 'd'": "warning : Please update the following options in `r.toml`: 'a' -> 'b', 'c' -> 'd'",
	} {
		in := tool.Input{Shell: "ruff check", Workspace: result.Workspace{Root: "/s", Dir: "/s"}, Source: tool.Separate([]byte("All checks passed!\n"), []byte(text+"\n"))}
		if got := casetest.Shown(casetest.ParseKnown(in, result.Exit{Observed: true, Code: 2})); len(got) != 2 || got[1] != want {
			t.Errorf("%s\n gives %q\n want  %q", text, got, want)
		}
	}
}

// TestRuffAnnotations: the log of a workflow shows no workflow commands.
func TestRuffAnnotations(t *testing.T) {
	text := "##[group]Run ruff check --output-format=github .\n##[error]a.py:1:8: F401 `os` imported but unused\n  help: Remove unused import: `os`\n##[error]b.py:2:1: E711 Comparison to none\n##[error]Process completed with exit code 1.\n"
	casetest.SameLines(t, casetest.Shown(casetest.ParseKnown(tool.Input{Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})), []string{
		"ruff failed parsed map[error:2]", "a.py:1:8 error F401: `os` imported but unused", "b.py:2:1 error E711: Comparison to none",
	})
	flake8 := "##[error]a.py:1:1: F401 'os' imported but unused\n"
	if r := casetest.ParseKnown(tool.Input{Shell: "flake8", Source: tool.Separate([]byte(flake8), nil)}, result.Exit{Observed: true, Code: 1}); r.Tool == "ruff" {
		t.Errorf("taken for ruff: %v", casetest.Shown(r))
	}
}

// TestRuffCrash: a crash is reported with what went wrong and, where ruff says it,
// with the file.
func TestRuffCrash(t *testing.T) {
	asks := "\n\n    https://example.invalid/new\n\n...with the relevant file contents, the `pyproject.toml` settings, and the stack trace:\n\n"
	for text, want := range map[string]string{
		"error: Panicked while linting a b.py: This indicates a bug in Ruff. If you could open an issue at:" + asks +
			"panicked at crates/ruff_diagnostics/src/edit.rs:42:9:\nPrefer `Fix::deletion`\nBacktrace:    0: ruff::panic\n             at ./x.rs:31:25\n": "a b.py:1:1 error panic: Prefer `Fix::deletion`",
		"warning: Linting panicked a.py: This indicates a bug in `ruff`. If you could open an issue at:" + asks +
			"panicked at 'index out of bounds', crates/ruff/src/x.rs:1:2\n": "a.py:1:1 error panic: index out of bounds",
		"error: Ruff crashed. If you could open an issue at:" + asks + "\nthread 'main' panicked at crates/ruff/src/x.rs:1:2:\nno such rule\nnote: run with\n": "error panic: no such rule",
		"\nthread '<unknown>' (12) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n":                                                  "error panic: stack overflow",
		"error: Panic during linting indicates a bug in Ruff. If you could open an issue at:" + asks:                                                           "error panic: Panic during linting indicates a bug in Ruff",
	} {
		r := casetest.ParseKnown(tool.Input{Shell: "ruff check", Source: tool.Separate(nil, []byte(text))}, result.Exit{Observed: true, Code: 2})
		casetest.SameLines(t, casetest.Shown(r), []string{"ruff error parsed map[]", want})
	}
}

// TestRuffDiffOnly: ruff 0.0.292 prints nothing below the diff of what it read
// from standard input.
func TestRuffDiffOnly(t *testing.T) {
	text := "--- kiosk/zz.py\n+++ kiosk/zz.py\n@@ -1,2 +1 @@\n-import os\n x=1\n\n"
	for shellText, want := range map[string][]string{
		"ruff check --diff --stdin-filename kiosk/zz.py - < zz.py": {"ruff failed heuristic map[]", "kiosk/zz.py:1 error : File would be fixed"},
		"ruff format --diff --stdin-filename kiosk/zz.py -":        {"ruff-format failed heuristic map[]", "kiosk/zz.py:1 error unformatted: File would be reformatted"},
		"diff -u a b": {"diff failed generic map[]"},
	} {
		casetest.SameLines(t, casetest.Shown(casetest.ParseKnown(tool.Input{Shell: shellText, Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})), want)
	}
}

// TestRuffMore: the line behind the closing one is covered too.
func TestRuffMore(t *testing.T) {
	text := "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n"
	rep := parseRuffText(ruffCheck)(&tool.Input{Shell: "make", Source: tool.Separate([]byte(text), nil)})
	if n := len(rep.Covered); n != 1 || rep.Covered[0] != (result.Span{End: int64(len(text))}) {
		t.Errorf("covers %v of %d bytes", rep.Covered, len(text))
	}
}

// TestRuffCut cuts small outputs at every byte.
func TestRuffCut(t *testing.T) {
	for _, c := range casetest.Cases(t, "ruff", "ruff-format") {
		if len(c.Stdout) < 2500 {
			t.Run(c.Name, func(t *testing.T) { casetest.CutEverywhere(t, c) })
		}
	}
}

// TestJSONWalker: values are found wherever lines are broken.
func TestJSONWalker(t *testing.T) {
	for text, want := range map[string]string{
		`[{"a":1},{"b":"]}\""}]`:           `/* {"a":1}|/* {"b":"]}\""}|`,
		"[\n {\n  \"a\": [1]\n }\n]":       "/* {  \"a\": [1] }|",
		`{"r":[{"x":{"y":"z"}}],"n":"v"}`:  `/r/* {"x":{"y":"z"}}|/n "v"|`,
		`{"n":{"n":"inner"},"r":{"a":[]}}`: ``,
		"plain text":                       ``,
	} {
		var got strings.Builder
		w := jsontext.Walker{Want: map[string]bool{"/*": true, "/r/*": true, "/n": true}}
		w.Take = func(i jsontext.Item) {
			if i.Path != "/n" || i.Text[0] == '"' {
				fmt.Fprintf(&got, "%s %s|", i.Path, strings.ReplaceAll(i.Text, "\n", ""))
			}
		}
		for l := range term.Lines(tool.Separate([]byte(text), nil), term.Both) {
			w.Line(l)
		}
		if got.String() != want {
			t.Errorf("%s: got %s, want %s", text, got.String(), want)
		}
	}
}

func BenchmarkRuffFull(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "ruff/full").Stdout, 500), parseRuffText(ruffCheck))
}

func BenchmarkRuffConcise(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "ruff/concise").Stdout, 2000), parseRuffText(ruffCheck))
}

func BenchmarkRuffJSON(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "ruff/json").Stdout, 300), ruffDocument(ruffCheck, readRuffJSON))
}

func BenchmarkRuffSARIF(b *testing.B) {
	casetest.Benchmark(b, "ruff check", bytes.Repeat(casetest.Read(b, "ruff/sarif").Stdout, 300), ruffDocument(ruffCheck, readRuffSARIF))
}
