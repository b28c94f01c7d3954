package own

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers"
	"cairn/result"
)

// project writes files and reads the rules of their directory.
func project(t *testing.T, files map[string]string) *Rules {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := Load(root)
	if r != nil {
		r.Prepare() // its error is in r
	}
	return r
}

func TestNoFile(t *testing.T) {
	if r := project(t, nil); r != nil {
		t.Errorf("rules of nothing: %+v", r)
	}
	if r := project(t, map[string]string{".cairn": "a file", ".pi": "too"}); r != nil {
		t.Errorf("rules below a file: %+v", r)
	}
}

// TestReason: of what a program says before it ends, the line with the reason is reported.
func TestReason(t *testing.T) {
	node := "node:internal/errors:496\n    ErrorCaptureStackTrace(err);\n    ^\n\nTypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension \".ts\" for /p/foo.ts\n    at new NodeError (node:internal/errors:405:5) {\n  code: 'ERR_UNKNOWN_FILE_EXTENSION'\n}\n\nNode.js v20.20.2\n"
	for text, want := range map[string]string{
		node: `TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /p/foo.ts; a parser in TypeScript (.ts) needs Node ≥ 22.18, and node is 20.20.2`,
		"/p/foo.js:3\n  throw x;\n  ^\n\nReferenceError: x is not defined\n    at f\n\nNode.js v22.18.0\n":          "ReferenceError: x is not defined",
		"Traceback (most recent call last):\n  File \"t\", line 1\njson.decoder.JSONDecodeError: Expecting value\n": "json.decoder.JSONDecodeError: Expecting value",
		"\n  cannot open the report\nsee --help\n":                                                                  "cannot open the report",
		"": "",
	} {
		if got := (&Rule{module: true, Run: []string{"foo.ts"}}).reason([]byte(text)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestModuleInTypeScript: a .js that is not there is the .ts that is.
func TestModuleInTypeScript(t *testing.T) {
	config := `{"parsers":[{"id":"a","match":{"argvIncludes":["a"]},"module":"parsers/a.js"},{"id":"b","match":{"argvIncludes":["b"]},"module":"parsers/b.js"}]}`
	r := project(t, map[string]string{".pi/structured-return.json": config, ".pi/parsers/a.ts": "", ".pi/parsers/b.ts": "", ".pi/parsers/b.js": ""})
	if r.Err != nil || r.Rules[0].Run[0] != ".pi/parsers/a.ts" || r.Rules[1].Run[0] != ".pi/parsers/b.js" {
		t.Errorf("%v %+v", r.Err, r.Rules)
	}
}

// TestRefused: what is not right is said, and gives no rules at all.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`x = 1`: "no key x",
		"[[parser]]\nname='a b'\nmatch.argv=['x']\nparse_as='ruff'":                    "a name is",
		"[[parser]]\nname='a'\nmatch.argv=['x']":                                       "say one of",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nparse_as='ruff'\nrun=['y']":           "say one of",
		"[[parser]]\nname='a'\nparse_as='ruff'":                                        "which commands",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nparse_as='nothing'":                   "no parser",
		"[[parser]]\nname='pytest'\nmatch.argv=['x']\nlines=['(?P<message>.)']":        "a parser of that name",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nlines=['(?P<status>.)']":              "no group",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nlines=['x']":                          "(?P<message>",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nlines=['(']":                          "lines",
		"[[parser]]\nname='a'\nmatch.regex='('\nparse_as='ruff'":                       "match.regex",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nerrorformat=['%+Q%f']":                "which files exist",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nerrorformat=['%']":                    "errorformat",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nforms=[{form='{paht}: {message}'}]":   "{paht} is no field",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nforms=[{form='x',as='warn'}]":         "is not known",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nforms=[{form='x'}]\nlines=['x']":      "say one of",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nrun=['tools/gone']":                   "tools/gone",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nrun=['node', '.cairn']":               "no ordinary file",
		"[[parser]]\nname='a'\nmatch.argv=['x']\nparse_as='ruff'\nseverity='terrible'": "severity",
	} {
		r := project(t, map[string]string{File: text})
		if r == nil || r.Err == nil || len(r.Rules) > 0 || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%s\ngives %+v, want an error with %q", text, r, want)
		}
	}
}

// TestHashHoldsWhatRuns: a change of any file that a rule runs is another hash.
func TestHashHoldsWhatRuns(t *testing.T) {
	rule := "[[parser]]\nname='a'\nmatch.argv=['x']\nrun=['sh', 'tools/p', 'tools/q']"
	seen := map[string]string{}
	for _, files := range []map[string]string{
		{File: rule, "tools/p": "1", "tools/q": "2"},
		{File: rule, "tools/p": "12", "tools/q": ""},
		{File: rule, "tools/p": "1", "tools/q": "3"},
		{File: rule + "\n", "tools/p": "1", "tools/q": "2"},
		{File: rule, "tools/p": "1", "tools/q": "2", PiFile: "{}"},
	} {
		r := project(t, files)
		if r.Err != nil || seen[r.Hash] != "" {
			t.Errorf("%v: hash %s, as of %s; %v", files, r.Hash, seen[r.Hash], r.Err)
		}
		seen[r.Hash] = files[File]
	}
}

