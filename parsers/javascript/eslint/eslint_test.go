package eslint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestESLintPairs: all formats of one run say the same.
func TestESLintPairs(t *testing.T) {
	for base, others := range map[string][]string{
		"json":   {"json-with-metadata", "stylish", "unix", "compact", "checkstyle", "junit", "tap", "sarif", "tty", "color", "npm", "swallowed"},
		"8-json": {"8-stylish", "8-unix"},
	} {
		want := casetest.Problems(casetest.Read(t, "eslint/"+base).Parse(), true)
		if len(want) != 46 {
			t.Fatalf("%s has %d problems", base, len(want))
		}
		for _, name := range others {
			t.Run(name, func(t *testing.T) {
				casetest.SameLines(t, casetest.Problems(casetest.Read(t, "eslint/"+name).Parse(), true), want)
			})
		}
	}
	casetest.SameLines(t, casetest.Problems(casetest.Read(t, "eslint/max-warnings").Parse(), true), casetest.Problems(casetest.Read(t, "eslint/max-warnings-json").Parse(), true))
}

func eslintAt(t *testing.T, name, at, rule string) result.Finding {
	t.Helper()
	r := casetest.Read(t, "eslint/"+name).Parse()
	i := slices.IndexFunc(r.Findings, func(f result.Finding) bool { return f.Location == at && f.Rule == rule })
	if i < 0 {
		t.Fatalf("%s: no %s at %s", name, rule, at)
	}
	return r.Findings[i]
}

// TestESLintLong: a message of several lines, in every format.
func TestESLintLong(t *testing.T) {
	for _, name := range []string{"json", "stylish", "unix", "compact", "checkstyle", "junit", "tap", "sarif"} {
		f := eslintAt(t, name, "src/legacy.js:10:3", "my/paragraph")
		if f.Message != "Error: Cannot do this during render" || !strings.Contains(f.Detail, "Some things must not happen here. Do this:") || !strings.Contains(f.Detail, "12 |   debugger;") {
			t.Errorf("%s: %q, %q", name, f.Message, f.Detail)
		}
		f = eslintAt(t, name, "src/with.js:1:1", "no-restricted-syntax")
		if f.Message != "No with.  Two spaces inside." || !strings.Contains(f.Detail, "And a second line") {
			t.Errorf("%s: %q, %q", name, f.Message, f.Detail)
		}
	}
}

// TestESLintFix: offsets of the source become lines and columns.
func TestESLintFix(t *testing.T) {
	f := eslintAt(t, "json", "src/legacy.js:1:10", "semi")
	want := result.Edit{Path: "src/legacy.js", Start: "1:10", End: "1:10", Text: ";"}
	if !f.Fixable || len(f.Fixes) != 1 || f.Fixes[0].Applicability != "safe" || len(f.Fixes[0].Edits) != 1 || f.Fixes[0].Edits[0] != want {
		t.Errorf("%+v", f.Fixes)
	}
	f = eslintAt(t, "json", "src/legacy.js:8:21", "no-useless-escape")
	if f.Fixable || len(f.Suggestions) != 2 || f.Fixes[0].Edits[0].Start != "8:21" || f.Fixes[0].Edits[0].End != "8:22" {
		t.Errorf("%+v", f)
	}
	for offset, want := range map[int]string{0: "1:1", 3: "1:4", 4: "2:1", 7: "3:1", 8: "4:1", 9: "4:2"} {
		if got := utf16Position(utf16Lines("\U0001d4b3x\nb\r\n\rc"), offset); got != want {
			t.Errorf("offset %d is at %s, want %s", offset, got, want)
		}
	}
}

