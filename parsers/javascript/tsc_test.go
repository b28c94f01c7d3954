package javascript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/result"
)

// TestTscLongLine: what looks like a code may stand in a very long line ever again.
func TestTscLongLine(t *testing.T) {
	if sniffTsc("src/a.ts" + strings.Repeat(" TS", 50000)) {
		t.Error("it is taken for a problem")
	}
}

// TestTscPairs: plain and pretty output of one run say the same.
func TestTscPairs(t *testing.T) {
	for plain, pretty := range map[string]string{
		"plain": "pretty", "6-plain": "6-pretty", "4-plain": "4-pretty", "3-plain": "3-pretty", "6-tty": "6-pretty", "npm": "6-pretty",
		"multi": "multi-pretty", "config": "config-pretty", "types-missing": "types-missing-pretty", "vue-tsc-plain": "vue-tsc",
		"build-verbose": "build-verbose-pretty",
	} {
		t.Run(pretty, func(t *testing.T) {
			casetest.SameLines(t, casetest.Problems(casetest.Read(t, "tsc/"+pretty).Parse(), true), casetest.Problems(casetest.Read(t, "tsc/"+plain).Parse(), true))
		})
	}
	casetest.SameLines(t, casetest.Problems(casetest.Read(t, "tsgo/pretty").Parse(), true), casetest.Problems(casetest.Read(t, "tsgo/plain").Parse(), true))
}

// TestTscVersions: the native compiler puts TS6133 elsewhere in the line.
func TestTscVersions(t *testing.T) {
	casetest.SameLines(t, casetest.Problems(casetest.Read(t, "tsc/plain").Parse(), false), casetest.Problems(casetest.Read(t, "tsc/6-plain").Parse(), false))
}

// TestTscFinding was written down from the recorded text.
func TestTscFinding(t *testing.T) {
	find := func(name, at string) result.Finding {
		r := casetest.Read(t, "tsc/"+name).Parse()
		i := slices.IndexFunc(r.Findings, func(f result.Finding) bool { return f.Location == at })
		if i < 0 {
			t.Fatalf("%s: nothing at %s", name, at)
		}
		return r.Findings[i]
	}
	for _, name := range []string{"pretty", "6-pretty", "4-pretty"} {
		f := find(name, "src/cart.ts:29:25")
		if f.Rule != "TS2322" || f.Message != "Type 'string' is not assignable to type 'number'." || f.At.EndLine != 29 || f.At.EndColumn != 28 {
			t.Errorf("%s: %+v %+v", name, f, f.At)
		}
		want := "The expected type comes from property 'qty' which is declared here on type 'Item'"
		if len(f.Related) != 1 || f.Related[0].Message != want || f.Related[0].At.String() != "src/cart.ts:6:3" {
			t.Errorf("%s: related %+v", name, f.Related)
		}
	}
	for _, name := range []string{"multi-pretty", "4-multi-pretty"} {
		if f := find(name, "multi/m.ts:10:3"); f.At.EndLine != 16 || f.At.EndColumn != 25 || len(f.Related) != 0 {
			t.Errorf("%s: %+v", name, f.At)
		}
		if f := find(name, "multi/m.ts:19:7"); len(f.Related) != 1 || f.Related[0].Message != "'y' is declared here." {
			t.Errorf("%s: related %+v", name, f.Related)
		}
	}
	f := find("plain", "src/money.ts:5:14")
	want := "The types of 'a.b.c.d' are incompatible between these types.\n" +
		"  Type '(x: string) => number' is not assignable to type '(x: number) => string'.\n" +
		"    Types of parameters 'x' and 'x' are incompatible.\n" +
		"      Type 'number' is not assignable to type 'string'."
	if f.Detail != want {
		t.Errorf("detail %q", f.Detail)
	}
	if f := find("plain", "src/cart.ts:33:6"); !slices.Equal(f.Suggestions, []string{"Did you mean 'items'?"}) {
		t.Errorf("suggestions %q", f.Suggestions)
	}
	if f := find("plain", "src/money.ts:13:3"); !slices.Equal(f.Tags, []string{"unnecessary"}) {
		t.Errorf("tags %q", f.Tags)
	}
}