func TestMatches(t *testing.T) {
	r := project(t, map[string]string{File: "[[parser]]\nname='a'\nmatch.argv=['acme', 'test']\nmatch.regex='-v$'\nparse_as='ruff'"})
	for line, want := range map[string]bool{
		"acme test -v": true, "./bin/acme test -v": true, "acme test": false, "acme -v": false, "test acme -v": true, "": false,
	} {
		if got := r.For(strings.Fields(line), "") != nil; got != want {
			t.Errorf("%q by its words: %v", line, got)
		}
		if got := r.For(nil, line) != nil; got != want {
			t.Errorf("%q as a line: %v", line, got)
		}
	}
}

// TestNothingHidden: whatever a rule takes for a finding, a line of a failing
// run that looks like an error is in a finding of an error, whole, or in the text.
func TestNothingHidden(t *testing.T) {
	forms := []string{`^(?P<message>.*)$`, `^(?P<message>\w)`, `(?P<severity>\w+): (?P<message>\w+)`, `^(?P<path>\S+) (?P<message>.*)$`, `(?P<message>$)`}
	rows := []string{"{message}", "{severity}: {message}", "{path} {message}", "{}error{}", "{place} {message}", "{} {#failed}"}
	acts := []parsers.As{"", "error", "warning", "info", "failure", "fill", "more", "path", "count", "close", "misuse", "skip"}
	words := rapid.SampledFrom([]string{"ERROR: ", "fatal", "note: ", "a.c:3", " ", "ok", "panic: ", "disk full", "error", "42"})
	rapid.Check(t, func(t *rapid.T) {
		rule := &Rule{
			Name: "own", Words: []string{"own"},
			Severity: rapid.SampledFrom([]result.Severity{result.SevError, result.SevWarning, result.SevInfo}).Draw(t, "severity"),
		}
		if rapid.Bool().Draw(t, "rows") {
			for range rapid.IntRange(1, 3).Draw(t, "rows") {
				rule.Forms = append(rule.Forms, parsers.Row{Form: rapid.SampledFrom(rows).Draw(t, "row"), As: rapid.SampledFrom(acts).Draw(t, "as")})
			}
		} else {
			rule.Lines = []string{rapid.SampledFrom(forms).Draw(t, "form")}
		}
		if err := rule.prepare(); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			lines = append(lines, strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "line"), ""))
		}
		r := parsers.Parse(parsers.Input{
			Argv: []string{"own"}, As: rule.Parser(), Source: parsers.Separate([]byte(strings.Join(lines, "\n")+"\n"), nil),
			Workspace: result.Workspace{Root: "/p", Dir: "/p"},
		}, result.Exit{Observed: true, Code: 1})
		if r.Status != result.Failed {
			t.Fatalf("status %s", r.Status)
		}
		for _, l := range lines {
			if alarming(l) && !strings.Contains(r.Body, strings.TrimSpace(l)) && !anyHolds(r.Findings, l) {
				t.Fatalf("%q is nowhere in\n%s\n%+v", l, r.Body, r.Findings)
			}
		}
	})
}

func TestLost(t *testing.T) {
	without := &result.ToolResult{Status: result.Failed, Body: "ERROR: gone\nstep\n", Findings: []result.Finding{{Severity: result.SevError, Message: "unknown word"}}}
	kept := &result.ToolResult{Status: result.Failed, Body: "x: unknown word\n", Findings: []result.Finding{{Severity: result.SevError, Message: "gone"}}}
	if lost := Lost(kept, without); len(lost) > 0 {
		t.Errorf("nothing is lost, and said is %q", lost)
	}
	kept.Findings[0].Severity = result.SevInfo
	kept.Body, kept.Status = "", result.OK
	if lost := Lost(kept, without); len(lost) != 3 {
		t.Errorf("the status, a finding and a line are lost, and said is %q", lost)
	}
}

func TestTrust(t *testing.T) {
	trust := Trust{Dir: filepath.Join(t.TempDir(), "cairn")}
	if trust.Approved("aa") || !trust.SayOnce("aa") || trust.SayOnce("aa") {
		t.Error("nothing is approved, and that is said once")
	}
	for _, h := range []string{"aa", "bb"} {
		if err := trust.Approve(h); err != nil {
			t.Fatal(err)
		}
	}
	if !trust.Approved("aa") || !trust.Approved("bb") || trust.Approved("a") {
		t.Error("both are approved, and their beginning is not")
	}
	if err := trust.Revoke(); err != nil || trust.Approved("aa") {
		t.Errorf("revoked: %v", err)
	}
}

// TestTOMLThatIsWrong: what is said names the key, or the line and column.
func TestTOMLThatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"[[parser]]\nname = \"x\"\nmach = {}\n": "there is no key parser.mach",
		"[[parser]]\nname = = 1\n":              "line 2, column 8: ",
		"[[parser]]\nname = 1\n":                "line 2, column 8: ",
	} {
		if _, err := readTOML([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
