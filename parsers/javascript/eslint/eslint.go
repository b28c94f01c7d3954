// Package eslint reads the output of eslint, versions 7 to 10: of its own formatters, including those that version 9
// removed (unix, compact, checkstyle, junit, tap, visualstudio, codeframe), and of others: sarif, pretty, which is
// xo's, and those of standard, next and Create React App. Other linters print with copies of its formatters: see
// forms.go.
//
// # The formats
//
// The default, stylish, prints for each file an empty line, its absolute path and a table of rows, and at the end the
// counts of all problems:
//
//	/home/dev/shop/src/a.js
//	   1:10  error    Missing semicolon              semi
//	  12:5   warning  Unexpected console statement   no-console
//
//	✖ 2 problems (1 error, 1 warning)
//
// The message loses its full stop. A message of several lines continues at the beginning of the next line, may
// contain empty lines, and has the rule at its very end. A problem without a rule (a file that does not parse, an
// unused directive) ends with its message. A clean run prints nothing.
//
// Problems go to stdout. The reason why eslint could not lint, and the message about too many warnings, go to stderr.
//
// # What is believed
//
// The counts of the closing line and, in JSON, of each file are believed. An output is complete with its closing line,
// its closing tag or, in TAP, as many tests as the plan has.
//
// # What a finding is
//
// The rule is eslint's name. The message is the first line: the lines that plugins put below it quote the source with
// its line numbers, so they belong to the detail. Columns count UTF-16 units. "ESLint found too many warnings" is a
// finding of its own, since only that message then explains the exit code.
package eslint

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// Declare declares eslint, with all formats of this package.
func Declare(p *tool.Parser) {
	p.Is("eslint", result.Lint, 4, "eslint 7 to 10: stylish, json, json-with-metadata, unix, compact, checkstyle, junit, tap, sarif, html, jslint-xml, visualstudio, codeframe, pretty (xo), standard, next lint, react-scripts")
	p.ColumnUnit = "utf16"
	p.Matches = isESLintCommand
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Files = []tool.Files{{
		Flags: append(tool.OutputFlags("eslint", "-o", "--output-file"), tool.OutputFlags("eslint_d", "-o", "--output-file")...), Variables: []string{"ESLINT_JUNIT_OUTPUT"},
	}}
	p.JUnit = &tool.Dialect{Own: true, Suite: func(tag *tool.SuiteTag) bool { return tag.Package == "org.eslint" }}
	p.Reads(tool.Format{Name: "json", Evidence: tool.Shape, Starts: eslintJSONStarts, Parse: parseESLintJSON})
	p.Reads(tool.Format{Name: "sarif", Starts: []string{`"name": "ESLint"`}, Parse: parseESLintSARIF})
	p.Reads(tool.Format{Name: "checkstyle", Starts: []string{"<?xml…<checkstyle ", "<checkstyle "}, Sniff: sniffESLintCheckstyle, Parse: parseESLintCheckstyle})
	p.Reads(tool.Format{Name: "junit", Starts: []string{`<testsuite package="org.eslint"`}, Parse: parseESLintJUnit})
	p.Reads(tool.Format{Name: "tap", Starts: []string{"ruleId: "}, Parse: parseESLintTAP})
	p.Reads(declared("unix", eslintPathStarts("…[Error", "…[Warning"), unix))
	p.Reads(declared("compact", eslintPathStarts("…, Error - ", "…, Warning - "), compact))
	p.Reads(declared("visualstudio", eslintPathStarts("…): error ", "…): warning "), studio))
	p.Reads(declared("standard", eslintPathStarts("…)"), standard))
	p.Reads(declared("codeframe", []string{"error: … at ", "warning: … at "}, codeframe))
	p.Reads(tool.Format{Name: "pretty", Starts: []string{"✖  ", "⚠  ", "×  ", "‼  "}, Sniff: certainly(pretty), Parse: parseESLintPretty})
	p.Reads(tool.Format{Name: "next", Starts: eslintNextStarts(), Sniff: certainly(nextRow), Parse: parseESLintNext})
	p.Reads(tool.Format{Name: "cra", Starts: []string{"Line …:  "}, Sniff: certainly(craRow), Parse: parseESLintCRA})
	p.Reads(tool.Format{Name: "friendly", Starts: []string{"✘  http…" + rulesPage, "⚠  http…" + rulesPage, "✖  http…" + rulesPage}, Parse: drawn(friendly)})
	p.Reads(tool.Format{Name: "mo", Starts: []string{"└─ ✖ … [ ", "└─ ⚠ … [ "}, Parse: drawn(mo)})
	p.Reads(tool.Format{Name: "teamcity", Starts: []string{"##teamcity[testFailed name='" + violations, "##teamcity[testStdOut name='" + violations}, Parse: drawn(violated)})
	p.Reads(tool.Format{Name: "html", Parse: read.Sheet{}.Parse})
	p.Reads(tool.Format{Name: "jslint-xml", Parse: read.XMLByShape("jslint", kinReason)})
	p.Reads(tool.Format{Name: "text", Evidence: tool.Shape, Starts: eslintTextStarts(), Sniff: sniffESLintText, Parse: parseESLintStylish})
}

func isESLintCommand(argv []string) bool { return argv[0] == "eslint" || argv[0] == "eslint_d" }

// eslintPathStarts returns starts of lines: an absolute path, as eslint always prints, or the "<text>" of --stdin,
// followed somewhere by one of later.
func eslintPathStarts(later ...string) (starts []string) {
	for _, more := range later {
		starts = append(starts, "/"+more, "<text>"+more)
		for c := byte('A'); c <= 'Z'; c++ {
			starts = append(starts, string([]byte{c})+`:\`+more, string([]byte{c | 0x20})+`:\`+more)
		}
	}
	return starts
}

// eslintTextStarts returns starts of lines in the format stylish. A row begins with its position; the severity
// between two blanks distinguishes it from other linters' rows.
func eslintTextStarts() []string {
	starts := []string{"✖ ", read.NodeHeapStart, "The …" + eslintFormer}
	starts = append(append(starts, eslintStops...), eslintMisuses...)
	for c := byte('0'); c <= '9'; c++ {
		starts = append(starts, string([]byte{c})+"…  error  ", string([]byte{c})+"…  warning  ")
	}
	return starts
}

func sniffESLintText(line string) bool {
	text := strings.TrimRight(line, " \t")
	if row, ok := stylish(text); ok {
		return row.text != "" && !row.isYamllint() && !row.isOxlint()
	}
	return stylishTotal(nil, text) || stopOf(text, true) != "" || read.IsNodeHeap(text)
}