func TestTscHead(t *testing.T) {
	for line, want := range map[string]string{
		"a.ts(1,2): error TS1005: ';' expected.":                     "a.ts:1:2 TS1005 ';' expected.",
		`C:\shop\a b.ts(10,20): error TS1005: x`:                     `C:\shop\a b.ts:10:20 TS1005 x`,
		"C:/shop/a.ts:10:20 - error TS1005: x":                       "C:/shop/a.ts:10:20 TS1005 x",
		"src/[id]/page(1).tsx(2,5): error TS2451: (1,2): error TS1:": "src/[id]/page(1).tsx:2:5 TS2451 (1,2): error TS1:",
		"src/ TS1: x/a.ts(2,5): error TS2451: m":                     "src/ TS1: x/a.ts:2:5 TS2451 m",
		"a - b.ts:1:2 - warning TS6385: old":                         "a - b.ts:1:2 TS6385 old",
		"error TS5023: Unknown compiler option 'x'.":                 "TS5023 Unknown compiler option 'x'.",
		"the log says error TS5023: x":                               "",
		"error TSX: no code":                                         "",
		"  a.ts(1,2): error TS1005: of another tool's frame":         "",
		"a.ts(1,2): fatal TS1005: x":                                 "",
		"a.ts(0,2): error TS1005: x":                                 "",
		"see TS2322: it is about types":                              "",
	} {
		h, ok := cutTscHead(line)
		got := ""
		if ok && h.at != nil {
			got = h.at.String() + " "
		}
		if ok {
			got += h.rule + " " + h.message
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestTscOthers: closing lines of other tools are not tsc's.
func TestTscOthers(t *testing.T) {
	for line, want := range map[string]int{
		"Found 2 errors.": 2, "Found 1 error in a.ts:3": 1, "Found 3 errors in 2 files.": 3,
		"Found 4 errors in the same file, starting at: a.ts:1":   4,
		"Found 3 errors in 1 file (checked 5 source files)":      -1,
		"Found 3 errors (2 fixed, 1 remaining).":                 -1,
		"Found 1 warning and 0 errors.":                          -1,
		"Found many errors.":                                     -1,
		"Found 2 errors in the tests; see 10:4":                  -1,
		"Found 9 errors in 3 files. See the report for details.": -1,
	} {
		n, ok := tscFound(line)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%s: got %d, want %d", line, n, want)
		}
	}
}

// TestTscWatch: what was found before the latest compilation is history.
func TestTscWatch(t *testing.T) {
	out := `[1:15:27 AM] Starting compilation in watch mode...

a.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'.

1 export const x: number = "1";
               ~

b.ts:1:1 - error TS1005: ';' expected.

1 x y
    ~

[1:15:44 AM] Found 2 errors. Watching for file changes.

[1:16:00 AM] File change detected. Starting incremental compilation...

b.ts:1:1 - error TS1005: ';' expected.

1 x y
    ~

`
	c := casetest.Case{Cmd: "tsc -w", Dir: "/tmp/shop", Stdout: []byte(out), Exit: 130}
	if r := c.Parse(); len(r.Findings) != 2 || r.ParserConfidence != result.Heuristic {
		t.Errorf("stopped while compiling: %d findings, %s", len(r.Findings), r.ParserConfidence)
	}
	c.Stdout = append(c.Stdout, "[1:16:01 AM] Found 1 error. Watching for file changes.\n"...)
	if r := c.Parse(); len(r.Findings) != 1 || r.Findings[0].Location != "b.ts:1:1" || r.ParserConfidence != result.Parsed {
		t.Errorf("compiled again: %d findings, %s", len(r.Findings), r.ParserConfidence)
	}
}

// TestTscTasks: runners mix the lines of tasks and put names before them.
func TestTscTasks(t *testing.T) {
	out := `packages/app typecheck$ tsc --pretty
packages/app typecheck: src/main.ts(5,1): error TS2322: Type 'A' is not assignable to type 'B'.
packages/core check: src/my file.ts(1,14): error TS1005: ';' expected.
packages/app typecheck:   Property 'x' is missing in type 'A' but required in type 'B'.
packages/app typecheck: Failed
[web] src/a.ts:3:4 - error TS2551: Property 'itmes' does not exist.
[web]
[api] src/b.ts(1,1): error TS1128: Declaration or statement expected.
[web] 3 cart.itmes
[web]        ~~~~~
[web]
[web]
[web] Found 1 error in src/a.ts:3
[web]
@shop/ui:typecheck: src/c.tsx(9,9): error TS7006: Parameter 'e' implicitly has an 'any' type.
error TS5083: Cannot read file 'base.json'.
`
	c := casetest.Case{Cmd: "pnpm -r typecheck", Dir: "/tmp/shop", Stdout: []byte(out), Exit: 2}
	r := c.Parse()
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Location+" "+f.Rule)
	}
	casetest.SameLines(t, got, []string{
		"packages/app/src/main.ts:5:1 TS2322", "packages/core/src/my file.ts:1:14 TS1005", "src/a.ts:3:4 TS2551",
		"src/b.ts:1:1 TS1128", "src/c.tsx:9:9 TS7006", " TS5083",
	})
	if r.Findings[0].Detail != "Property 'x' is missing in type 'A' but required in type 'B'." || r.Findings[2].At.EndColumn != 9 {
		t.Errorf("%+v", r.Findings)
	}
}