func TestESLintRows(t *testing.T) {
	for line, want := range map[string]string{
		"  1:10  error    Missing semicolon  semi":                            "1:10 true Missing semicolon|semi",
		"   5:1  warning  a  b   c  @scope/plug-in/some.rule":                 "5:1 false a  b   c|@scope/plug-in/some.rule",
		"  2:25  error  Parsing error: Unterminated  string":                  "2:25 true Parsing error: Unterminated  string|",
		"  1:1  warning  Unused eslint-disable directive":                     "1:1 false Unused eslint-disable directive|",
		"  0:0  warning  File ignored because of a matching ignore pattern":   "0:0 false File ignored because of a matching ignore pattern|",
		"  1:3   ✖  Too many declarations, maximum 1   declaration-block":     "",
		"1:10  error  Missing semicolon  semi":                                "",
		"  1:10 error Missing semicolon semi":                                 "",
		"  (1, 10)  error  Missing semicolon  semi":                           "",
		"  1:10  ERROR  Missing semicolon  semi":                              "",
		"  3:81      error    line too long (85 > 80 characters)  (line-len)": "yamllint",
	} {
		row, ok := stylish(line)
		got := ""
		if ok && row.isYamllint() {
			got = "yamllint"
		} else if ok {
			message, rule := cutESLintColumn(row.text)
			got = fmt.Sprintf("%d:%d %t %s|%s", row.at.Line, row.at.Column, row.isError, message, rule)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestESLintAlike: the same table of another linter is not eslint's.
func TestESLintAlike(t *testing.T) {
	for _, test := range []struct{ cmd, file, rule, want string }{
		{"textlint README.md", "README.md", "no-todo", "textlint"},
		{"npx solhint x.sol", "x.sol", "no-todo", "solhint"},
		{"npm run lint", "README.md", "no-todo", "npm"}, // textlint's, it may be: nothing says eslint
		{"npm run lint", "app.ts", "no-todo", "npm"},    // another linter's, it may be
		{"npm run lint", "app.ts", "no-var", "eslint"},
		{"npm run lint", "app.ts", "@typescript-eslint/ban-ts-comment", "eslint"},
		{"eslint README.md", "README.md", "no-todo", "eslint"},
	} {
		table := "\n/tmp/shop/" + test.file + "\n  1:1  error  Found TODO  " + test.rule + "\n\n✖ 1 problem (1 error, 0 warnings)\n"
		c := casetest.Case{Cmd: test.cmd, Dir: "/tmp/shop", Stdout: []byte(table), Exit: 1}
		if got := c.Parse().Tool; got != test.want {
			t.Errorf("%s of %s is taken for %s", test.cmd, test.file, got)
		}
	}
}

// TestESLintStylelint: the closing line alone is no sign of eslint.
func TestESLintStylelint(t *testing.T) {
	out := "\nstyles/site.css\n  1:3  ✖  Unknown property \"colr\"  property-no-unknown\n\n✖ 1 problem (1 error, 0 warnings)\n"
	if rep := parseESLintStylish(&tool.Input{Shell: "npm run lint", Source: tool.Separate(nil, []byte(out))}); rep != nil {
		t.Errorf("%+v", rep)
	}
}

// TestESLintMissing: eslint counts more than was read.
func TestESLintMissing(t *testing.T) {
	for name, edit := range map[string][2]string{
		"stylish": {"✖ 46 problems (30 errors, 16", "✖ 47 problems (30 errors, 17"},
		"json":    {`"warningCount":1,`, `"warningCount":2,`},
		"unix":    {"46 problems", "47 problems"},
		"compact": {"46 problems", "47 problems"},
		"junit":   {`errors="1"`, `errors="2"`},
		"tap":     {"1..7", "1..8"},

		"visualstudio": {"50 problems", "51 problems"},
		"codeframe":    {"22 errors", "23 errors"},
		"pretty":       {"22 errors", "23 errors"},
		"xo":           {"11 errors", "10 errors"},
	} {
		c := casetest.Read(t, "eslint/"+name)
		edited := bytes.Replace(c.Stdout, []byte(edit[0]), []byte(edit[1]), 1)
		if bytes.Equal(edited, c.Stdout) {
			t.Errorf("%s: nothing to edit", name)
		}
		c.Stdout = edited
		if r := c.Parse(); r.ParserConfidence != result.Heuristic {
			t.Errorf("%s: a problem is missing, and the result is %s", name, r.ParserConfidence)
		}
	}
}

// TestESLintLongLine: a JSON document of one line that is longer than a Line.
func TestESLintLongLine(t *testing.T) {
	doc := eslintDocument(t, 6000)
	if len(doc) < 2*tool.MaxLine {
		t.Fatal("too short:", len(doc))
	}
	c := casetest.Case{Cmd: "npm run lint", Dir: "/tmp/shop", Stdout: slices.Concat([]byte("\n> shop@1.0.0 lint\n> eslint -f json\n\n"), doc, []byte("\n")), Exit: 1}
	r := c.Parse()
	if r.ParserConfidence != result.Parsed || len(r.Findings) != 6000 || r.Counts["error"] != 6000 {
		t.Errorf("%s, %d findings, %v", r.ParserConfidence, len(r.Findings), r.Counts)
	}
	c.Stdout = c.Stdout[:len(c.Stdout)-100]
	if r := c.Parse(); r.ParserConfidence != result.Heuristic {
		t.Error("cut, and", r.ParserConfidence)
	}
}

// eslintDocument is the JSON of n files with an error each.
func eslintDocument(t testing.TB, n int) []byte {
	var files []map[string]any
	for i := range n {
		files = append(files, map[string]any{
			"filePath": fmt.Sprintf("/tmp/shop/src/f%d.js", i), "errorCount": 1, "source": strings.Repeat("x\n{[\"", 40),
			"messages": []map[string]any{{"ruleId": "no-undef", "severity": 2, "message": "'x' is not defined.", "line": 1, "column": 1}},
		})
	}
	doc, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	// Keys in eslint's order: the path begins the document.
	return bytes.ReplaceAll(doc, []byte(`{"errorCount":1,"filePath":`), []byte(`{"filePath":`))
}

func TestESLintDamage(t *testing.T) { casetest.Damage(t, casetest.Cases(t, "eslint")) }

func BenchmarkESLintStylish(b *testing.B) {
	var text bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&text, "\n/home/dev/shop/src/module%d.js\n", i)
		for j := range 10 {
			fmt.Fprintf(&text, "  %2d:5   error  'opts' is defined but never used   no-unused-vars\n", j+1)
		}
	}
	text.WriteString("\n✖ 20000 problems (20000 errors, 0 warnings)\n")
	casetest.Benchmark(b, "", text.Bytes(), parseESLintStylish)
}

func BenchmarkESLintJSON(b *testing.B) {
	casetest.Benchmark(b, "", append(eslintDocument(b, 9000), '\n'), parseESLintJSON)
}

// TestESLintHeads was written down from what the formats print.
func TestESLintHeads(t *testing.T) {
	show := func(format *lineFormat, line string) string {
		var f result.Finding
		if !format.match(&f, format.whole, line) {
			return ""
		}
		return fmt.Sprintf("%s %t %s|%s", f.At.String(), f.Severity != result.SevWarning, f.Message, f.Rule)
	}
	for line, want := range map[string]string{
		"/tmp/a b(1).js(3,7): error no-undef : 'x' is not defined.": "/tmp/a b(1).js:3:7 true 'x' is not defined.|no-undef",
		"/tmp/a.js(3,14): error : Parsing error: Unexpected token":  "/tmp/a.js:3:14 true Parsing error: Unexpected token|",
		"/tmp/a.js(0): warning : File ignored.":                     "/tmp/a.js false File ignored.|",
		`C:\shop\a.js(1,2): warning @s/p/r : a : b`:                 `C:\shop\a.js:1:2 false a : b|@s/p/r`,
		"/tmp/a.cs(3,7): error CS0103: The name does not exist":     "",
		"/tmp/a.cpp(3): error C2065 : undeclared identifier":        "",
		"/tmp/a.ts(3,7): error TS2304: Cannot find name 'x'.":       "",
	} {
		if got := show(studio(), line); got != want {
			t.Errorf("visualstudio: %s: got %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"  /tmp/a.js:1:9: Strings must use singlequote. (quotes)":          "/tmp/a.js:1:9 true Strings must use singlequote.|quotes",
		"  /tmp/a.js:1:1: Unexpected var: use let. (no-var) (warning)":     "/tmp/a.js:1:1 false Unexpected var: use let.|no-var",
		"  /tmp/b.js:1:14: Parsing error: Unexpected token ) (null)":       "/tmp/b.js:1:14 true Parsing error: Unexpected token )|",
		"/tmp/a.js:1:9: not indented (quotes)":                             "",
		"  /tmp/a.py:1:9: error: a line of mypy's":                         "",
		"    at Object.<anonymous> (/tmp/a.js:1:9: not a position either)": "",
	} {
		if got := show(standard(), line); got != want {
			t.Errorf("standard: %s: got %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"error: Missing semicolon (semi) at src/a.js:1:23:":         "src/a.js:1:23 true Missing semicolon|semi",
		"warning: a at b (x/y) at my at dir/a.js:1:2:":              "my at dir/a.js:1:2 false a at b|x/y",
		"error: Parsing error: Unexpected token = at src/b.js:1:4":  "src/b.js:1:4 true Parsing error: Unexpected token =|",
		"warning: File ignored (null) at dist/x.js":                 "dist/x.js false File ignored|",
		"warning: Use undefined (unicorn/no-null) at src/a.js:1:2:": "src/a.js:1:2 false Use undefined|unicorn/no-null",
		"error: Parsing error: x was not found at src/a.js":         "src/a.js true Parsing error: x was not found|",
		"error: it failed at src/b.js:1:4":                          "",
		"error: aborting due to 2 previous errors (see above)":      "",
	} {
		if got := show(codeframe(), line); got != want {
			t.Errorf("codeframe: %s: got %q, want %q", line, got, want)
		}
	}
}

// TestESLintStops: what keeps eslint from looking is a finding, with the file
// of the workspace that it is about.
func TestESLintStops(t *testing.T) {
	for name, want := range map[string]string{
		"config-syntax": "syn.config.js:3 SyntaxError: Unexpected token ']'",
		"7-config-json": "bad.eslintrc.json Failed to read JSON file at /home/dev/cfgs/bad.eslintrc.json: Cannot read config file: " +
			"/home/dev/cfgs/bad.eslintrc.json: Expected double-quoted property name in JSON at position 30",
	} {
		r := casetest.Read(t, "eslint/"+name).Parse()
		if len(r.Findings) != 1 || r.Findings[0].Location+" "+r.Findings[0].Message != want || r.Status != result.Error {
			t.Errorf("%s: %s, %+v", name, r.Status, r.Findings)
		}
	}
	for text, want := range map[string]string{
		"The --fix option and the --fix-dry-run option cannot be used together.":            "eslint",
		"Invalid value for option 'max-warnings' - expected type Int, received value: abc.": "eslint",
		"Value for 'print-config' of type 'path::String' required.":                         "eslint",
		"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory": "eslint",
	} {
		c := casetest.Case{Cmd: "eslint .", Dir: "/tmp/shop", Stderr: []byte(text + "\n"), Exit: 2}
		if r := c.Parse(); r.Tool != want || len(r.Findings) != 1 || r.Findings[0].Message != text {
			t.Errorf("%s: %s, %+v", text, r.Tool, r.Findings)
		}
		c.Cmd = "./build.sh"
		if r := c.Parse(); r.Tool == "eslint" || r.ParserConfidence == result.Parsed {
			t.Errorf("%s: not said by eslint: %+v", text, r.Findings)
		}
	}
	frame := eslintFrame([]string{
		"    at f (/tmp/shop/node_modules/x/i.js:1:2)", "    at async node:internal/modules:3:4",
		"    at async file:///tmp/shop/eslint.config.mjs:5:6", "    at g (/tmp/shop/other.js:7:8)",
	})
	if frame == nil || frame.String() != "/tmp/shop/eslint.config.mjs:5:6" {
		t.Errorf("frame %+v", frame)
	}
}

// TestESLintMessageRows: a line of a message that ends as a row does is not its end.
func TestESLintMessageRows(t *testing.T) {
	out := "\n/tmp/shop/a.js\n  3:1  error  Nested.\nSecond  line\n\n    some  code\nEnd of it  my/rule\n  8:1  warning\nat the next line  my/other\n\n✖ 2 problems (1 error, 1 warning)\n"
	r := casetest.Case{Cmd: "eslint .", Dir: "/tmp/shop", Stdout: []byte(out), Exit: 1}.Parse()
	if len(r.Findings) != 2 || r.Findings[0].Rule != "my/rule" || r.Findings[1].Message != "at the next line" || r.ParserConfidence != result.Parsed {
		t.Errorf("%s %+v", r.ParserConfidence, r.Findings)
	}
}

// TestESLintBundlers: bundlers begin a table with a line of their own, and
// Create React App says at its end what it was of.
func TestESLintBundlers(t *testing.T) {
	rows := "  1:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n"
	cra := "src/App.js\n  Line 5:7:   'x' is not defined  no-undef\n\nSearch for the keywords to learn more about each "
	for text, want := range map[string]string{
		"ERROR in \n/tmp/shop/src/e.js\n" + rows:                  "src/e.js:1:1 error no-var",
		"[12:00:01] Starting\n/tmp/shop/src/e.js\n" + rows:        "src/e.js:1:1 error no-var",
		"Failed to compile.\n\n[eslint] \n" + cra + "error.\n":    "src/App.js:5:7 error no-undef",
		"Compiled with warnings.\n\n" + cra + "warning.\n":        "src/App.js:5:7 warning no-undef",
		"Failed to compile.\n\n./a.js\n5:7  Error: x  no-undef\n": "a.js:5:7 error no-undef",
	} {
		r := casetest.Case{Cmd: "npm run build", Dir: "/tmp/shop", Stdout: []byte(text), Exit: 1}.Parse()
		if len(r.Findings) != 1 {
			t.Errorf("%q: %+v", text, r.Findings)
			continue
		}
		f := r.Findings[0]
		if got := f.Location + " " + string(f.Severity) + " " + f.Rule; got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestESLintFlood: what does not fit is counted by severity.
func TestESLintFlood(t *testing.T) {
	var text strings.Builder
	for i := range tool.MaxFindings + 500 {
		severity := "error"
		if i%3 == 0 {
			severity = "warning"
		}
		fmt.Fprintf(&text, "/tmp/shop/src/a.js(%d,1): %s no-undef : Bad %d\n", i+1, severity, i)
	}
	fmt.Fprintf(&text, "\n\n%d problems\n", tool.MaxFindings+500)
	r := casetest.Case{Cmd: "eslint -f visualstudio .", Dir: "/tmp/shop", Stdout: []byte(text.String()), Exit: 1}.Parse()
	if r.Counts["error"] != 7000 || r.Counts["warning"] != 3500 || r.Truncated.FindingsTotal != tool.MaxFindings+500 {
		t.Errorf("%v, %+v", r.Counts, r.Truncated)
	}
}

// TestESLintBorrowed: formatters of eslint in other linters' hands are not eslint's.
func TestESLintBorrowed(t *testing.T) {
	const (
		unix       = "/home/dev/neg/README.md:5:3: Found TODO: 'TODO: fix' [Error/no-todo]\n\n1 problem\n"
		compact    = "/home/dev/neg/README.md: line 5, col 3, Error - Found TODO: 'TODO: fix' (no-todo)\n\n1 problem\n"
		checkstyle = `<?xml version="1.0" encoding="utf-8"?><checkstyle version="4.3"><file name="/home/dev/neg/README.md"><error line="5" column="3" severity="error" message="Found TODO (no-todo)" source="eslint.rules.no-todo" /></file></checkstyle>` + "\n"
		tap        = "TAP version 13\n1..1\nnot ok 1 - src/s.sol\n  ---\n  message: Avoid to use tx.origin\n  severity: warning\n  data:\n    line: 1\n    column: 53\n    ruleId: avoid-tx-origin\n  ...\n\n"
		oxlint     = "\n/home/dev/neg/src/a.js\n  2:1   warning  `debugger` statement is not allowed  eslint(no-debugger)\n\n/home/dev/neg/src/bad.js\n  1:7  error  Unexpected token  \n\n✖ 2 problems (1 error, 1 warning)\n"
		css        = "/home/dev/neg/a.css:5:3: Unexpected empty block [Error/css/no-empty-blocks]\n\n1 problem\n"
		noRule     = "\n/home/dev/neg/src/a.js\n  2:1  error  Use of foo (bar)\n\n✖ 1 problem (1 error, 0 warnings)\n"
	)
	for _, c := range []struct {
		cmd, out string
		tool     string
	}{
		{"textlint -f unix .", unix, "textlint"}, {"npm run lint", unix, "npm"}, {"npx eslint -f unix .", unix, "eslint"},
		{"npm run lint", "> eslint -f unix .\n\n" + unix, "eslint"}, {"make", "npx eslint -f unix .\n" + unix, "eslint"}, {"npm run lint", "> stylelint .\n\n" + unix, "npm"},
		{"textlint -f compact .", compact, "textlint"}, {"npm run lint", compact, "npm"},
		{"textlint -f checkstyle .", checkstyle, "textlint"}, {"npm run lint", checkstyle, "npm"},
		{"solhint -f tap .", tap, "solhint"}, {"npm run lint", tap, "tap"},
		{"oxlint -f stylish .", oxlint, "oxlint"}, {"npm run lint", oxlint, "npm"},
		{"npm run lint", css, "eslint"}, {"npx eslint .", noRule, "eslint"},
	} {
		r := casetest.Case{Cmd: c.cmd, Dir: "/home/dev/neg", Stdout: []byte(c.out), Exit: 1}.Parse()
		if r.Tool != c.tool || r.Status != result.Failed {
			t.Errorf("%s: %s, %s, %v", c.cmd, r.Tool, r.Status, r.Findings)
		}
		if own := r.Tool == "eslint"; own && len(r.Findings) != 1 || !own && slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Source == "eslint" }) {
			t.Errorf("%s: %v", c.cmd, r.Findings)
		}
	}
}

// TestESLintParsingRule: plugins that parse on their own have a rule; where the
// column is 0 codeframe leaves out the position.
func TestESLintParsingRule(t *testing.T) {
	for cmd, out := range map[string]string{
		"eslint .":               "\n/tmp/shop/a b.vue\n  1:55  error  Parsing error: x-invalid-end-tag  vue/no-parsing-error\n  2:0  error  Parsing error: Unexpected  token\n\n✖ 2 problems (2 errors, 0 warnings)\n",
		"eslint -f compact .":    "/tmp/shop/a b.vue: line 1, col 55, Error - Parsing error: x-invalid-end-tag. (vue/no-parsing-error)\n/tmp/shop/a b.vue: line 2, col 0, Error - Parsing error: Unexpected  token\n\n2 problems\n",
		"eslint -f unix .":       "/tmp/shop/a b.vue:1:55: Parsing error: x-invalid-end-tag. [Error/vue/no-parsing-error]\n/tmp/shop/a b.vue:2:0: Parsing error: Unexpected  token [Error]\n\n2 problems\n",
		"eslint -f codeframe .":  "error: Parsing error: x-invalid-end-tag (vue/no-parsing-error) at a b.vue:1:55:\n> 1 | <p>\n    | ^\n\n\nerror: Parsing error: Unexpected  token at a b.vue:\n  1 | <p>\n> 2 | =\n\n\n2 errors found.\n",
		"npx standard":           "  /tmp/shop/a b.vue:1:55: Parsing error: x-invalid-end-tag (vue/no-parsing-error)\n  /tmp/shop/a b.vue:2:0: Parsing error: Unexpected  token (null)\n",
		"eslint -f pretty . # x": "\n  a b.vue:1:55\n  ✖  1:55  Parsing error: x-invalid-end-tag  vue/no-parsing-error\n  ✖  2:0   Parsing error: Unexpected  token\n\n  2 errors\n",
	} {
		r := casetest.Case{Cmd: cmd, Dir: "/tmp/shop", Stdout: []byte(out), Exit: 1}.Parse()
		if r.ParserConfidence != result.Parsed || len(r.Findings) != 2 {
			t.Errorf("%s: %s, %v", cmd, r.ParserConfidence, r.Findings)
			continue
		}
		for i, want := range []string{"a b.vue:1 vue/no-parsing-error Parsing error: x-invalid-end-tag", "a b.vue:2  Parsing error: Unexpected  token"} {
			f := r.Findings[i]
			if got := fmt.Sprintf("%s:%d %s %s", f.At.Path, f.At.Line, f.Rule, strings.TrimSuffix(f.Message, ".")); got != want {
				t.Errorf("%s: %q", cmd, got)
			}
		}
	}
}

// TestLintLongLines: a line may be very long, and what looks like a place stand
// in it ever again.
func TestLintLongLines(t *testing.T) {
	for _, s := range []string{"/a.js" + strings.Repeat("): error ", 20000), "  /a.js" + strings.Repeat(": ", 50000) + "(x)", "error: x" + strings.Repeat(" at ", 20000)} {
		for _, read := range []func(string) bool{studio().sniff, standard().sniff, codeframe().sniff, unix().sniff} {
			if read(s) {
				t.Errorf("%.20q is taken for a problem", s)
			}
		}
	}
}

// TestParserPlace: a parser writes the place into its message, where it would make
// another finding of the same error two lines further down.
func TestParserPlace(t *testing.T) {
	for message, want := range map[string]string{
		"Parsing error: Unexpected token (3:13)":           "Parsing error: Unexpected token",
		"Parsing error: /p/a.js: Missing semicolon. (3:6)": "Parsing error: /p/a.js: Missing semicolon.",
		"Parsing error: it began above (1:2)":              "Parsing error: it began above (1:2)",
		"Parsing error: Unexpected token (x)":              "Parsing error: Unexpected token (x)",
		"Expected a ratio (3:2)":                           "Expected a ratio (3:2)",
	} {
		f := eslintProblem("", message, true, result.Location{Path: "a.js", Line: 3, Column: 14})
		if f.Message != want {
			t.Errorf("%q is told as %q", message, f.Message)
		}
	}
}