// TestTscMissing: tsc counts more errors than were read.
func TestTscMissing(t *testing.T) {
	c := casetest.Read(t, "tsc/pretty")
	c.Stdout = bytes.Replace(c.Stdout, []byte("Found 26 errors"), []byte("Found 27 errors"), 1)
	if r := c.Parse(); r.ParserConfidence != result.Heuristic {
		t.Error("one error is missing, and the result is", r.ParserConfidence)
	}
}

func TestTscDamage(t *testing.T) { casetest.Damage(t, casetest.Cases(t, "tsc", "tsgo")) }

func BenchmarkTscPlain(b *testing.B) {
	var text bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&text, "packages/app/src/components/module%d.tsx(%d,17): error TS2322: Type 'string | undefined' is not assignable to type 'string'.\n", i%500, i)
		text.WriteString("  Type 'undefined' is not assignable to type 'string'.\n")
	}
	casetest.Benchmark(b, "", text.Bytes(), parseTsc)
}

func BenchmarkTscNoise(b *testing.B) {
	text := strings.Repeat("/home/dev/shop/node_modules/typescript/lib/lib.es2015.core.d.ts\n", 200_000)
	casetest.Benchmark(b, "", []byte("a.ts(1,2): error TS1005: x\n"+text), parseTsc)
}

// TestTscInWords: the closing line in other languages, where it counts what
// was printed.
func TestTscInWords(t *testing.T) {
	for line, want := range map[string]bool{
		"4 Fehler gefunden.":                     true,
		"In 2 Dateien wurden 4 Fehler gefunden.": true,
		"在 2 个文件中找到 4 个错误。":                      true,
		"Обнаружены ошибки (4) в файлах (2).":    true,
		"Обнаружены 4 ошибки в этом же файле, начиная с: src/a.ts:12": true,
		"3 Fehler gefunden.": false,
		"14 Fehler gefunden": false,
		"4":                  false,
		"keine":              false,
	} {
		if got := tscFoundInWords(line, 4); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
	c := casetest.Read(t, "tsc/5-locale-pretty")
	if r := c.Parse(); r.ParserConfidence != result.Parsed || len(r.Findings) != 4 {
		t.Errorf("%s, %d findings", r.ParserConfidence, len(r.Findings))
	}
	c.Stdout = bytes.Replace(c.Stdout, []byte("4\u00a0Fehler"), []byte("5\u00a0Fehler"), 1)
	if r := c.Parse(); r.ParserConfidence != result.Heuristic {
		t.Error("one error is missing, and the result is", r.ParserConfidence)
	}
}

// TestTscCrash: what node says of a compiler that threw, or ran out of memory.
func TestTscCrash(t *testing.T) {
	for name, want := range map[string]string{
		"6-crash-npx": "RangeError: Maximum call stack size exceeded",
		"6-heap":      "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
	} {
		r := casetest.Read(t, "tsc/"+name).Parse()
		if len(r.Findings) != 1 || r.Findings[0].Message != want || r.Findings[0].Kind != result.Panic || r.Status != result.Error || r.ExitMeaning != result.MeansInternal {
			t.Errorf("%s: %s, %s, %+v", name, r.Status, r.ExitMeaning, r.Findings)
		}
	}
	c := casetest.Read(t, "tsc/6-heap")
	for cmd, want := range map[string]string{"npx tsc": "tsc", "node build.js": "node", "npm run build": "npm"} {
		if c.Cmd = cmd; c.Parse().Tool != want {
			t.Errorf("%s is taken for %s", cmd, c.Parse().Tool)
		}
	}
	c.Cmd, c.Stdout = "npm run build", []byte("\n> shop@1.0.0 build\n> tsc -p . --noEmit\n\n")
	if r := c.Parse(); r.Tool != "tsc" || r.Status != result.Error {
		t.Errorf("npm says that it runs tsc, and the result is %s, %s", r.Tool, r.Status)
	}
}

// TestTscBundle was written down from what bundlers print.
func TestTscBundle(t *testing.T) {
	for name, lines := range map[string]string{
		"next":   "Failed to compile.\n\n./pages/t.tsx:1:14\nType error: Type 'A' is not assignable to type 'B'.\n  Property 'x' is missing.\n\n> 1 | export\n    |  ^\nNext.js build worker exited with code: 1\n",
		"fork":   " ERROR  in pages/t.tsx:1:14\n\nTS2322: Type 'A' is not assignable to type 'B'.\n  Property 'x' is missing.\n  > 1 | export\n",
		"loader": "[tsl] ERROR in /tmp/shop/pages/t.tsx(1,14)\n      TS2322: Type 'A' is not assignable to type 'B'.\n  Property 'x' is missing.\n",
	} {
		r := casetest.Case{Cmd: "npm run build", Dir: "/tmp/shop", Stdout: []byte(lines), Exit: 1}.Parse()
		if len(r.Findings) != 1 || r.Findings[0].Location != "pages/t.tsx:1:14" || r.Findings[0].Message != "Type 'A' is not assignable to type 'B'." {
			t.Errorf("%s: %+v", name, r.Findings)
			continue
		}
		if d := r.Findings[0].Detail; name != "loader" && !strings.Contains(d, "Property 'x' is missing.\n") {
			t.Errorf("%s: detail %q", name, d)
		}
	}
	for _, text := range []string{
		"TS2322: Type 'A' is not assignable to type 'B'.\n",
		"see the docs\nTS2322: it is about types\n",
		"./pages/t.tsx\nType error: no place\n",
	} {
		if r := (casetest.Case{Cmd: "cat notes", Dir: "/tmp/shop", Stdout: []byte(text), Exit: 1}).Parse(); r.Tool != "cat" || r.ParserConfidence == result.Parsed {
			t.Errorf("%q: %s, %+v", text, r.Tool, r.Findings)
		}
	}
}

// TestTscAnnotated: logs of a continuous integration mark the lines of errors.
func TestTscAnnotated(t *testing.T) {
	for line, want := range map[string]string{
		"##[error]src/a.ts(1,2): error TS1005: x":                       "src/a.ts:1:2",
		"Error: src/a.ts(1,2): error TS1005: x":                         "src/a.ts:1:2",
		"Error: src/a.ts:1:2 - error TS1005: x":                         "src/a.ts:1:2",
		"[!] (plugin rpt2) RollupError: src/a.ts:1:2 - error TS1005: x": "src/a.ts:1:2",
		"##[error]error TS5023: Unknown option 'x'.":                    "",
	} {
		h, ok := cutTscHead(line)
		got := ""
		if h.at != nil {
			got = h.at.String()
		}
		if !ok || got != want {
			t.Errorf("%s: %t, %q", line, ok, got)
		}
	}
	out := "##[error]src/a.ts(1,2): error TS1005: ';' expected.\n##[error]src/b.ts(3,4): error TS2304: Cannot find name 'x'.\n"
	if r := (casetest.Case{Cmd: "cat ci.log", Dir: "/tmp/shop", Stdout: []byte(out), Exit: 1}).Parse(); len(r.Findings) != 2 || r.Findings[1].Location != "src/b.ts:3:4" {
		t.Errorf("%+v", r.Findings)
	}
	out = "\n/tmp/shop/a.js\n##[warning]  1:10  warning  Unexpected var  no-var\n##[error]  2:1   error    Missing semicolon  semi\n\n✖ 2 problems (1 error, 1 warning)\n"
	if r := (casetest.Case{Cmd: "cat ci.log", Dir: "/tmp/shop", Stdout: []byte(out), Exit: 1}).Parse(); len(r.Findings) != 2 || r.Findings[0].Location != "a.js:1:10" {
		t.Errorf("%+v", r.Findings)
	}
}

// TestTscHelp: where there is nothing to compile tsc prints its help, and that
// is a wrong use of it, not a failed check. To ask for help is no error.
func TestTscHelp(t *testing.T) {
	r := casetest.Read(t, "tsc/help").Parse()
	if r.Status != result.Error || r.ExitMeaning != result.MeansUsage || len(r.Findings) != 1 || r.Findings[0].Detail != tscHelped {
		t.Errorf("%s, %s, %v", r.Status, r.ExitMeaning, r.Findings)
	}
	for _, c := range []casetest.Case{
		{Cmd: "tsc --help", Stdout: []byte("tsc: The TypeScript Compiler - Version 5.9.3\n\nCOMMON COMMANDS\n\n  tsc\n")},
		{Cmd: "npx tsc --help", Stdout: []byte("Version 3.9.10\nSyntax:   tsc [options] [file...]\n\nExamples: tsc hello.ts\n")},
	} {
		if r := c.Parse(); r.Status != result.OK || len(r.Findings) > 0 {
			t.Errorf("%s: %s, %v", c.Cmd, r.Status, r.Findings)
		}
	}
}

// TestTscAngular: ngc has codes of its own, the words of which go on below, and
// no closing line: what is related to an error is not one.
func TestTscAngular(t *testing.T) {
	const text = `src/app/a.html:2:16 - error TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.

2 <p (click)="go(title)">{{ titel }}</p>
                 ~~~~~

  src/app/a.ts:2:49
    2 @Component({ selector: "app-root", templateUrl: "./a.html" })
                                                      ~~~~~~~~~~
    Error occurs in the template of component AppComponent.
src/app/a.html:1:1 - error NG8001: 'app-foo' is not a known element:
1. If 'app-foo' is an Angular component, then verify that it is included.
2. If 'app-foo' is a Web Component then add 'CUSTOM_ELEMENTS_SCHEMA'.

1 <app-foo [x]="1"></app-foo>
  ~~~~~~~~~~~~~~~~~

  src/app/a.ts:2:49
    2 @Component({ selector: "app-root", templateUrl: "./a.html" })
                                                      ~~~~~~~~~~
    Error occurs in the template of component AppComponent.
`
	for _, cmd := range []string{"ngc -p .", "npm run build"} {
		r := casetest.Case{Cmd: cmd, Dir: "/tmp/shop", Stderr: []byte(text), Exit: 1}.Parse()
		if len(r.Findings) != 2 || r.ParserConfidence != result.Parsed {
			t.Fatalf("%s: %s, %v", cmd, r.ParserConfidence, r.Findings)
		}
		f := r.Findings[1]
		if f.Rule != "NG8001" || f.At.EndColumn != 18 || len(f.Related) != 1 || !strings.HasPrefix(f.Detail, "1. If ") || !strings.Contains(f.Detail, "\n2. If ") {
			t.Errorf("%s: %+v", cmd, f)
		}
	}
	ng := "✘ [ERROR] TS-998001: 'a' is not\n1. If 'a' is. [plugin angular-compiler]\n\n    src/a b.html:0:0:\n      0 │ \n        ╵ ^\n\n\n▲ [WARNING] NG8113: x is not used [plugin angular-compiler]\n\n    src/a.ts:3:48:\n      3 │ x\n\n✘ [ERROR] Could not resolve \"x\"\n\n    src/b.ts:1:8:\n"
	r := casetest.Case{Cmd: "ng build", Dir: "/tmp/shop", Stderr: []byte(ng), Exit: 1}.Parse()
	casetest.SameLines(t, casetest.Shown(r)[1:], []string{
		`src/b.ts:1:9 error : Could not resolve "x"`, // esbuild's own
		`src/a b.html error TS-998001: 'a' is not`, `src/a.ts:3:49 warning NG8113: x is not used`,
	})
}
